// AVX-512 with VNNI: Cascade Lake, Ice Lake, Zen 4 and later.

#include "CProResKernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "../internal/bits.h"
#include "../internal/components.h"
#include "../internal/constants.h"
#include "../internal/samples.h"

#pragma clang attribute push(                                                        \
    __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vnni"))), \
    apply_to = function)

#include "load_avx2.h"

// Adds the products of pairs of words to a sum. In assembly, because compilers split it into two
// instructions to reduce latency, but execution ports are the bottleneck here.
PRORES_INLINE __m512i dot(__m512i sum, __m512i a, __m512i b) {
  __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
  return sum;
}

#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)

#include "code_avx512.h"

#include "load_avx512.h"
#include "v210_avx512.h"

static void load_row(const prores_picture *picture, const uint8_t *const *rows, int x, int pixels,
                     int16_t *y, int16_t *cb, int16_t *cr) {
  if (picture->layout == PRORES_LAYOUT_BIPLANAR_16) {
    load_biplanar16_wide(rows[0] + 2 * x, rows[1] + 2 * x, pixels, y, cb, cr);
  } else {
    load_row_avx2(picture, rows, x, pixels, y, cb, cr);
  }
}

static void load(const prores_picture *picture, const prores_area *area, int16_t *samples,
                 prores_ahead *ahead) {
  prores_load_slice(picture, area, samples, ahead, load_row);
}

PRORES_INLINE __m512i pair(int a, int b) {
  return _mm512_set1_epi32((int)((uint32_t)(uint16_t)a | (uint32_t)(uint16_t)b << 16));
}

// Sums of products of two or four words, with 16 bits dropped: words of `lo` and `hi` alternate.
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

// The upper words of the double words in `lo` and in `hi`, alternating. In assembly, because
// compilers turn it into a permutation that takes three times as long.
PRORES_INLINE __m512i keep_top(__m512i lo, __m512i hi) {
  const __m512i upper = _mm512_broadcast_i32x4(
      _mm_setr_epi8(2, 3, -1, -1, 6, 7, -1, -1, 10, 11, -1, -1, 14, 15, -1, -1));
  const __mmask64 low_words = 0x3333333333333333;
  __asm__("vpshufb %3, %2, %0 %{%1%}" : "+v"(hi) : "Yk"(low_words), "v"(lo), "v"(upper));
  return hi;
}

// Row transform: in[x] is sample x of 32 blocks; with `is_off` samples are off by 8192.
PRORES_INLINE void transform_row(const __m512i *in, int is_off, int16_t *out) {
  const __m512i s0 = _mm512_add_epi16(in[0], in[7]), d0 = _mm512_sub_epi16(in[0], in[7]);
  const __m512i s1 = _mm512_add_epi16(in[1], in[6]), d1 = _mm512_sub_epi16(in[1], in[6]);
  const __m512i s2 = _mm512_add_epi16(in[2], in[5]), d2 = _mm512_sub_epi16(in[2], in[5]);
  const __m512i s3 = _mm512_add_epi16(in[3], in[4]), d3 = _mm512_sub_epi16(in[3], in[4]);
  __m512i e0 = _mm512_add_epi16(s0, s3), e1 = _mm512_add_epi16(s1, s2);
  if (is_off) {
    // Four times that offset.
    const __m512i offset = _mm512_set1_epi16((short)0x8000);
    e0 = _mm512_xor_si512(e0, offset);
    e1 = _mm512_xor_si512(e1, offset);
  }
  const __m512i o0 = _mm512_sub_epi16(s0, s3), o1 = _mm512_sub_epi16(s1, s2);
  PAIRS(e, e0, e1);
  PAIRS(o, o0, o1);
  PAIRS(p, d0, d1);
  PAIRS(q, d2, d3);
  enum { STEP = PRORES_LANES };
  STORE(out + 0 * STEP, SUM2(e, ROW_4, ROW_4));
  STORE(out + 4 * STEP, SUM2(e, ROW_4, -ROW_4));
  STORE(out + 2 * STEP, SUM2(o, ROW_2, ROW_6));
  STORE(out + 6 * STEP, SUM2(o, ROW_6, -ROW_2));
  STORE(out + 1 * STEP, SUM4_CUT(p, q, ROW_1, ROW_3, ROW_5, ROW_7));
  STORE(out + 3 * STEP, SUM4_CUT(p, q, ROW_3, -ROW_7, -ROW_1, -ROW_5));
  STORE(out + 5 * STEP, SUM4_CUT(p, q, ROW_5, -ROW_1, ROW_7, ROW_3));
  STORE(out + 7 * STEP, SUM4_CUT(p, q, ROW_7, -ROW_5, ROW_3, -ROW_1));
}

