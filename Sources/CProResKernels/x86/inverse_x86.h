#pragma once

// The inverse transform for vectors of any width. A file that includes this defines
//   V                    the vector type
//   V_LANES              its number of words
//   OP(name)             an intrinsic, by the name common to all widths
//   V_LOAD, V_STORE      unaligned access to words
//   V_DOT(sum, a, b)     the sum plus the products of pairs of words
//   V_LOAD_SHARED(n, start, offset) levels of Cb and Cr that share lanes
//   V_STORE_PART(p, v, k) stores the kth 128 bits
//
// Unpacking and packing stay within 128 bits, so words return to their lanes.

#include "../internal/inverse.h"

#define INVERSE_INLINE static inline __attribute__((always_inline))

INVERSE_INLINE V inverse_pair(int a, int b) {
  return OP(set1_epi32)((int)((uint32_t)(uint16_t)a | (uint32_t)(uint16_t)b << 16));
}

// Eight sums for half of the lanes, from inputs in pairs: 0 and 4, 2 and 6, 1 and 3, 5 and 7.
INVERSE_INLINE void inverse_sums(const V pairs[4], V added, V sums[8]) {
  const V t0 = V_DOT(added, pairs[0], inverse_pair(INVERSE_4, INVERSE_4));
  const V t1 = V_DOT(added, pairs[0], inverse_pair(INVERSE_4, -INVERSE_4));
  const V t2 = OP(madd_epi16)(pairs[1], inverse_pair(INVERSE_2, INVERSE_6));
  const V t3 = OP(madd_epi16)(pairs[1], inverse_pair(INVERSE_6, -INVERSE_2));
  const V e[4] = {OP(add_epi32)(t0, t2), OP(add_epi32)(t1, t3), OP(sub_epi32)(t1, t3),
                  OP(sub_epi32)(t0, t2)};
#define ODD(a, b, c, d)                                                       \
  V_DOT(OP(madd_epi16)(pairs[2], inverse_pair(a, b)), pairs[3], inverse_pair(c, d))
  const V o[4] = {ODD(INVERSE_1, INVERSE_3, INVERSE_5, INVERSE_7),
                  ODD(INVERSE_3, -INVERSE_7, -INVERSE_1, -INVERSE_5),
                  ODD(INVERSE_5, -INVERSE_1, INVERSE_7, INVERSE_3),
                  ODD(INVERSE_7, -INVERSE_5, INVERSE_3, -INVERSE_1)};
#undef ODD
  for (int k = 0; k < 4; k++) {
    sums[k] = OP(add_epi32)(e[k], o[k]);
    sums[7 - k] = OP(sub_epi32)(e[k], o[k]);
  }
}

// The sums for both halves of the lanes.
INVERSE_INLINE void inverse_eight(const V in[8], V added, V low[8], V high[8]) {
  const V low_pairs[4] = {OP(unpacklo_epi16)(in[0], in[4]), OP(unpacklo_epi16)(in[2], in[6]),
                          OP(unpacklo_epi16)(in[1], in[3]), OP(unpacklo_epi16)(in[5], in[7])};
  const V high_pairs[4] = {OP(unpackhi_epi16)(in[0], in[4]), OP(unpackhi_epi16)(in[2], in[6]),
                           OP(unpackhi_epi16)(in[1], in[3]), OP(unpackhi_epi16)(in[5], in[7])};
  inverse_sums(low_pairs, added, low);
  inverse_sums(high_pairs, added, high);
}

// The dequantized levels of a position; if Cr shares the vector, its levels are in the upper half.
INVERSE_INLINE V inverse_levels(const prores_inversion *n, int start, int position) {
  const ptrdiff_t offset = (ptrdiff_t)n->dequantizer->index[position] * n->blocks;
  const V levels = n->second_levels ? V_LOAD_SHARED(n, start, offset)
                                    : V_LOAD(n->levels + offset + start);
  return OP(mullo_epi16)(levels, OP(set1_epi16)((short)n->dequantizer->step[position]));
}

INVERSE_INLINE void inverse_column(const prores_inversion *n, int start, int u, int16_t *middles) {
  V in[8], low[8], high[8];
  for (int v = 0; v < 8; v++) in[v] = inverse_levels(n, start, v * 8 + u);
  inverse_eight(in, OP(set1_epi32)(INVERSE_COLUMN_ROUND), low, high);
  for (int y = 0; y < 8; y++) {
    V_STORE(middles + (y * 8 + u) * PRORES_LANES + start,
            OP(packs_epi32)(OP(srai_epi32)(low[y], INVERSE_COLUMN_SHIFT),
                            OP(srai_epi32)(high[y], INVERSE_COLUMN_SHIFT)));
  }
}

