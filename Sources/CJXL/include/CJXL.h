#pragma once
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>
#include <jxl/version.h>

/* Getters that took a pixel format, which they ignored, before libjxl 0.9. */

#if JPEGXL_MAJOR_VERSION == 0 && JPEGXL_MINOR_VERSION < 9
#define JXL_UNUSED_FORMAT NULL,
#else
#define JXL_UNUSED_FORMAT
#endif

static inline JxlDecoderStatus jxl_color_encoding(const JxlDecoder *decoder, JxlColorEncoding *color) {
  return JxlDecoderGetColorAsEncodedProfile(decoder, JXL_UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_DATA, color);
}

static inline JxlDecoderStatus jxl_profile_size(const JxlDecoder *decoder, size_t *size) {
  return JxlDecoderGetICCProfileSize(decoder, JXL_UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_DATA, size);
}

static inline JxlDecoderStatus jxl_profile(const JxlDecoder *decoder, uint8_t *bytes, size_t size) {
  return JxlDecoderGetColorAsICCProfile(decoder, JXL_UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_DATA, bytes, size);
}
