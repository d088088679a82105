#pragma once

// Loading of rows with AVX2, for the x86 tables. Rows are multiples of sixteen pixels, so whole
// vectors never read past their end.

#include <immintrin.h>

#include "../internal/samples.h"

#define PRORES_AVX2 static inline __attribute__((always_inline, unused, target("avx2")))

PRORES_AVX2 __m256i load256(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
PRORES_AVX2 __m128i load128(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
PRORES_AVX2 void store256(void *p, __m256i v) { _mm256_storeu_si256((__m256i *)p, v); }
PRORES_AVX2 void store128(void *p, __m128i v) { _mm_storeu_si128((__m128i *)p, v); }

// Words with the value in the top bits to sixteenths of a 10-bit step, centered on zero.
PRORES_AVX2 __m256i center_top(__m256i v) {
  return _mm256_srai_epi16(_mm256_xor_si256(v, _mm256_set1_epi16((short)0x8000)), 2);
}

// Words with the value in the lowest bits, clamped to `most` and scaled by a factor.
PRORES_AVX2 __m256i center_bottom(__m256i v, __m256i most, __m256i factor) {
  v = _mm256_mullo_epi16(_mm256_min_epu16(v, most), factor);
  return _mm256_sub_epi16(v, _mm256_set1_epi16(8192));
}

// Sixteen words Cb Cr Cb Cr ... to eight of each.
PRORES_AVX2 void store_pairs(__m256i v, int16_t *cb, int16_t *cr) {
  const __m256i order = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0, 1,
                                         4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
  v = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(v, order), 0xD8);
  store128(cb, _mm256_castsi256_si128(v));
  store128(cr, _mm256_extracti128_si256(v, 1));
}

PRORES_AVX2 void load_bytes(const uint8_t *from, int16_t *to, int count) {
  int i = 0;
  for (; i + 16 <= count; i += 16) {
    __m256i v = _mm256_cvtepu8_epi16(load128(from + i));
    store256(to + i, center_top(_mm256_slli_epi16(v, 8)));
  }
  if (i < count) {
    __m256i v = _mm256_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(from + i)));
    store128(to + i, _mm256_castsi256_si128(center_top(_mm256_slli_epi16(v, 8))));
  }
}

// A plane of words with the value in the top bits.
PRORES_AVX2 void load_words_top(const uint8_t *from, int16_t *to, int count) {
  int i = 0;
  for (; i + 32 <= count; i += 32) {
    __m256i a = load256(from + 2 * i), b = load256(from + 2 * i + 32);
    store256(to + i, center_top(a));
    store256(to + i + 16, center_top(b));
  }
  for (; i < count; i += 8) {
    __m256i v = center_top(_mm256_castsi128_si256(load128(from + 2 * i)));
    store128(to + i, _mm256_castsi256_si128(v));
  }
}

// A plane of words with the value in the lowest bits.
PRORES_AVX2 void load_words_bottom(const uint8_t *from, int16_t *to, int count, __m256i most,
                                   __m256i factor) {
  int i = 0;
  for (; i + 32 <= count; i += 32) {
    __m256i a = load256(from + 2 * i), b = load256(from + 2 * i + 32);
    store256(to + i, center_bottom(a, most, factor));
    store256(to + i + 16, center_bottom(b, most, factor));
  }
  for (; i < count; i += 8) {
    __m256i v = _mm256_castsi128_si256(load128(from + 2 * i));
    store128(to + i, _mm256_castsi256_si128(center_bottom(v, most, factor)));
  }
}

PRORES_AVX2 void load_packed8(const uint8_t *row, int pixels, int luma_is_high, int16_t *y,
                              int16_t *cb, int16_t *cr) {
  const __m256i high = _mm256_set1_epi16((short)0xFF00);
  for (int i = 0; i < pixels; i += 16) {
    __m256i v = load256(row + 2 * i);
    __m256i a = _mm256_and_si256(v, high), b = _mm256_slli_epi16(v, 8);
    store256(y + i, center_top(luma_is_high ? a : b));
    store_pairs(center_top(luma_is_high ? b : a), cb + i / 2, cr + i / 2);
  }
}

