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
