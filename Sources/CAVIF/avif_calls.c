#include "CLateCalls.h"
#include "CAVIF.h"

/* The library's headers do not state its file name; 15 is the number of libavif 0.11. Parameters
   are named by position. */
#if AVIF_VERSION >= 1000000
static late_library library = {"libavif.so.16", NULL};
#define AVIF_SETTER avifResult
#else
static late_library library = {"libavif.so.15", NULL};
#define AVIF_SETTER void
#endif

#define AVIF(result, name, parameters, arguments)                                                 \
  LATE_CALL(library, result, name, parameters, arguments)

AVIF(const char *, avifCodecName, (avifCodecChoice a, avifCodecFlags b), (a, b))
AVIF(avifDecoder *, avifDecoderCreate, (void), ())
AVIF(void, avifDecoderDestroy, (avifDecoder *a), (a))
AVIF(avifResult, avifDecoderNextImage, (avifDecoder *a), (a))
AVIF(avifResult, avifDecoderParse, (avifDecoder *a), (a))
AVIF(avifResult, avifDecoderSetIOMemory, (avifDecoder *a, const uint8_t *b, size_t c), (a, b, c))
AVIF(avifEncoder *, avifEncoderCreate, (void), ())
AVIF(void, avifEncoderDestroy, (avifEncoder *a), (a))
AVIF(avifResult, avifEncoderWrite, (avifEncoder *a, const avifImage *b, avifRWData *c), (a, b, c))
AVIF(avifResult, avifImageAllocatePlanes, (avifImage *a, avifPlanesFlags b), (a, b))
AVIF(avifImage *, avifImageCreate,
     (uint32_t a, uint32_t b, uint32_t c, avifPixelFormat d), (a, b, c, d))
AVIF(void, avifImageDestroy, (avifImage *a), (a))
AVIF(AVIF_SETTER, avifImageSetMetadataExif, (avifImage *a, const uint8_t *b, size_t c), (a, b, c))
AVIF(AVIF_SETTER, avifImageSetMetadataXMP, (avifImage *a, const uint8_t *b, size_t c), (a, b, c))
AVIF(AVIF_SETTER, avifImageSetProfileICC, (avifImage *a, const uint8_t *b, size_t c), (a, b, c))
AVIF(avifResult, avifImageYUVToRGB, (const avifImage *a, avifRGBImage *b), (a, b))
AVIF(void, avifRGBImageSetDefaults, (avifRGBImage *a, const avifImage *b), (a, b))
AVIF(void, avifRWDataFree, (avifRWData *a), (a))
AVIF(const char *, avifResultToString, (avifResult a), (a))
