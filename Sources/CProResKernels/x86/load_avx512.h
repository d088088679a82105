#pragma once

// Loading of biplanar words, reordered by permutations instead of piecewise stores.

#include <immintrin.h>

#include "../internal/samples.h"

// Words with the value in the top bits to sixteenths of a 10-bit step, centered on zero.
PRORES_INLINE __m512i center_top_wide(__m512i v) {
  return _mm512_srai_epi16(_mm512_xor_si512(v, _mm512_set1_epi16((short)0x8000)), 2);
}

// Words Cb Cr Cb Cr ... to the first and second half.
PRORES_INLINE __m512i split_pairs(void) {
  return _mm512_set_epi16(63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33, 30, 28,
                          26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
}

PRORES_INLINE void load_biplanar16_wide(const uint8_t *luma, const uint8_t *chroma, int pixels,
                                        int16_t *y, int16_t *cb, int16_t *cr) {
  for (int i = 0; i < pixels; i += 32) {
    // The last slices in a row may be sixteen pixels wide.
    const __mmask32 here = pixels - i < 32 ? 0xFFFF : 0xFFFFFFFF;
    const __mmask16 pairs = (__mmask16)(pixels - i < 32 ? 0xFF : 0xFFFF);
    _mm512_mask_storeu_epi16(y + i, here,
                             center_top_wide(_mm512_maskz_loadu_epi16(here, luma + 2 * i)));
    const __m512i v = center_top_wide(_mm512_maskz_loadu_epi16(here, chroma + 2 * i));
    const __m512i split = _mm512_permutexvar_epi16(split_pairs(), v);
    _mm256_mask_storeu_epi16(cb + i / 2, pairs, _mm512_castsi512_si256(split));
    _mm256_mask_storeu_epi16(cr + i / 2, pairs, _mm512_extracti64x4_epi64(split, 1));
  }
}
