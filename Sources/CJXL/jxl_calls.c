#include "CLateCalls.h"
#include "CJXL.h"

/* The library version this was compiled against: before version 1 every minor version has its own
   ABI. Parameters are named by position. */
#define TEXT(number) #number
#define VERSION(major, minor) TEXT(major) "." TEXT(minor)
#if JPEGXL_MAJOR_VERSION == 0
#define LIBRARY_VERSION VERSION(JPEGXL_MAJOR_VERSION, JPEGXL_MINOR_VERSION)
#else
#define LIBRARY_VERSION "1"
#endif
static late_library library = {"libjxl.so." LIBRARY_VERSION, NULL};
static late_library threads = {"libjxl_threads.so." LIBRARY_VERSION, NULL};

#define JXL(result, name, parameters, arguments)                                                  \
  LATE_CALL(library, result, name, parameters, arguments)
#define JXL_THREADS(result, name, parameters, arguments)                                          \
  LATE_CALL(threads, result, name, parameters, arguments)

JXL(void, JxlColorEncodingSetToLinearSRGB, (JxlColorEncoding *a, int b), (a, b))
JXL(void, JxlDecoderCloseInput, (JxlDecoder *a), (a))
JXL(JxlDecoder *, JxlDecoderCreate, (const JxlMemoryManager *a), (a))
JXL(void, JxlDecoderDestroy, (JxlDecoder *a), (a))
JXL(JxlDecoderStatus, JxlDecoderGetBasicInfo, (const JxlDecoder *a, JxlBasicInfo *b), (a, b))
JXL(JxlDecoderStatus, JxlDecoderGetBoxType, (JxlDecoder *a, JxlBoxType b, JXL_BOOL c), (a, b, c))
JXL(JxlDecoderStatus, JxlDecoderProcessInput, (JxlDecoder *a), (a))
JXL(size_t, JxlDecoderReleaseBoxBuffer, (JxlDecoder *a), (a))
JXL(JxlDecoderStatus, JxlDecoderSetBoxBuffer, (JxlDecoder *a, uint8_t *b, size_t c), (a, b, c))
JXL(JxlDecoderStatus, JxlDecoderSetDecompressBoxes, (JxlDecoder *a, JXL_BOOL b), (a, b))
JXL(JxlDecoderStatus, JxlDecoderSetImageOutBuffer,
    (JxlDecoder *a, const JxlPixelFormat *b, void *c, size_t d), (a, b, c, d))
JXL(JxlDecoderStatus, JxlDecoderSetInput, (JxlDecoder *a, const uint8_t *b, size_t c), (a, b, c))
JXL(JxlDecoderStatus, JxlDecoderSetKeepOrientation, (JxlDecoder *a, int b), (a, b))
JXL(JxlDecoderStatus, JxlDecoderSetParallelRunner,
    (JxlDecoder *a, JxlParallelRunner b, void *c), (a, b, c))
JXL(JxlDecoderStatus, JxlDecoderSubscribeEvents, (JxlDecoder *a, int b), (a, b))
JXL(JxlEncoderStatus, JxlEncoderAddBox,
    (JxlEncoder *a, const JxlBoxType b, const uint8_t *c, size_t d, int e), (a, b, c, d, e))
JXL(JxlEncoderStatus, JxlEncoderAddImageFrame,
    (const JxlEncoderFrameSettings *a, const JxlPixelFormat *b, const void *c, size_t d),
    (a, b, c, d))
JXL(void, JxlEncoderCloseInput, (JxlEncoder *a), (a))
JXL(JxlEncoder *, JxlEncoderCreate, (const JxlMemoryManager *a), (a))
JXL(void, JxlEncoderDestroy, (JxlEncoder *a), (a))
JXL(JxlEncoderFrameSettings *, JxlEncoderFrameSettingsCreate,
    (JxlEncoder *a, const JxlEncoderFrameSettings *b), (a, b))
JXL(JxlEncoderStatus, JxlEncoderFrameSettingsSetOption,
    (JxlEncoderFrameSettings *a, JxlEncoderFrameSettingId b, int64_t c), (a, b, c))
JXL(JxlEncoderError, JxlEncoderGetError, (JxlEncoder *a), (a))
JXL(void, JxlEncoderInitBasicInfo, (JxlBasicInfo *a), (a))
JXL(JxlEncoderStatus, JxlEncoderProcessOutput, (JxlEncoder *a, uint8_t **b, size_t *c), (a, b, c))
JXL(JxlEncoderStatus, JxlEncoderSetBasicInfo, (JxlEncoder *a, const JxlBasicInfo *b), (a, b))
JXL(JxlEncoderStatus, JxlEncoderSetColorEncoding,
    (JxlEncoder *a, const JxlColorEncoding *b), (a, b))
JXL(JxlEncoderStatus, JxlEncoderSetFrameDistance, (JxlEncoderFrameSettings *a, float b), (a, b))
JXL(JxlEncoderStatus, JxlEncoderSetFrameLossless, (JxlEncoderFrameSettings *a, int b), (a, b))
JXL(JxlEncoderStatus, JxlEncoderSetParallelRunner,
    (JxlEncoder *a, JxlParallelRunner b, void *c), (a, b, c))
JXL(JxlEncoderStatus, JxlEncoderUseBoxes, (JxlEncoder *a), (a))
JXL(JxlEncoderStatus, JxlEncoderUseContainer, (JxlEncoder *a, int b), (a, b))
JXL_THREADS(JxlParallelRetCode, JxlThreadParallelRunner,
    (void *a, void *b, JxlParallelRunInit c, JxlParallelRunFunction d, uint32_t e, uint32_t f),
    (a, b, c, d, e, f))
JXL_THREADS(void *, JxlThreadParallelRunnerCreate, (const JxlMemoryManager *a, size_t b), (a, b))
JXL_THREADS(void, JxlThreadParallelRunnerDestroy, (void *a), (a))

/* Before 0.9 these took a pixel format, which they ignored. */
#if JPEGXL_MAJOR_VERSION == 0 && JPEGXL_MINOR_VERSION < 9
#define FORMAT const JxlPixelFormat *format,
#define FORMAT_PASSED format,
#else
#define FORMAT
#define FORMAT_PASSED
#endif
JXL(JxlDecoderStatus, JxlDecoderGetColorAsEncodedProfile,
    (const JxlDecoder *a, FORMAT JxlColorProfileTarget b, JxlColorEncoding *c),
    (a, FORMAT_PASSED b, c))
JXL(JxlDecoderStatus, JxlDecoderGetColorAsICCProfile,
    (const JxlDecoder *a, FORMAT JxlColorProfileTarget b, uint8_t *c, size_t d),
    (a, FORMAT_PASSED b, c, d))
JXL(JxlDecoderStatus, JxlDecoderGetICCProfileSize,
    (const JxlDecoder *a, FORMAT JxlColorProfileTarget b, size_t *c), (a, FORMAT_PASSED b, c))