// Column transform: sums of two inputs take all 16 bits, so the even half is not folded again.
PRORES_INLINE void transform_column(int16_t *out) {
  enum { STEP = 8 * PRORES_LANES };
  __m512i x[8];
  for (int i = 0; i < 8; i++) x[i] = LOAD(out + i * STEP);
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
  STORE(out + 0 * STEP, SUM4(s, t, COLUMN_4, COLUMN_4, COLUMN_4, COLUMN_4, first));
  STORE(out + 4 * STEP, SUM4(s, t, COLUMN_4, -COLUMN_4, -COLUMN_4, COLUMN_4, round));
  STORE(out + 2 * STEP, SUM4(s, t, COLUMN_2, COLUMN_6, -COLUMN_6, -COLUMN_2, round));
  STORE(out + 6 * STEP, SUM4(s, t, COLUMN_6, -COLUMN_2, COLUMN_2, -COLUMN_6, round));
  STORE(out + 1 * STEP, SUM4(p, q, COLUMN_1, COLUMN_3, COLUMN_5, COLUMN_7, round));
  STORE(out + 3 * STEP, SUM4(p, q, COLUMN_3, -COLUMN_7, -COLUMN_1, -COLUMN_5, round));
  STORE(out + 5 * STEP, SUM4(p, q, COLUMN_5, -COLUMN_1, COLUMN_7, COLUMN_3, round));
  STORE(out + 7 * STEP, SUM4(p, q, COLUMN_7, -COLUMN_5, COLUMN_3, -COLUMN_1, round));
}

// How words are converted to centered samples.
typedef enum word_kind { CENTRED, OFF_CENTRE, VALUE_AT_TOP, VALUE_AT_BOTTOM } word_kind;

// How a component is stored in a row: contiguously; with Cb and Cr alternating, where Cb goes to
// lanes 0 to 15 and Cr to the others; or in groups of v210.
typedef enum component_form { ALONE, IN_TURNS, V210_LUMA, V210_CHROMA } component_form;

// A component's samples: those for lanes 0 to 15, and for lanes 16 to 31. If Cb and Cr alternate,
// `second` points to the later ones; for v210 only `first` is used.
typedef struct component {
  const int16_t *first, *second;
  // Words from one row to the next.
  ptrdiff_t stride;
  word_kind kind;
  component_form form;
  // For values in the lowest bits: the words above the maximum, and the factor that scales values.
  __m512i beyond, factor;
  const v210_slice *groups;
} component;

// Words to samples; except for centered words, off by 8192.
PRORES_INLINE __m512i center(const component *c, __m512i v) {
  switch (c->kind) {
    case CENTRED:
    case OFF_CENTRE: return v;
    case VALUE_AT_TOP: return _mm512_srli_epi16(v, 2);
    default: return _mm512_mullo_epi16(_mm512_adds_epu16(v, c->beyond), c->factor);
  }
}

// A row of four blocks: the `pair`th pair of neighbors in the first half of the row, and the pair at
// the same position in the second half.
PRORES_INLINE __m512i gather_blocks(const component *c, int pair, ptrdiff_t row) {
  const int16_t *const first = c->first + row * c->stride;
  const ptrdiff_t x = pair * 16;
  switch (c->form) {
    case V210_LUMA: return v210_luma(c->groups, first, pair);
    case V210_CHROMA: return v210_chroma(c->groups, first, pair);
    case IN_TURNS: return center(c, _mm512_permutexvar_epi16(split_pairs(), LOAD(first + 2 * x)));
    case ALONE: break;
  }
  const __m512i low = _mm512_zextsi256_si512(load256(first + x));
  return center(c, _mm512_inserti64x4(low, load256(c->second + x + row * c->stride), 1));
}

