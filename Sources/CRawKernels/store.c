#include <string.h>

#include "CRawDevelop.h"

#include "vectors.h"

RAW_VECTORS
void raw_store_bytes(const float *red, const float *green, const float *blue, size_t count,
                     uint8_t *pixels) {
  for (size_t i = 0; i < count; i++) {
    pixels[3 * i] = (uint8_t)(clamp01(red[i]) * 255 + 0.5f);
    pixels[3 * i + 1] = (uint8_t)(clamp01(green[i]) * 255 + 0.5f);
    pixels[3 * i + 2] = (uint8_t)(clamp01(blue[i]) * 255 + 0.5f);
  }
}

RAW_VECTORS
void raw_store_words(const float *red, const float *green, const float *blue, size_t count,
                     uint16_t *pixels) {
  for (size_t i = 0; i < count; i++) {
    pixels[3 * i] = (uint16_t)(clamp01(red[i]) * 65535 + 0.5f);
    pixels[3 * i + 1] = (uint16_t)(clamp01(green[i]) * 65535 + 0.5f);
    pixels[3 * i + 2] = (uint16_t)(clamp01(blue[i]) * 65535 + 0.5f);
  }
}

// Rounds to the nearest half float, ties to even; values out of range become the greatest one.
static inline uint16_t half(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint32_t sign = bits >> 16 & 0x8000;
  bits &= 0x7FFFFFFF;
  if (bits > 0x7F800000) return (uint16_t)(sign | 0x7E00);
  if (bits >= 0x477FF000) return (uint16_t)(sign | 0x7BFF);
  if (bits < 0x38800000) {
    float magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    // Adding a half rounds the fraction to the step of subnormal halves.
    magnitude += 0.5f;
    memcpy(&bits, &magnitude, sizeof bits);
    return (uint16_t)(sign | (bits - 0x3F000000));
  }
  bits += 0xFFF + (bits >> 13 & 1);
  return (uint16_t)(sign | (bits - 0x38000000) >> 13);
}

void raw_store_halves(const float *red, const float *green, const float *blue, size_t count,
                      uint16_t *pixels) {
  for (size_t i = 0; i < count; i++) {
    pixels[3 * i] = half(red[i]);
    pixels[3 * i + 1] = half(green[i]);
    pixels[3 * i + 2] = half(blue[i]);
  }
}

void raw_store_floats(const float *red, const float *green, const float *blue, size_t count,
                      float *pixels) {
  for (size_t i = 0; i < count; i++) {
    pixels[3 * i] = red[i];
    pixels[3 * i + 1] = green[i];
    pixels[3 * i + 2] = blue[i];
  }
}

void raw_split(const float *pixels, size_t components, size_t first, size_t last,
               float *const *planes) {
  for (size_t k = 0; k < components; k++)
    for (size_t i = first; i < last; i++) planes[k][i - first] = pixels[i * components + k];
}