PRORES_AVX2 void load_packed16(const uint8_t *row, int pixels, int16_t *y, int16_t *cb,
                               int16_t *cr) {
  // Luma to the lower half of each lane, Cb and Cr to the upper.
  const __m256i order = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 10, 11, 6, 7, 14, 15, 0, 1,
                                         4, 5, 8, 9, 12, 13, 2, 3, 10, 11, 6, 7, 14, 15);
  for (int i = 0; i < pixels; i += 16) {
    __m256i a = _mm256_shuffle_epi8(center_top(load256(row + 4 * i)), order);
    __m256i b = _mm256_shuffle_epi8(center_top(load256(row + 4 * i + 32)), order);
    __m256i luma = _mm256_permute4x64_epi64(_mm256_unpacklo_epi64(a, b), 0xD8);
    store256(y + i, luma);
    // Double words: Cb Cr of the four lanes in the order a0 b0 a1 b1.
    __m256i chroma = _mm256_unpackhi_epi64(a, b);
    const __m256i sort = _mm256_setr_epi32(0, 4, 2, 6, 1, 5, 3, 7);
    chroma = _mm256_permutevar8x32_epi32(chroma, sort);
    store128(cb + i / 2, _mm256_castsi256_si128(chroma));
    store128(cr + i / 2, _mm256_extracti128_si256(chroma, 1));
  }
}

// Two groups of v210: six pixels in sixteen bytes each. Writes eight luma samples and four of each
// chroma per group, of which six and three are used.
PRORES_AVX2 void load_v210_groups(__m256i v, int16_t *y, int16_t *cb, int16_t *cr, int groups) {
  const __m256i luma_order =
      _mm256_setr_epi8(1, 2, 4, 5, 6, 7, 9, 10, 12, 13, 14, 15, -1, -1, -1, -1, 1, 2, 4, 5, 6, 7, 9,
                       10, 12, 13, 14, 15, -1, -1, -1, -1);
  const __m256i luma_factor =
      _mm256_setr_epi16(16, 64, 4, 16, 64, 4, 0, 0, 16, 64, 4, 16, 64, 4, 0, 0);
  const __m256i chroma_order =
      _mm256_setr_epi8(0, 1, 5, 6, 10, 11, -1, -1, 2, 3, 8, 9, 13, 14, -1, -1, 0, 1, 5, 6, 10, 11,
                       -1, -1, 2, 3, 8, 9, 13, 14, -1, -1);
  const __m256i chroma_factor =
      _mm256_setr_epi16(64, 16, 4, 0, 4, 64, 16, 0, 64, 16, 4, 0, 4, 64, 16, 0);
  const __m256i top = _mm256_set1_epi16((short)0xFFC0);
  __m256i a = _mm256_mullo_epi16(_mm256_shuffle_epi8(v, luma_order), luma_factor);
  __m256i b = _mm256_mullo_epi16(_mm256_shuffle_epi8(v, chroma_order), chroma_factor);
  a = center_top(_mm256_and_si256(a, top));
  b = center_top(_mm256_and_si256(b, top));
  __m128i b0 = _mm256_castsi256_si128(b), b1 = _mm256_extracti128_si256(b, 1);
  store128(y, _mm256_castsi256_si128(a));
  _mm_storel_epi64((__m128i *)cb, b0);
  _mm_storeh_pd((double *)cr, _mm_castsi128_pd(b0));
  if (groups > 1) {
    store128(y + 6, _mm256_extracti128_si256(a, 1));
    _mm_storel_epi64((__m128i *)(cb + 3), b1);
    _mm_storeh_pd((double *)(cr + 3), _mm_castsi128_pd(b1));
  }
}

PRORES_AVX2 void load_v210(const uint8_t *row, int x, int pixels, int16_t *y, int16_t *cb,
                           int16_t *cr) {
  // The first group may begin up to four pixels before the slice; those go to the margin.
  int first = x / 6, last = (x + pixels - 1) / 6, before = x - first * 6;
  y -= before;
  cb -= before / 2;
  cr -= before / 2;
  int group = first;
  for (; group < last; group += 2) {
    load_v210_groups(load256(row + 16 * group), y, cb, cr, 2);
    y += 12;
    cb += 6;
    cr += 6;
  }
  if (group == last) {
    load_v210_groups(_mm256_castsi128_si256(load128(row + 16 * group)), y, cb, cr, 1);
  }
}