// Alternating double or quad words, like unpacking, but of neighboring 128-bit lanes of one vector
// instead of one lane of two: neighbors in a row become neighbors in a lane, and the lanes of the
// two vectors alternate.
PRORES_INLINE __m512i unpack_across_32(__m512i a, __m512i b, int high) {
  const __m512i low = _mm512_setr_epi32(0, 4, 1, 5, 16, 20, 17, 21, 8, 12, 9, 13, 24, 28, 25, 29);
  const __m512i top = _mm512_setr_epi32(2, 6, 3, 7, 18, 22, 19, 23, 10, 14, 11, 15, 26, 30, 27, 31);
  return _mm512_permutex2var_epi32(a, high ? top : low, b);
}

PRORES_INLINE __m512i unpack_across_64(__m512i a, __m512i b, int high) {
  const __m512i low = _mm512_setr_epi64(0, 2, 8, 10, 4, 6, 12, 14);
  const __m512i top = _mm512_setr_epi64(1, 3, 9, 11, 5, 7, 13, 15);
  return _mm512_permutex2var_epi64(a, high ? top : low, b);
}

// Transposes 8 by 8 words within each 128-bit lane, and puts the lanes' blocks in order.
PRORES_INLINE void transpose(__m512i *v, int goes_right) {
  __m512i a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = _mm512_unpacklo_epi16(v[2 * i], v[2 * i + 1]);
    a[2 * i + 1] = _mm512_unpackhi_epi16(v[2 * i], v[2 * i + 1]);
  }
  for (int i = 0; i < 4; i++) {
    const __m512i first = a[(i & 2) * 2 + (i & 1)], second = a[(i & 2) * 2 + (i & 1) + 2];
    b[2 * i] =
        goes_right ? unpack_across_32(first, second, 0) : _mm512_unpacklo_epi32(first, second);
    b[2 * i + 1] =
        goes_right ? unpack_across_32(first, second, 1) : _mm512_unpackhi_epi32(first, second);
  }
  for (int i = 0; i < 4; i++) {
    v[2 * i] =
        goes_right ? _mm512_unpacklo_epi64(b[i], b[i + 4]) : unpack_across_64(b[i], b[i + 4], 0);
    v[2 * i + 1] =
        goes_right ? _mm512_unpackhi_epi64(b[i], b[i + 4]) : unpack_across_64(b[i], b[i + 4], 1);
  }
}

// Row `y` of 32 blocks, ordered left to right, then down, or in chroma down first. keep_top
// distributes the words of a lane like a dealer: word e of eight goes to 2e, or 2(e - 4) + 1. Two
// such passes, the transposition, and the positions at which rows are inserted leave the blocks in
// order.
PRORES_INLINE void gather_row(const component *c, int goes_right, int y, __m512i *v) {
  for (int i = 0; i < 8; i++) {
    const int down = goes_right ? i >> 2 : i >> 1 & 1;
    const int across = goes_right ? i & 3 : (i >> 2) * 2 + (i & 1);
    v[i] = gather_blocks(c, across, down * 8 + y);
  }
}

// Prefetches rows that are needed soon: lines prefetched while the previous slice was coded have
// often been evicted from the first-level cache.
PRORES_INLINE void ask_for_rows(const component *c, int y) {
  // For v210, luma has prefetched everything.
  if (c->form == V210_CHROMA) return;
  for (int down = y; down < 16; down += 8) {
    if (c->form == V210_LUMA) {
      for (int x = 0; x < PRORES_V210_SLICE / 2; x += 32) {
        __builtin_prefetch(c->first + down * c->stride + x);
      }
      continue;
    }
    for (int x = 0; x < 64; x += 32) {
      __builtin_prefetch(c->first + down * c->stride + x);
      __builtin_prefetch(c->second + down * c->stride + x);
    }
  }
}

// Each row is loaded before the one above it is processed.
PRORES_INLINE void transform_component(const component *c, int goes_right,
                                       int16_t *coefficients) {
  const int is_off = c->kind != CENTRED;
  __m512i v[8], below[8];
  gather_row(c, goes_right, 0, v);
  transpose(v, goes_right);
  for (int y = 1; y < 8; y++) {
    gather_row(c, goes_right, y, below);
    if (y < 6) ask_for_rows(c, y + 2);
    transform_row(v, is_off, coefficients);
    transpose(below, goes_right);
    memcpy(v, below, sizeof v);
    coefficients += 8 * PRORES_LANES;
  }
  transform_row(v, is_off, coefficients);
  coefficients -= 7 * 8 * PRORES_LANES;
  for (int x = 0; x < 8; x++) transform_column(coefficients + x * PRORES_LANES);
}

