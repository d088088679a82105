#pragma once

// Slices of v210, read while they are transformed.
//
// A group of six pixels is a 128-bit lane. Pixels come in groups of six and blocks in pairs of
// sixteen pixels, so the first pixel of a pair is the first, third or fifth of its group: its phase
// is 0, 2 or 4.

#include <immintrin.h>

#include "../internal/samples.h"

enum {
  // The most bytes that a slice of 128 pixels can take in a row.
  PRORES_V210_SLICE = 22 * 16,
};

// The positions of a row's eight pairs of blocks: the groups, relative to the slice's first one,
// with which their luma or chroma begins; and the order that moves their words into lanes.
typedef struct v210_slice {
  ptrdiff_t luma_words[8], chroma_words[4];
  const uint16_t *luma_order[4], *chroma_order[4];
  // The double words of the last pair: a row may end with it, and nothing beyond may be read.
  __mmask16 last;
} v210_slice;

// The word of a pixel's luma, and of a pair of pixels' Cb and Cr, relative to its group's first
// word (see `v210_words`).
#define LUMA_WORD(n) ((n) / 6 * 8 + (const char[]){1, 2, 3, 5, 6, 7}[(n) % 6])
#define CB_WORD(n) ((n) / 3 * 8 + (const char[]){0, 3, 5}[(n) % 3])
#define CR_WORD(n) ((n) / 3 * 8 + (const char[]){1, 4, 7}[(n) % 3])
#define EACH_OF_16(WORD, n, more)                                                              \
  WORD(n) + more, WORD(n + 1) + more, WORD(n + 2) + more, WORD(n + 3) + more,                  \
      WORD(n + 4) + more, WORD(n + 5) + more, WORD(n + 6) + more, WORD(n + 7) + more,          \
      WORD(n + 8) + more, WORD(n + 9) + more, WORD(n + 10) + more, WORD(n + 11) + more,        \
      WORD(n + 12) + more, WORD(n + 13) + more, WORD(n + 14) + more, WORD(n + 15) + more
// 64 pixels to the right, the phase is 4 more.
#define LUMA_ORDER(phase) \
  { EACH_OF_16(LUMA_WORD, phase, 0), EACH_OF_16(LUMA_WORD, (phase + 4) % 6, 32) }
#define CHROMA_ORDER(phase) \
  { EACH_OF_16(CB_WORD, phase / 2, 0), EACH_OF_16(CR_WORD, phase / 2, 0) }
static const uint16_t v210_luma_orders[3][32] __attribute__((aligned(64))) = {
    LUMA_ORDER(0), LUMA_ORDER(2), LUMA_ORDER(4)};
static const uint16_t v210_chroma_orders[3][32] __attribute__((aligned(64))) = {
    CHROMA_ORDER(0), CHROMA_ORDER(2), CHROMA_ORDER(4)};
#undef LUMA_WORD
#undef CB_WORD
#undef CR_WORD
#undef EACH_OF_16
#undef LUMA_ORDER
#undef CHROMA_ORDER

// The slice that begins at pixel `x`.
PRORES_INLINE v210_slice v210_slice_at(int x) {
  v210_slice s;
  const int phase = x % 6;
  for (int i = 0; i < 8; i++) s.luma_words[i] = (phase + 16 * i) / 6 * 8;
  for (int i = 0; i < 4; i++) {
    s.chroma_words[i] = (phase + 32 * i) / 6 * 8;
    s.luma_order[i] = v210_luma_orders[(phase + 16 * i) % 6 / 2];
    s.chroma_order[i] = v210_chroma_orders[(phase + 32 * i) % 6 / 2];
  }
  s.last = (phase + 112) % 6 == 4 ? 0xFFFF : 0xFFF;
  return s;
}

// The luma or chroma values in bits 4 to 13 of words, surrounded by others. A double word has three
// values: either the middle one is needed, which is moved to the upper word, or the two outer ones.
PRORES_INLINE __m512i v210_words(__m512i groups, int is_luma) {
  const long long middle = 10, outer = 0x00000004;
  const __m512i doubles = _mm512_set1_epi64(is_luma ? middle : middle << 32);
  const __m512i words = _mm512_set1_epi64(is_luma ? outer << 32 : outer);
  return _mm512_sllv_epi16(_mm512_sllv_epi32(groups, doubles), words);
}

// The values in order, multiplied by sixteen.
PRORES_INLINE __m512i v210_in_order(__m512i first, const uint16_t *order, __m512i second) {
  const __m512i words = _mm512_permutex2var_epi16(first, _mm512_load_si512(order), second);
  return _mm512_and_si512(words, _mm512_set1_epi16(0x3FF0));
}

// Sixteen luma pixels of the `pair`th pair of blocks, and sixteen more 64 pixels to the right.
// `row` is the row's first group.
PRORES_INLINE __m512i v210_luma(const v210_slice *s, const int16_t *row, int pair) {
  const int16_t *const further = row + s->luma_words[pair + 4];
  const __m512i first = _mm512_loadu_si512(row + s->luma_words[pair]);
  const __m512i second = pair == 3 ? _mm512_maskz_loadu_epi32(s->last, further)
                                   : _mm512_loadu_si512(further);
  return v210_in_order(v210_words(first, 1), s->luma_order[pair], v210_words(second, 1));
}

// Sixteen Cb values and the corresponding sixteen Cr values.
PRORES_INLINE __m512i v210_chroma(const v210_slice *s, const int16_t *row, int pair) {
  const int16_t *const groups = row + s->chroma_words[pair];
  const __m512i first = _mm512_loadu_si512(groups);
  const __m512i second = _mm512_zextsi256_si512(
      _mm256_loadu_si256((const __m256i *)(groups + 32)));
  return v210_in_order(v210_words(first, 0), s->chroma_order[pair],
                       v210_words(second, 0));
}
