#pragma once
#include <avif/avif.h>

/* Setters that return nothing before libavif 1.0, and a result since. */

static inline void image_set_profile(avifImage *image, const uint8_t *bytes, size_t count) {
  (void)avifImageSetProfileICC(image, bytes, count);
}

static inline void image_set_exif(avifImage *image, const uint8_t *bytes, size_t count) {
  (void)avifImageSetMetadataExif(image, bytes, count);
}

static inline void image_set_xmp(avifImage *image, const uint8_t *bytes, size_t count) {
  (void)avifImageSetMetadataXMP(image, bytes, count);
}

/* 0 to swap top and bottom, 1 to swap left and right; the field was renamed in libavif 1.0. */
static inline int image_mirror(const avifImage *image) {
#if AVIF_VERSION >= 1000000
  return image->imir.axis;
#else
  return image->imir.mode;
#endif
}
