// AVX-512 with VNNI: Cascade Lake, Ice Lake, Zen 4 and later.

#include "CProResKernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "../internal/bits.h"
#include "../internal/constants.h"
#include "../internal/samples.h"

#pragma clang attribute push(                                                        \
    __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vnni"))), \
    apply_to = function)

#include "load_avx2.h"

// A sum and products of pairs of words. In assembly, since a compiler makes two instructions of it
// where it counts latency; here it is ports that count.
PRORES_INLINE __m512i dot(__m512i sum, __m512i a, __m512i b) {
  __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
  return sum;
}

#include "code_avx512.h"

static void load_row(const prores_picture *picture, const uint8_t *const *rows, int x, int pixels,
                     int16_t *y, int16_t *cb, int16_t *cr) {
  load_row_avx2(picture, rows, x, pixels, y, cb, cr);
}

// Words about the middle, from 16 bits with the value at the top or at the bottom.
typedef struct word_form {
  int is_top;
  __m512i most, factor;
} word_form;

PRORES_INLINE __m512i centre(const word_form *form, __m512i v) {
  if (form->is_top) {
    return _mm512_srai_epi16(_mm512_xor_si512(v, _mm512_set1_epi16((short)0x8000)), 2);
  }
  v = _mm512_mullo_epi16(_mm512_min_epu16(v, form->most), form->factor);
  return _mm512_sub_epi16(v, _mm512_set1_epi16(8192));
}

// Sixteen rows of a plane of words; below the last row it is repeated.
PRORES_INLINE void load_words(const word_form *form, const uint8_t *from, ptrdiff_t stride,
                              int rows, int16_t *to, int count) {
  const int whole = count & ~31;
  const __mmask32 rest = (1u << (count & 31)) - 1;
  for (int r = 0; r < 16; r++) {
    for (int i = 0; i < whole; i += 32) {
      _mm512_storeu_si512(to + i, centre(form, _mm512_loadu_si512(from + 2 * i)));
    }
    if (rest) {
      __m512i v = _mm512_maskz_loadu_epi16(rest, from + 2 * whole);
      _mm512_mask_storeu_epi16(to + whole, rest, centre(form, v));
    }
    if (r + 1 < rows) from += stride;
    to += PRORES_SAMPLE_STRIDE;
  }
}

PRORES_INLINE void load_planar_words(const prores_picture *p, const prores_area *area,
                                     int16_t *samples, int is_top) {
  const word_form form = {is_top, _mm512_set1_epi16((short)((1u << p->depth) - 1)),
                          _mm512_set1_epi16((short)(1u << (14 - p->depth) % 16))};
  const int rows = p->height - area->row * 16;
  const int chroma_shift = p->full_chroma ? 0 : 1, pixels = area->macroblocks * 16;
  for (int i = 0; i < 3; i++) {
    const int shift = i ? chroma_shift : 0;
    int16_t *to = samples + PRORES_SAMPLE_MARGIN + i * PRORES_SAMPLE_PLANE;
    if (i == 2 && chroma_shift) to += PRORES_CHROMA_OFFSET - PRORES_SAMPLE_PLANE;
    load_words(&form,
               p->planes[i] + area->row * 16 * p->strides[i] + (area->column * 16 >> shift) * 2,
               p->strides[i], rows, to, pixels >> shift);
  }
}

static void load(const prores_picture *picture, const prores_area *area, int16_t *samples,
                 prores_ahead *ahead) {
  if (prores_is_plain_words(picture, area)) {
    prores_list_ahead(picture, area, samples, ahead);
    if (picture->shift) {
      load_planar_words(picture, area, samples, 1);
    } else {
      load_planar_words(picture, area, samples, 0);
    }
  } else {
    prores_load_slice(picture, area, samples, ahead, load_row);
  }
}

#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)

PRORES_INLINE __m512i pair(int a, int b) {
  return _mm512_set1_epi32((int)((uint32_t)(uint16_t)a | (uint32_t)(uint16_t)b << 16));
}

