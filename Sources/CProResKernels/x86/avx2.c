// AVX2 with BMI2 and LZCNT: on every x86 server and desktop since 2013.

#include "CProResKernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "../internal/constants.h"
#include "../internal/components.h"
#include "../internal/samples.h"

// For each mask of eight lanes, the indices of the selected lanes, in order. It is filled before
// main on every machine, so by code that every machine can run.
static uint64_t lanes_of_mask[256];

__attribute__((constructor)) static void fill_lanes_of_mask(void) {
  for (unsigned mask = 0; mask < 256; mask++) {
    uint64_t lanes = 0;
    unsigned count = 0;
    for (uint64_t lane = 0; lane < 8; lane++) {
      if (mask >> lane & 1) lanes |= lane << (8 * count++);
    }
    lanes_of_mask[mask] = lanes;
  }
}

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)

#include "load_avx2.h"
#include "code_avx2.h"

static void load_row(const prores_picture *picture, const uint8_t *const *rows, int x, int pixels,
                     int16_t *y, int16_t *cb, int16_t *cr) {
  load_row_avx2(picture, rows, x, pixels, y, cb, cr);
}

static void load(const prores_picture *picture, const prores_area *area, int16_t *samples,
                 prores_ahead *ahead) {
  prores_load_slice(picture, area, samples, ahead, load_row);
}

PRORES_INLINE __m256i load_two(const void *low, const void *high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(load128(low)), load128(high), 1);
}

PRORES_INLINE __m256i pair(int a, int b) {
  return _mm256_set1_epi32((int)((uint32_t)(uint16_t)a | (uint32_t)(uint16_t)b << 16));
}

