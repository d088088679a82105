#pragma once

// Loading of the layouts that cameras and cards deliver most, with whole words moved by
// permutations instead of stored piece by piece.

#include <immintrin.h>

#include "../internal/samples.h"

// Words with the value at the top to sixteenths of a 10-bit step about the middle.
PRORES_INLINE __m512i centre_top_wide(__m512i v) {
  return _mm512_srai_epi16(_mm512_xor_si512(v, _mm512_set1_epi16((short)0x8000)), 2);
}

// Words Cb Cr Cb Cr ... to the first half and the second.
PRORES_INLINE __m512i split_pairs(void) {
  return _mm512_set_epi16(63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33, 30, 28,
                          26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
}

PRORES_INLINE void load_biplanar16_wide(const uint8_t *luma, const uint8_t *chroma, int pixels,
                                        int16_t *y, int16_t *cb, int16_t *cr) {
  for (int i = 0; i < pixels; i += 32) {
    // The last slices of a row may be sixteen pixels wide.
    const __mmask32 here = pixels - i < 32 ? 0xFFFF : 0xFFFFFFFF;
    const __mmask16 pairs = (__mmask16)(pixels - i < 32 ? 0xFF : 0xFFFF);
    _mm512_mask_storeu_epi16(y + i, here,
                             centre_top_wide(_mm512_maskz_loadu_epi16(here, luma + 2 * i)));
    const __m512i v = centre_top_wide(_mm512_maskz_loadu_epi16(here, chroma + 2 * i));
    const __m512i split = _mm512_permutexvar_epi16(split_pairs(), v);
    _mm256_mask_storeu_epi16(cb + i / 2, pairs, _mm512_castsi512_si256(split));
    _mm256_mask_storeu_epi16(cr + i / 2, pairs, _mm512_extracti64x4_epi64(split, 1));
  }
}

// Four groups of v210 at a time: 24 pixels in 64 bytes. As in load_avx2.h, each lane's words come
// to six of luma in order, and to three of Cb and three of Cr in the halves of another vector.
PRORES_INLINE void load_v210_wide(const uint8_t *row, int x, int pixels, int16_t *y, int16_t *cb,
                                  int16_t *cr) {
  const __m512i luma_order = _mm512_broadcast_i32x4(
      _mm_setr_epi8(1, 2, 4, 5, 6, 7, 9, 10, 12, 13, 14, 15, -1, -1, -1, -1));
  const __m512i luma_factor =
      _mm512_broadcast_i32x4(_mm_setr_epi16(16, 64, 4, 16, 64, 4, 0, 0));
  const __m512i chroma_order = _mm512_broadcast_i32x4(
      _mm_setr_epi8(0, 1, 5, 6, 10, 11, -1, -1, 2, 3, 8, 9, 13, 14, -1, -1));
  const __m512i chroma_factor =
      _mm512_broadcast_i32x4(_mm_setr_epi16(64, 16, 4, 0, 4, 64, 16, 0));
  const __m512i luma_place = _mm512_set_epi16(0, 0, 0, 0, 0, 0, 0, 0, 29, 28, 27, 26, 25, 24, 21,
                                              20, 19, 18, 17, 16, 13, 12, 11, 10, 9, 8, 5, 4, 3, 2,
                                              1, 0);
  const __m512i chroma_place = _mm512_set_epi16(0, 0, 0, 0, 30, 29, 28, 22, 21, 20, 14, 13, 12, 6,
                                                5, 4, 0, 0, 0, 0, 26, 25, 24, 18, 17, 16, 10, 9, 8,
                                                2, 1, 0);
  const __m512i top = _mm512_set1_epi16((short)0xFFC0);
  // Groups begin up to four pixels before the slice; what they hold of it goes to the margin.
  const int first = x / 6, before = x - first * 6;
  int groups = (x + pixels - 1) / 6 - first + 1;
  row += 16 * first;
  y -= before;
  cb -= before / 2;
  cr -= before / 2;
  for (; groups > 0; groups -= 4) {
    const int count = groups < 4 ? groups : 4;
    const __m512i v = _mm512_maskz_loadu_epi32((__mmask16)((1u << 4 * count) - 1), row);
    __m512i luma = _mm512_mullo_epi16(_mm512_shuffle_epi8(v, luma_order), luma_factor);
    __m512i chroma = _mm512_mullo_epi16(_mm512_shuffle_epi8(v, chroma_order), chroma_factor);
    luma = centre_top_wide(_mm512_and_si512(luma, top));
    chroma = centre_top_wide(_mm512_and_si512(chroma, top));
    chroma = _mm512_permutexvar_epi16(chroma_place, chroma);
    const __mmask16 half = (__mmask16)((1u << 3 * count) - 1);
    _mm512_mask_storeu_epi16(y, (1u << 6 * count) - 1,
                             _mm512_permutexvar_epi16(luma_place, luma));
    _mm256_mask_storeu_epi16(cb, half, _mm512_castsi512_si256(chroma));
    _mm256_mask_storeu_epi16(cr, half, _mm512_extracti64x4_epi64(chroma, 1));
    row += 64;
    y += 24;
    cb += 12;
    cr += 12;
  }
}