// Sums of products of two or four words, 16 bits dropped: words of `lo` and `hi` in turn.
#define SUM2(p, a, b)                                                                        \
  keep_top(_mm512_madd_epi16(p##_lo, pair(a, b)), _mm512_madd_epi16(p##_hi, pair(a, b)))
#define SUM4(p, q, a, b, c, d, round)                                                        \
  keep_top(dot(dot(round, p##_lo, pair(a, b)), q##_lo, pair(c, d)),                          \
           dot(dot(round, p##_hi, pair(a, b)), q##_hi, pair(c, d)))
#define SUM4_CUT(p, q, a, b, c, d)                                                           \
  keep_top(dot(_mm512_madd_epi16(p##_lo, pair(a, b)), q##_lo, pair(c, d)),                   \
           dot(_mm512_madd_epi16(p##_hi, pair(a, b)), q##_hi, pair(c, d)))
#define PAIRS(name, a, b)                               \
  const __m512i name##_lo = _mm512_unpacklo_epi16(a, b); \
  const __m512i name##_hi = _mm512_unpackhi_epi16(a, b)

PRORES_INLINE __m512i keep_top(__m512i lo, __m512i hi) {
  return _mm512_mask_blend_epi16(0xAAAAAAAAu, _mm512_srli_epi32(lo, 16), hi);
}

// Rows: in[x] has sample x of 32 blocks.
PRORES_INLINE void transform_row(const __m512i *in, int16_t *out) {
  const __m512i s0 = _mm512_add_epi16(in[0], in[7]), d0 = _mm512_sub_epi16(in[0], in[7]);
  const __m512i s1 = _mm512_add_epi16(in[1], in[6]), d1 = _mm512_sub_epi16(in[1], in[6]);
  const __m512i s2 = _mm512_add_epi16(in[2], in[5]), d2 = _mm512_sub_epi16(in[2], in[5]);
  const __m512i s3 = _mm512_add_epi16(in[3], in[4]), d3 = _mm512_sub_epi16(in[3], in[4]);
  const __m512i e0 = _mm512_add_epi16(s0, s3), e1 = _mm512_add_epi16(s1, s2);
  const __m512i o0 = _mm512_sub_epi16(s0, s3), o1 = _mm512_sub_epi16(s1, s2);
  PAIRS(e, e0, e1);
  PAIRS(o, o0, o1);
  PAIRS(p, d0, d1);
  PAIRS(q, d2, d3);
  enum { STEP = 8 * PRORES_LANES };
  STORE(out + 0 * STEP, SUM2(e, ROW_4, ROW_4));
  STORE(out + 4 * STEP, SUM2(e, ROW_4, -ROW_4));
  STORE(out + 2 * STEP, SUM2(o, ROW_2, ROW_6));
  STORE(out + 6 * STEP, SUM2(o, ROW_6, -ROW_2));
  STORE(out + 1 * STEP, SUM4_CUT(p, q, ROW_1, ROW_3, ROW_5, ROW_7));
  STORE(out + 3 * STEP, SUM4_CUT(p, q, ROW_3, -ROW_7, -ROW_1, -ROW_5));
  STORE(out + 5 * STEP, SUM4_CUT(p, q, ROW_5, -ROW_1, ROW_7, ROW_3));
  STORE(out + 7 * STEP, SUM4_CUT(p, q, ROW_7, -ROW_5, ROW_3, -ROW_1));
}

// Columns: sums of two inputs fill 16 bits, so the even half is not folded again.
PRORES_INLINE void transform_column(const int16_t *in, int16_t *out) {
  __m512i x[8];
  for (int i = 0; i < 8; i++) x[i] = LOAD(in + i * PRORES_LANES);
  const __m512i s0 = _mm512_add_epi16(x[0], x[7]), d0 = _mm512_sub_epi16(x[0], x[7]);
  const __m512i s1 = _mm512_add_epi16(x[1], x[6]), d1 = _mm512_sub_epi16(x[1], x[6]);
  const __m512i s2 = _mm512_add_epi16(x[2], x[5]), d2 = _mm512_sub_epi16(x[2], x[5]);
  const __m512i s3 = _mm512_add_epi16(x[3], x[4]), d3 = _mm512_sub_epi16(x[3], x[4]);
  PAIRS(s, s0, s1);
  PAIRS(t, s2, s3);
  PAIRS(p, d0, d1);
  PAIRS(q, d2, d3);
  const __m512i first = _mm512_set1_epi32(COLUMN_ROUND_FIRST);
  const __m512i round = _mm512_set1_epi32(COLUMN_ROUND);
  enum { STEP = 8 * PRORES_LANES };
  STORE(out + 0 * STEP, SUM4(s, t, COLUMN_4, COLUMN_4, COLUMN_4, COLUMN_4, first));
  STORE(out + 4 * STEP, SUM4(s, t, COLUMN_4, -COLUMN_4, -COLUMN_4, COLUMN_4, round));
  STORE(out + 2 * STEP, SUM4(s, t, COLUMN_2, COLUMN_6, -COLUMN_6, -COLUMN_2, round));
  STORE(out + 6 * STEP, SUM4(s, t, COLUMN_6, -COLUMN_2, COLUMN_2, -COLUMN_6, round));
  STORE(out + 1 * STEP, SUM4(p, q, COLUMN_1, COLUMN_3, COLUMN_5, COLUMN_7, round));
  STORE(out + 3 * STEP, SUM4(p, q, COLUMN_3, -COLUMN_7, -COLUMN_1, -COLUMN_5, round));
  STORE(out + 5 * STEP, SUM4(p, q, COLUMN_5, -COLUMN_1, COLUMN_7, COLUMN_3, round));
  STORE(out + 7 * STEP, SUM4(p, q, COLUMN_7, -COLUMN_5, COLUMN_3, -COLUMN_1, round));
}

// Masks of lanes of 128 bits. A compiler that knows them makes insertions of masked loads, which
// take the port of the shuffles.
typedef struct lane_masks {
  __mmask16 second, third, fourth;
} lane_masks;

PRORES_INLINE lane_masks make_lane_masks(void) {
  lane_masks m = {0x00F0, 0x0F00, 0xF000};
  __asm__("" : "+Yk"(m.second), "+Yk"(m.third), "+Yk"(m.fourth));
  return m;
}

// One row of blocks 8 apart: the blocks that share a place in the four lanes of 128 bits.
PRORES_INLINE __m512i gather_blocks(const lane_masks *m, const int16_t *row, int split) {
  __m512i v = _mm512_castsi128_si512(load128(row));
  v = _mm512_mask_broadcast_i32x4(v, m->second, load128(row + 32));
  v = _mm512_mask_broadcast_i32x4(v, m->third, load128(row + 64 + split));
  return _mm512_mask_broadcast_i32x4(v, m->fourth, load128(row + 96 + split));
}

// Eight by eight words within each lane of 128 bits.
PRORES_INLINE void transpose(__m512i *v) {
  __m512i a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = _mm512_unpacklo_epi16(v[2 * i], v[2 * i + 1]);
    a[2 * i + 1] = _mm512_unpackhi_epi16(v[2 * i], v[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++) {
    b[4 * i] = _mm512_unpacklo_epi32(a[4 * i], a[4 * i + 2]);
    b[4 * i + 1] = _mm512_unpackhi_epi32(a[4 * i], a[4 * i + 2]);
    b[4 * i + 2] = _mm512_unpacklo_epi32(a[4 * i + 1], a[4 * i + 3]);
    b[4 * i + 3] = _mm512_unpackhi_epi32(a[4 * i + 1], a[4 * i + 3]);
  }
  for (int i = 0; i < 4; i++) {
    v[2 * i] = _mm512_unpacklo_epi64(b[i], b[i + 4]);
    v[2 * i + 1] = _mm512_unpackhi_epi64(b[i], b[i + 4]);
  }
}

// keep_top deals lanes like cards: word e of eight goes to 2e, or 2(e - 4) + 1. Two passes of
// that, and the blocks put in at these places, give the blocks in order.
static const uint8_t place_of_block[8] = {0, 2, 4, 6, 1, 3, 5, 7};

PRORES_INLINE void transform_arranged(const int16_t *samples, int is_luma, int split,
                                      int16_t *coefficients) {
  _Alignas(64) int16_t middle[64 * PRORES_LANES];
  const int16_t *row = samples + PRORES_SAMPLE_MARGIN;
  const lane_masks masks = make_lane_masks();
  for (int y = 0; y < 8; y++) {
    __m512i v[8];
    for (int k = 0; k < 4; k++) {
      for (int down = 0; down < 2; down++) {
        int block = is_luma ? (k >> 1) * 4 + down * 2 + (k & 1) : k * 2 + down;
        v[place_of_block[block]] =
            gather_blocks(&masks, row + k * 8 + down * 8 * PRORES_SAMPLE_STRIDE, split);
      }
    }
    transpose(v);
    transform_row(v, middle + y * PRORES_LANES);
    row += PRORES_SAMPLE_STRIDE;
  }
  for (int x = 0; x < 8; x++) {
    transform_column(middle + x * 8 * PRORES_LANES, coefficients + x * PRORES_LANES);
  }
}

static void transform(const int16_t *samples, prores_arrangement arrangement,
                      int16_t *coefficients) {
  switch (arrangement) {
    case PRORES_ARRANGEMENT_LUMA:
      transform_arranged(samples, 1, 0, coefficients);
      break;
    case PRORES_ARRANGEMENT_CHROMA_444:
      transform_arranged(samples, 0, 0, coefficients);
      break;
    case PRORES_ARRANGEMENT_CHROMA_422:
      transform_arranged(samples, 0, PRORES_CHROMA_OFFSET - 64, coefficients);
      break;
  }
}

PRORES_INLINE void quantize_dc(const int16_t *coefficients, const prores_quantizer *q,
                               int16_t *dc, int count) {
  const __m512i half = _mm512_set1_epi32((int)(q->dc_step / 2));
  const __m512i reciprocal = _mm512_set1_epi64((long long)q->dc_reciprocal);
  for (int i = 0; i < count; i += 16) {
    __m512i value = _mm512_cvtepi16_epi32(load256(coefficients + i));
    __m512i a = _mm512_add_epi32(_mm512_abs_epi32(value), half);
    __m512i even = _mm512_srli_epi64(_mm512_mul_epu32(a, reciprocal), 32);
    __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), reciprocal);
    __m512i level = _mm512_mask_blend_epi32(0xAAAA, even, odd);
    __mmask16 negative = _mm512_movepi32_mask(value);
    level = _mm512_mask_sub_epi32(level, negative, _mm512_setzero_si512(), level);
    store256(dc + i, _mm512_cvtepi32_epi16(level));
  }
}

PRORES_INLINE uint32_t *put_symbols(uint32_t *next, __m256i words, __m512i position,
                                    __mmask16 mask) {
  __m512i symbols = _mm512_or_si512(_mm512_cvtepu16_epi32(words), position);
  STORE(next, _mm512_maskz_compress_epi32(mask, symbols));
  return next + __builtin_popcount(mask);
}

static size_t quantize(const int16_t *coefficients, int32_t blocks, const prores_quantizer *q,
                       int16_t *dc, uint32_t *symbols, const uint8_t *const *ahead) {
  const int wide = blocks > 16;
  quantize_dc(coefficients, q, dc, wide ? 32 : 16);
  const uint32_t lanes = blocks == 32 ? ~0u : (1u << blocks) - 1;
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i step = _mm512_set1_epi32((int)((uint32_t)blocks << 16));
  const __m512i sixteen = _mm512_set1_epi32(16 << 16);
  const __m512i sign = _mm512_set1_epi16((short)0x8000);
  __m512i position = _mm512_slli_epi32(lane, 16);
  uint32_t *next = symbols;
  if (wide) {
    for (int index = 1; index < 64; index++) {
      __builtin_prefetch(ahead[index]);
      position = _mm512_add_epi32(position, step);
      __m512i value = LOAD(coefficients + q->position[index] * PRORES_LANES);
      __m512i level = _mm512_mulhi_epu16(
          _mm512_add_epi16(_mm512_abs_epi16(value), _mm512_set1_epi32((int)q->rounding[index])),
          _mm512_set1_epi32((int)q->reciprocal[index]));
      uint32_t mask = _mm512_mask_test_epi16_mask(lanes, level, level);
      if (!mask) continue;
      __m512i words = _mm512_ternarylogic_epi32(level, value, sign, 0xF8);
      next = put_symbols(next, _mm512_castsi512_si256(words), position, (__mmask16)mask);
      next = put_symbols(next, _mm512_extracti64x4_epi64(words, 1),
                         _mm512_add_epi32(position, sixteen), (__mmask16)(mask >> 16));
    }
  } else {
    for (int index = 1; index < 64; index++) {
      __builtin_prefetch(ahead[index]);
      position = _mm512_add_epi32(position, step);
      __m256i value = load256(coefficients + q->position[index] * PRORES_LANES);
      __m256i level = _mm256_mulhi_epu16(
          _mm256_add_epi16(_mm256_abs_epi16(value), _mm256_set1_epi32((int)q->rounding[index])),
          _mm256_set1_epi32((int)q->reciprocal[index]));
      __mmask16 mask = _mm256_mask_test_epi16_mask((__mmask16)lanes, level, level);
      if (!mask) continue;
      __m256i words = _mm256_ternarylogic_epi32(level, value, _mm512_castsi512_si256(sign), 0xF8);
      next = put_symbols(next, words, position, mask);
    }
  }
  return (size_t)(next - symbols);
}

static const prores_kernels table = {"avx512", load, transform, quantize, code};

#pragma clang attribute pop

const prores_kernels *prores_kernels_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                 __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vnni") &&
                 __builtin_cpu_supports("bmi2")
             ? &table
             : NULL;
}

#endif