static void transform(const int16_t *samples, prores_arrangement arrangement,
                      int16_t *coefficients) {
  component c = {.first = samples + PRORES_SAMPLE_MARGIN, .stride = PRORES_SAMPLE_STRIDE,
                 .kind = CENTRED};
  c.second =
      c.first + (arrangement == PRORES_ARRANGEMENT_CHROMA_422 ? PRORES_CHROMA_OFFSET : 64);
  if (arrangement == PRORES_ARRANGEMENT_LUMA) {
    transform_component(&c, 1, coefficients);
  } else {
    transform_component(&c, 0, coefficients);
  }
}

PRORES_INLINE void transform_planes(const prores_picture *p, const prores_area *area,
                                    word_kind kind, int is_biplanar, int16_t *coefficients) {
  component c = {.kind = kind, .beyond = _mm512_set1_epi16((short)-(1 << p->depth)),
                 .factor = _mm512_set1_epi16((short)(1u << ((14 - p->depth) & 15)))};
  c.first = prores_slice_words(p, area, 0);
  c.second = c.first + 64;
  c.stride = p->strides[0] / 2;
  transform_component(&c, 1, coefficients);
  c.form = is_biplanar ? IN_TURNS : ALONE;
  for (int plane = 1; plane < 3; plane++) {
    coefficients += 64 * PRORES_LANES;
    c.first = prores_slice_words(p, area, plane);
    c.second = p->full_chroma || is_biplanar ? c.first + 64 : prores_slice_words(p, area, 2);
    c.stride = p->strides[plane] / 2;
    transform_component(&c, 0, coefficients);
    if (!p->full_chroma) break;
  }
}

PRORES_INLINE void transform_v210(const prores_picture *p, const prores_area *area,
                                  int16_t *coefficients) {
  const int x = area->column * 16;
  const v210_slice groups = v210_slice_at(x);
  component c = {.kind = OFF_CENTRE, .form = V210_LUMA, .groups = &groups,
                 .stride = p->strides[0] / 2};
  c.first = (const int16_t *)(p->planes[0] + area->row * 16 * p->strides[0]) + x / 6 * 8;
  transform_component(&c, 1, coefficients);
  c.form = V210_CHROMA;
  transform_component(&c, 0, coefficients + 64 * PRORES_LANES);
}