// Eight samples from ten bytes; reads sixteen bytes.
PRORES_AVX2 __m128i load_packed10(const uint8_t *from) {
  const __m128i order = _mm_setr_epi8(0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9);
  const __m128i factor = _mm_setr_epi16(64, 16, 4, 1, 64, 16, 4, 1);
  __m128i v = _mm_mullo_epi16(_mm_shuffle_epi8(load128(from), order), factor);
  v = _mm_and_si128(v, _mm_set1_epi16((short)0xFFC0));
  return _mm_srai_epi16(_mm_xor_si128(v, _mm_set1_epi16((short)0x8000)), 2);
}

PRORES_AVX2 __m256i load_packed10_pair(const uint8_t *from, int is_last) {
  uint8_t copy[32] = {0};
  if (is_last) {
    memcpy(copy, from, 20);
    from = copy;
  }
  return _mm256_set_m128i(load_packed10(from + 10), load_packed10(from));
}

PRORES_AVX2 void load_biplanar10(const uint8_t *luma, const uint8_t *chroma, int pixels, int16_t *y,
                                 int16_t *cb, int16_t *cr) {
  for (int i = 0; i < pixels; i += 16) {
    int is_last = i + 16 >= pixels;
    store256(y + i, load_packed10_pair(luma + i * 5 / 4, is_last));
    store_pairs(load_packed10_pair(chroma + i * 5 / 4, is_last), cb + i / 2, cr + i / 2);
  }
}

PRORES_AVX2 void load_row_avx2(const prores_picture *p, const uint8_t *const *rows, int x,
                               int pixels, int16_t *y, int16_t *cb, int16_t *cr) {
  const int chroma_x = p->full_chroma ? x : x / 2, chroma = p->full_chroma ? pixels : pixels / 2;
  switch (p->layout) {
    case PRORES_LAYOUT_PLANAR_8:
      load_bytes(rows[0] + x, y, pixels);
      load_bytes(rows[1] + chroma_x, cb, chroma);
      load_bytes(rows[2] + chroma_x, cr, chroma);
      break;
    case PRORES_LAYOUT_PLANAR_16:
      if (p->shift) {
        load_words_top(rows[0] + 2 * x, y, pixels);
        load_words_top(rows[1] + 2 * chroma_x, cb, chroma);
        load_words_top(rows[2] + 2 * chroma_x, cr, chroma);
      } else {
        const __m256i most = _mm256_set1_epi16((short)((1u << p->depth) - 1));
        const __m256i factor = _mm256_set1_epi16((short)(1u << (14 - p->depth)));
        load_words_bottom(rows[0] + 2 * x, y, pixels, most, factor);
        load_words_bottom(rows[1] + 2 * chroma_x, cb, chroma, most, factor);
        load_words_bottom(rows[2] + 2 * chroma_x, cr, chroma, most, factor);
      }
      break;
    case PRORES_LAYOUT_BIPLANAR_8:
      load_bytes(rows[0] + x, y, pixels);
      for (int i = 0; i < pixels; i += 16) {
        __m256i v = _mm256_cvtepu8_epi16(load128(rows[1] + x + i));
        store_pairs(center_top(_mm256_slli_epi16(v, 8)), cb + i / 2, cr + i / 2);
      }
      break;
    case PRORES_LAYOUT_BIPLANAR_16:
      load_words_top(rows[0] + 2 * x, y, pixels);
      for (int i = 0; i < pixels; i += 16) {
        store_pairs(center_top(load256(rows[1] + 2 * (x + i))), cb + i / 2, cr + i / 2);
      }
      break;
    case PRORES_LAYOUT_BIPLANAR_10_PACKED:
      load_biplanar10(rows[0] + x * 5 / 4, rows[1] + x * 5 / 4, pixels, y, cb, cr);
      break;
    case PRORES_LAYOUT_YUYV_8:
      load_packed8(rows[0] + 2 * x, pixels, 0, y, cb, cr);
      break;
    case PRORES_LAYOUT_UYVY_8:
      load_packed8(rows[0] + 2 * x, pixels, 1, y, cb, cr);
      break;
    case PRORES_LAYOUT_YUYV_16:
      load_packed16(rows[0] + 4 * x, pixels, y, cb, cr);
      break;
    case PRORES_LAYOUT_V210:
      load_v210(rows[0], x, pixels, y, cb, cr);
      break;
  }
}