// Transposes 8 by 8 words within each 128 bits.
INVERSE_INLINE void inverse_transpose(V *v) {
  V a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = OP(unpacklo_epi16)(v[2 * i], v[2 * i + 1]);
    a[2 * i + 1] = OP(unpackhi_epi16)(v[2 * i], v[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++) {
    b[4 * i] = OP(unpacklo_epi32)(a[4 * i], a[4 * i + 2]);
    b[4 * i + 1] = OP(unpackhi_epi32)(a[4 * i], a[4 * i + 2]);
    b[4 * i + 2] = OP(unpacklo_epi32)(a[4 * i + 1], a[4 * i + 3]);
    b[4 * i + 3] = OP(unpackhi_epi32)(a[4 * i + 1], a[4 * i + 3]);
  }
  for (int i = 0; i < 4; i++) {
    v[2 * i] = OP(unpacklo_epi64)(b[i], b[i + 4]);
    v[2 * i + 1] = OP(unpackhi_epi64)(b[i], b[i + 4]);
  }
}

// A row of samples for the blocks of `V_LANES` lanes.
INVERSE_INLINE void inverse_row(const int16_t *row, int shift, V added, V least, V most, V *v) {
  V in[8], low[8], high[8];
  for (int u = 0; u < 8; u++) in[u] = V_LOAD(row + u * PRORES_LANES);
  inverse_eight(in, added, low, high);
  for (int x = 0; x < 8; x++) {
    const V words =
        OP(packus_epi32)(OP(srai_epi32)(low[x], shift), OP(srai_epi32)(high[x], shift));
    v[x] = OP(min_epu16)(OP(max_epu16)(words, least), most);
  }
  inverse_transpose(v);
}

INVERSE_INLINE void inverse_rows(const int16_t *middles, const prores_inversion *given,
                                 prores_arrangement arrangement, int depth) {
  prores_inversion target = *given;
  target.arrangement = arrangement;
  const prores_rounding rounding = prores_rounding_of(depth);
  const V added = OP(set1_epi32)(rounding.added);
  const V least = OP(set1_epi16)((short)rounding.least);
  const V most = OP(set1_epi16)((short)rounding.most);
  for (int start = 0; start < PRORES_LANES; start += V_LANES) {
    for (int y = 0; y < 8; y++) {
      V v[8];
      inverse_row(middles + y * 8 * PRORES_LANES + start, rounding.shift, added, least, most,
                  v);
      const ptrdiff_t down = y * target.stride;
      for (int j = 0; j < 8; j++) {
        for (int k = 0; k < V_LANES / 8; k++) {
          V_STORE_PART(prores_block(&target, start + 8 * k + j) + down, v[j], k);
        }
      }
    }
  }
}

INVERSE_INLINE void inverse_all(const prores_inversion *n) {
  _Alignas(64) int16_t middles[64 * PRORES_LANES];
  for (int start = 0; start < PRORES_LANES; start += V_LANES) {
    for (int u = 0; u < n->columns; u++) inverse_column(n, start, u, middles);
    for (int u = n->columns; u < 8; u++) {
      for (int y = 0; y < 8; y++) {
        V_STORE(middles + (y * 8 + u) * PRORES_LANES + start, OP(set1_epi32)(0));
      }
    }
  }
#define ROWS(ARRANGEMENT)                             \
  if (n->depth == 12) {                               \
    inverse_rows(middles, n, ARRANGEMENT, 12);        \
  } else {                                            \
    inverse_rows(middles, n, ARRANGEMENT, 10);        \
  }
  switch (n->arrangement) {
    case PRORES_ARRANGEMENT_LUMA: ROWS(PRORES_ARRANGEMENT_LUMA) break;
    case PRORES_ARRANGEMENT_CHROMA_444: ROWS(PRORES_ARRANGEMENT_CHROMA_444) break;
    case PRORES_ARRANGEMENT_CHROMA_422: ROWS(PRORES_ARRANGEMENT_CHROMA_422) break;
  }
#undef ROWS
}