static int transform_words(const prores_picture *picture, const prores_area *area,
                           int16_t *coefficients, prores_ahead *ahead) {
  const int is_v210 = picture->layout == PRORES_LAYOUT_V210;
  if (!(is_v210 || prores_is_words(picture)) || !prores_is_whole(picture, area)) return 0;
  prores_list_ahead(picture, area, coefficients, ahead);
  if (is_v210) {
    transform_v210(picture, area, coefficients);
  } else if (!picture->shift) {
    transform_planes(picture, area, VALUE_AT_BOTTOM, 0, coefficients);
  } else if (picture->layout == PRORES_LAYOUT_BIPLANAR_16) {
    transform_planes(picture, area, VALUE_AT_TOP, 1, coefficients);
  } else {
    transform_planes(picture, area, VALUE_AT_TOP, 0, coefficients);
  }
  return 1;
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

// The targets for the symbols of a row's lower and upper sixteen lanes, if rows are shared, and the
// scan positions of the row's words, in the order that unpacking needs.
typedef struct listing {
  uint32_t *low, *high;
  __m512i places, step;
} listing;

// The levels of a row: words of magnitude and sign, and a mask of the nonzero ones.
typedef struct levels {
  __m512i words;
  __mmask32 kept;
} levels;

PRORES_INLINE levels quantize_row(const int16_t *coefficients, const prores_quantizer *q,
                                  __mmask32 lanes, int index) {
  const int16_t *row = coefficients + q->position[index] * PRORES_LANES;
  const __m512i value = _mm512_maskz_loadu_epi16(lanes, row);
  const __m512i level = _mm512_mulhi_epu16(
      _mm512_add_epi16(_mm512_abs_epi16(value), _mm512_set1_epi32((int)q->rounding[index])),
      _mm512_set1_epi32((int)q->reciprocal[index]));
  return (levels){
      _mm512_ternarylogic_epi32(level, value, _mm512_set1_epi16((short)0x8000), 0xF8),
      _mm512_test_epi16_mask(level, level)};
}

// Lists the nonzero levels of a row. It is branch-free: skipping parts of rows without nonzero
// levels was no faster in Proxy, where such parts are common, and slower in HQ.
PRORES_INLINE void list_row(listing *l, levels row, int is_shared) {
  const __m512i dealt =
      _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), row.words);
  const __m512i low = _mm512_unpacklo_epi16(dealt, l->places);
  const __m512i high = _mm512_unpackhi_epi16(dealt, l->places);
  l->places = _mm512_add_epi16(l->places, l->step);
  const uint32_t kept = row.kept;
  uint32_t *const after_low = l->low + __builtin_popcount(kept & 0xFFFF);
  STORE(l->low, _mm512_maskz_compress_epi32((__mmask16)kept, low));
  STORE(is_shared ? l->high : after_low,
        _mm512_maskz_compress_epi32((__mmask16)_kshiftri_mask32(kept, 16), high));
  if (is_shared) {
    l->high += __builtin_popcount(kept >> 16);
    l->low = after_low;
  } else {
    l->low += __builtin_popcount(kept);
  }
}

// Quantizes the lanes of a component, or of two that share rows. A row is listed while the next one
// is quantized.
PRORES_INLINE void list_rows(prores_component *c, __mmask32 lanes, int is_shared,
                             const uint8_t *const *ahead) {
  const __m512i lane =
      _mm512_set_epi16(31, 30, 29, 28, 15, 14, 13, 12, 27, 26, 25, 24, 11, 10, 9, 8, 23, 22, 21, 20,
                       7, 6, 5, 4, 19, 18, 17, 16, 3, 2, 1, 0);
  const __m512i step = _mm512_set1_epi16((short)c->blocks);
  const __m512i first = is_shared ? _mm512_and_si512(lane, _mm512_set1_epi16(15)) : lane;
  listing l = {c->symbols, is_shared ? c[1].symbols : NULL, _mm512_add_epi16(first, step), step};
  const int16_t *const coefficients = c->coefficients;
  const prores_quantizer *const q = c->quantizer;
  // The DC row comes first.
  levels waiting = quantize_row(coefficients, q, lanes, 1);
  for (int index = 2;; index += 2) {
    // Prefetch between two rows, which needs no branch.
    for (int i = 0; i <= is_shared; i++) __builtin_prefetch(*ahead++);
    if (index == 64) break;
    const levels next = quantize_row(coefficients, q, lanes, index);
    list_row(&l, waiting, is_shared);
    waiting = quantize_row(coefficients, q, lanes, index + 1);
    list_row(&l, next, is_shared);
  }
  list_row(&l, waiting, is_shared);
  c[0].count = (size_t)(l.low - c[0].symbols);
  if (is_shared) c[1].count = (size_t)(l.high - c[1].symbols);
}

static void quantize(prores_component *components, int32_t count, const uint8_t *const *ahead) {
  for (int32_t i = 0; i < count; i++, ahead += PRORES_AHEAD) {
    prores_component *c = components + i;
    quantize_dc(c->coefficients, c->quantizer, c->dc, c->blocks > 16 ? 32 : 16);
    const __mmask32 lanes = ~0u >> (32 - c->blocks);
    if (c->blocks > 16) {
      list_rows(c, ~0u, 0, ahead);
    } else if (i + 1 < count && prores_share_rows(c)) {
      quantize_dc(c[1].coefficients, c[1].quantizer, c[1].dc, 16);
      list_rows(c, lanes | lanes << 16, 1, ahead);
      i++;
      ahead += PRORES_AHEAD;
    } else {
      list_rows(c, lanes, 0, ahead);
    }
  }
}

static const prores_kernels table = {"avx512", load, transform, transform_words, quantize, code};

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