// Sums of products of pairs of words, with 16 bits dropped: words of `lo` and `hi` alternate.
#define SUM2(p, a, b) \
  keep_top(_mm256_madd_epi16(p##_lo, pair(a, b)), _mm256_madd_epi16(p##_hi, pair(a, b)))
#define SUM4(p, q, a, b, c, d)                                      \
  keep_top(_mm256_add_epi32(_mm256_madd_epi16(p##_lo, pair(a, b)),  \
                            _mm256_madd_epi16(q##_lo, pair(c, d))), \
           _mm256_add_epi32(_mm256_madd_epi16(p##_hi, pair(a, b)),  \
                            _mm256_madd_epi16(q##_hi, pair(c, d))))
#define SUM4_ROUND(p, q, a, b, c, d, round)                                                 \
  keep_top(_mm256_add_epi32(_mm256_add_epi32(_mm256_madd_epi16(p##_lo, pair(a, b)),         \
                                             _mm256_madd_epi16(q##_lo, pair(c, d))),        \
                            round),                                                         \
           _mm256_add_epi32(_mm256_add_epi32(_mm256_madd_epi16(p##_hi, pair(a, b)),         \
                                             _mm256_madd_epi16(q##_hi, pair(c, d))),        \
                            round))
#define PAIRS(name, a, b)                                \
  const __m256i name##_lo = _mm256_unpacklo_epi16(a, b); \
  const __m256i name##_hi = _mm256_unpackhi_epi16(a, b)

PRORES_INLINE __m256i keep_top(__m256i lo, __m256i hi) {
  return _mm256_blend_epi16(_mm256_srli_epi32(lo, 16), hi, 0xAA);
}

// Row transform: in[x] is sample x of 16 blocks; with `is_off` samples are off by 8192.
PRORES_INLINE void transform_row(const __m256i *in, int is_off, int16_t *out) {
  const __m256i s0 = _mm256_add_epi16(in[0], in[7]), d0 = _mm256_sub_epi16(in[0], in[7]);
  const __m256i s1 = _mm256_add_epi16(in[1], in[6]), d1 = _mm256_sub_epi16(in[1], in[6]);
  const __m256i s2 = _mm256_add_epi16(in[2], in[5]), d2 = _mm256_sub_epi16(in[2], in[5]);
  const __m256i s3 = _mm256_add_epi16(in[3], in[4]), d3 = _mm256_sub_epi16(in[3], in[4]);
  __m256i e0 = _mm256_add_epi16(s0, s3), e1 = _mm256_add_epi16(s1, s2);
  if (is_off) {
    // Four times that offset.
    const __m256i offset = _mm256_set1_epi16((short)0x8000);
    e0 = _mm256_xor_si256(e0, offset);
    e1 = _mm256_xor_si256(e1, offset);
  }
  const __m256i o0 = _mm256_sub_epi16(s0, s3), o1 = _mm256_sub_epi16(s1, s2);
  enum { STEP = PRORES_LANES };
  {
    PAIRS(e, e0, e1);
    PAIRS(o, o0, o1);
    store256(out + 0 * STEP, SUM2(e, ROW_4, ROW_4));
    store256(out + 4 * STEP, SUM2(e, ROW_4, -ROW_4));
    store256(out + 2 * STEP, SUM2(o, ROW_2, ROW_6));
    store256(out + 6 * STEP, SUM2(o, ROW_6, -ROW_2));
  }
  PAIRS(p, d0, d1);
  PAIRS(q, d2, d3);
  store256(out + 1 * STEP, SUM4(p, q, ROW_1, ROW_3, ROW_5, ROW_7));
  store256(out + 3 * STEP, SUM4(p, q, ROW_3, -ROW_7, -ROW_1, -ROW_5));
  store256(out + 5 * STEP, SUM4(p, q, ROW_5, -ROW_1, ROW_7, ROW_3));
  store256(out + 7 * STEP, SUM4(p, q, ROW_7, -ROW_5, ROW_3, -ROW_1));
}

// Column transform: sums of two inputs take all 16 bits, so the even half is not folded again.
PRORES_INLINE void transform_column(int16_t *out) {
  enum { STEP = 8 * PRORES_LANES };
  __m256i x[8];
  for (int i = 0; i < 8; i++) x[i] = load256(out + i * STEP);
  const __m256i s0 = _mm256_add_epi16(x[0], x[7]), d0 = _mm256_sub_epi16(x[0], x[7]);
  const __m256i s1 = _mm256_add_epi16(x[1], x[6]), d1 = _mm256_sub_epi16(x[1], x[6]);
  const __m256i s2 = _mm256_add_epi16(x[2], x[5]), d2 = _mm256_sub_epi16(x[2], x[5]);
  const __m256i s3 = _mm256_add_epi16(x[3], x[4]), d3 = _mm256_sub_epi16(x[3], x[4]);
  const __m256i first = _mm256_set1_epi32(COLUMN_ROUND_FIRST);
  const __m256i round = _mm256_set1_epi32(COLUMN_ROUND);
  {
    PAIRS(s, s0, s1);
    PAIRS(t, s2, s3);
    store256(out + 0 * STEP,
             SUM4_ROUND(s, t, COLUMN_4, COLUMN_4, COLUMN_4, COLUMN_4, first));
    store256(out + 4 * STEP,
             SUM4_ROUND(s, t, COLUMN_4, -COLUMN_4, -COLUMN_4, COLUMN_4, round));
    store256(out + 2 * STEP,
             SUM4_ROUND(s, t, COLUMN_2, COLUMN_6, -COLUMN_6, -COLUMN_2, round));
    store256(out + 6 * STEP,
             SUM4_ROUND(s, t, COLUMN_6, -COLUMN_2, COLUMN_2, -COLUMN_6, round));
  }
  PAIRS(p, d0, d1);
  PAIRS(q, d2, d3);
  store256(out + 1 * STEP, SUM4_ROUND(p, q, COLUMN_1, COLUMN_3, COLUMN_5, COLUMN_7, round));
  store256(out + 3 * STEP, SUM4_ROUND(p, q, COLUMN_3, -COLUMN_7, -COLUMN_1, -COLUMN_5, round));
  store256(out + 5 * STEP, SUM4_ROUND(p, q, COLUMN_5, -COLUMN_1, COLUMN_7, COLUMN_3, round));
  store256(out + 7 * STEP, SUM4_ROUND(p, q, COLUMN_7, -COLUMN_5, COLUMN_3, -COLUMN_1, round));
}

// Transposes 8 by 8 words within each 128-bit lane.
PRORES_INLINE void transpose(__m256i *v) {
  __m256i a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = _mm256_unpacklo_epi16(v[2 * i], v[2 * i + 1]);
    a[2 * i + 1] = _mm256_unpackhi_epi16(v[2 * i], v[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++) {
    b[4 * i] = _mm256_unpacklo_epi32(a[4 * i], a[4 * i + 2]);
    b[4 * i + 1] = _mm256_unpackhi_epi32(a[4 * i], a[4 * i + 2]);
    b[4 * i + 2] = _mm256_unpacklo_epi32(a[4 * i + 1], a[4 * i + 3]);
    b[4 * i + 3] = _mm256_unpackhi_epi32(a[4 * i + 1], a[4 * i + 3]);
  }
  for (int i = 0; i < 4; i++) {
    v[2 * i] = _mm256_unpacklo_epi64(b[i], b[i + 4]);
    v[2 * i + 1] = _mm256_unpackhi_epi64(b[i], b[i + 4]);
  }
}

// keep_top distributes the words of a lane like a dealer: word e of eight goes to 2e, or 2(e - 4) +
// 1. With blocks inserted at these positions, two such passes leave them in order.
static const uint8_t place_of_block[8] = {0, 2, 4, 6, 1, 3, 5, 7};

// How words are converted to centered samples.
typedef enum word_kind { CENTRED, VALUE_AT_TOP, VALUE_AT_BOTTOM } word_kind;

// How a component's words are stored: contiguously, or alternating with those of the other chroma
// component.
typedef enum word_place { ALONE, FIRST_OF_PAIR, SECOND_OF_PAIR } word_place;

typedef struct word_form {
  word_kind kind;
  word_place place;
  // For values in the lowest bits: the words above the maximum, and the factor that scales values.
  __m256i beyond, factor;
} word_form;

// Words to samples; for uncentered values, off by 8192.
PRORES_INLINE __m256i center(const word_form *form, __m256i v) {
  switch (form->kind) {
    case CENTRED: return v;
    case VALUE_AT_TOP: return _mm256_srli_epi16(v, 2);
    default: return _mm256_mullo_epi16(_mm256_adds_epu16(v, form->beyond), form->factor);
  }
}

// The rows of two blocks, the second of which is 32 samples to the right of the first.
PRORES_INLINE __m256i gather_blocks(const word_form *form, const int16_t *row, ptrdiff_t x) {
  if (form->place == ALONE) return center(form, load_two(row + x, row + x + 32));
  const int16_t *const pairs = row + 2 * x;
  __m256i left = load_two(pairs, pairs + 64), right = load_two(pairs + 8, pairs + 72);
  if (form->place == FIRST_OF_PAIR) {
    left = _mm256_blend_epi16(left, _mm256_setzero_si256(), 0xAA);
    right = _mm256_blend_epi16(right, _mm256_setzero_si256(), 0xAA);
  } else {
    left = _mm256_srli_epi32(left, 16);
    right = _mm256_srli_epi32(right, 16);
  }
  return center(form, _mm256_packus_epi32(left, right));
}

// Prefetches a row for both rows of blocks; as in avx512.c.
PRORES_INLINE void ask_for_rows(const word_form *form, const int16_t *row, ptrdiff_t stride) {
  for (int x = 0; x < (form->place == ALONE ? 64 : 128); x += 32) {
    __builtin_prefetch(row + x);
    __builtin_prefetch(row + 8 * stride + x);
  }
}

// Sixteen blocks, from four macroblocks of luma or eight of a 4:2:2 component; ordered left to
// right, then down, or in chroma down first.
PRORES_INLINE void transform_half(const word_form *form, const int16_t *row, ptrdiff_t stride,
                                  int goes_right, int16_t *coefficients) {
  for (int y = 0; y < 8; y++) {
    __m256i v[8];
    for (int k = 0; k < 4; k++) {
      for (int down = 0; down < 2; down++) {
        int block = goes_right ? (k >> 1) * 4 + down * 2 + (k & 1) : k * 2 + down;
        v[place_of_block[block]] = gather_blocks(form, row + down * 8 * stride, k * 8);
      }
    }
    if (y < 6) ask_for_rows(form, row + 2 * stride, stride);
    row += stride;
    transpose(v);
    transform_row(v, form->kind != CENTRED, coefficients + y * 8 * PRORES_LANES);
  }
  for (int x = 0; x < 8; x++) transform_column(coefficients + x * PRORES_LANES);
}

static void transform(const int16_t *samples, prores_arrangement arrangement,
                      int16_t *coefficients) {
  const word_form form = {.kind = CENTRED};
  const int16_t *row = samples + PRORES_SAMPLE_MARGIN;
  const int second = arrangement == PRORES_ARRANGEMENT_CHROMA_422 ? PRORES_CHROMA_OFFSET : 64;
  for (int half = 0; half < 2; half++) {
    const int16_t *from = row + half * second;
    if (arrangement == PRORES_ARRANGEMENT_LUMA) {
      transform_half(&form, from, PRORES_SAMPLE_STRIDE, 1, coefficients + half * 16);
    } else {
      transform_half(&form, from, PRORES_SAMPLE_STRIDE, 0, coefficients + half * 16);
    }
  }
}

PRORES_INLINE void transform_planes(const prores_picture *p, const prores_area *area,
                                    word_kind kind, int16_t *coefficients) {
  const word_form form = {kind, ALONE, _mm256_set1_epi16((short)-(1 << p->depth)),
                          _mm256_set1_epi16((short)(1u << ((14 - p->depth) & 15)))};
  const int16_t *row = prores_slice_words(p, area, 0);
  for (int half = 0; half < 2; half++) {
    transform_half(&form, row + half * 64, p->strides[0] / 2, 1, coefficients + half * 16);
  }
  if (p->layout == PRORES_LAYOUT_BIPLANAR_16) {
    const word_form cb = {.kind = VALUE_AT_TOP, .place = FIRST_OF_PAIR};
    const word_form cr = {.kind = VALUE_AT_TOP, .place = SECOND_OF_PAIR};
    row = prores_slice_words(p, area, 1);
    coefficients += 64 * PRORES_LANES;
    transform_half(&cb, row, p->strides[1] / 2, 0, coefficients);
    transform_half(&cr, row, p->strides[1] / 2, 0, coefficients + 16);
    return;
  }
  // In 4:2:2 the second half is Cr.
  const int halves = p->full_chroma ? 2 : 1;
  for (int i = 0; i < 2 * halves; i++) {
    const int plane = 1 + i / halves, half = i % halves;
    row = prores_slice_words(p, area, plane) + half * 64;
    transform_half(&form, row, p->strides[plane] / 2, 0,
                   coefficients + 64 * PRORES_LANES * (1 + i / 2) + i % 2 * 16);
  }
}

static int transform_words(const prores_picture *picture, const prores_area *area,
                           int16_t *coefficients, prores_ahead *ahead) {
  if (!prores_is_words(picture) || !prores_is_whole(picture, area)) return 0;
  prores_list_ahead(picture, area, coefficients, ahead);
  if (picture->shift) {
    transform_planes(picture, area, VALUE_AT_TOP, coefficients);
  } else {
    transform_planes(picture, area, VALUE_AT_BOTTOM, coefficients);
  }
  return 1;
}

PRORES_INLINE void quantize_dc(const int16_t *coefficients, const prores_quantizer *q, int16_t *dc,
                               int count) {
  const __m256i half = _mm256_set1_epi32((int)(q->dc_step / 2));
  const __m256i reciprocal = _mm256_set1_epi64x((long long)q->dc_reciprocal);
  for (int i = 0; i < count; i += 8) {
    __m256i value = _mm256_cvtepi16_epi32(load128(coefficients + i));
    __m256i a = _mm256_add_epi32(_mm256_abs_epi32(value), half);
    __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(a, reciprocal), 32);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), reciprocal);
    __m256i level = _mm256_sign_epi32(_mm256_blend_epi32(even, odd, 0xAA), value);
    __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(level, level), 0xD8);
    store128(dc + i, _mm256_castsi256_si128(words));
  }
}

// The levels of sixteen lanes, in order except that the second and third groups of four are
// swapped, so that unpacking restores the order. Returns magnitudes; `words` also has the signs.
PRORES_INLINE __m256i quantize_sixteen(const prores_quantizer *q, int index, const int16_t *row,
                                       __m256i *words) {
  const __m256i value = _mm256_permute4x64_epi64(load256(row), 0xD8);
  const __m256i magnitude = _mm256_mulhi_epu16(
      _mm256_add_epi16(_mm256_abs_epi16(value), _mm256_set1_epi32((int)q->rounding[index])),
      _mm256_set1_epi32((int)q->reciprocal[index]));
  const __m256i sign = _mm256_and_si256(value, _mm256_set1_epi16((short)0x8000));
  *words = _mm256_or_si256(magnitude, sign);
  return magnitude;
}

// A bit for each of 32 lanes with nonzero magnitude.
PRORES_INLINE uint32_t kept_lanes(__m256i low, __m256i high) {
  const __m256i some =
      _mm256_cmpgt_epi8(_mm256_packs_epi16(low, high), _mm256_setzero_si256());
  const uint32_t dealt = (uint32_t)_mm256_movemask_epi8(some);
  return _pdep_u32(dealt, 0x0F0F0F0F) | _pdep_u32(dealt >> 16, 0xF0F0F0F0);
}

PRORES_INLINE uint32_t *list_eight(uint32_t *next, __m256i symbols, uint32_t kept) {
  const __m256i order =
      _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&lanes_of_mask[kept]));
  store256(next, _mm256_permutevar8x32_epi32(symbols, order));
  return next + __builtin_popcount(kept);
}

// The targets for the symbols of a row's lower and upper sixteen lanes; and these lanes' positions
// in the scan, in the same order as the words.
typedef struct listing {
  uint32_t *next[2];
  __m256i places[2], step;
} listing;

// The levels of a row: words of magnitude and sign, and a bit for each nonzero lane.
typedef struct levels {
  __m256i words[2];
  uint32_t kept;
} levels;

PRORES_INLINE levels quantize_row(const int16_t *coefficients, const prores_quantizer *q,
                                  uint32_t lanes, int index, int halves) {
  const int16_t *row = coefficients + q->position[index] * PRORES_LANES;
  levels v = {{_mm256_setzero_si256(), _mm256_setzero_si256()}, 0};
  __m256i magnitudes[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
  for (int half = 0; half < halves; half++) {
    magnitudes[half] = quantize_sixteen(q, index, row + 16 * half, &v.words[half]);
  }
  v.kept = kept_lanes(magnitudes[0], magnitudes[1]) & lanes;
  return v;
}

// Lists the nonzero levels of a row. It is branch-free: skipping parts of rows without nonzero
// levels was no faster in Proxy, where such parts are common, and slower in HQ.
PRORES_INLINE void list_row(listing *l, levels row, int halves, int is_shared) {
  for (int half = 0; half < halves; half++) {
    const uint32_t bits = row.kept >> 16 * half;
    uint32_t **next = &l->next[is_shared ? half : 0];
    const __m256i words = row.words[half], places = l->places[half];
    *next = list_eight(*next, _mm256_unpacklo_epi16(words, places), bits & 0xFF);
    *next = list_eight(*next, _mm256_unpackhi_epi16(words, places), bits >> 8 & 0xFF);
    l->places[half] = _mm256_add_epi16(places, l->step);
  }
}

// Quantizes the lanes of a component, or of two that share rows. A row is listed while the next one
// is quantized.
PRORES_INLINE void list_rows(prores_component *c, uint32_t lanes, int halves, int is_shared,
                             const uint8_t *const *ahead) {
  const __m256i lane = _mm256_setr_epi16(0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15);
  const __m256i step = _mm256_set1_epi16((short)c->blocks);
  const __m256i low = _mm256_add_epi16(lane, step);
  const __m256i high = is_shared ? low : _mm256_add_epi16(low, _mm256_set1_epi16(16));
  listing l = {{c->symbols, is_shared ? c[1].symbols : NULL}, {low, high}, step};
  const int16_t *const coefficients = c->coefficients;
  const prores_quantizer *const q = c->quantizer;
  // The DC row comes first.
  levels waiting = quantize_row(coefficients, q, lanes, 1, halves);
  for (int index = 2;; index += 2) {
    // Prefetch between two rows, which needs no branch.
    for (int i = 0; i <= is_shared; i++) __builtin_prefetch(*ahead++);
    if (index == 64) break;
    const levels next = quantize_row(coefficients, q, lanes, index, halves);
    list_row(&l, waiting, halves, is_shared);
    waiting = quantize_row(coefficients, q, lanes, index + 1, halves);
    list_row(&l, next, halves, is_shared);
  }
  list_row(&l, waiting, halves, is_shared);
  c[0].count = (size_t)(l.next[0] - c[0].symbols);
  if (is_shared) c[1].count = (size_t)(l.next[1] - c[1].symbols);
}

static void quantize(prores_component *components, int32_t count, const uint8_t *const *ahead) {
  for (int32_t i = 0; i < count; i++, ahead += PRORES_AHEAD) {
    prores_component *c = components + i;
    quantize_dc(c->coefficients, c->quantizer, c->dc, c->blocks > 16 ? 32 : c->blocks > 8 ? 16 : 8);
    const uint32_t lanes = ~0u >> (32 - c->blocks);
    if (c->blocks > 16) {
      list_rows(c, ~0u, 2, 0, ahead);
    } else if (i + 1 < count && prores_share_rows(c)) {
      quantize_dc(c[1].coefficients, c[1].quantizer, c[1].dc, c->blocks > 8 ? 16 : 8);
      list_rows(c, lanes | lanes << 16, 2, 1, ahead);
      i++;
      ahead += PRORES_AHEAD;
    } else {
      list_rows(c, lanes, 1, 0, ahead);
    }
  }
}

static const prores_kernels table = {"avx2", load, transform, transform_words, quantize, code};

#pragma clang attribute pop

const prores_kernels *prores_kernels_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                 __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") &&
                 __builtin_cpu_supports("popcnt")
             ? &table
             : NULL;
}

#endif
