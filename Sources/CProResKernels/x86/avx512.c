// AVX-512: F, BW, VL, DQ and CD; nothing newer is needed.

#include "CProResKernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "../internal/bits.h"
#include "../internal/constants.h"
#include "../internal/samples.h"
#include "../internal/stretches.h"

#pragma clang attribute push(                                                        \
    __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd"))), \
    apply_to = function)

#include "load_avx2.h"

static void load_row(const prores_picture *picture, const uint8_t *const *rows, int x, int pixels,
                     int16_t *y, int16_t *cb, int16_t *cr) {
  load_row_avx2(picture, rows, x, pixels, y, cb, cr);
}

static void load(const prores_picture *picture, const prores_area *area, int16_t *samples,
                 prores_ahead *ahead) {
  prores_load_slice(picture, area, samples, ahead, load_row);
}

#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)

PRORES_INLINE __m512i pair(int a, int b) {
  return _mm512_set1_epi32((int)((uint32_t)(uint16_t)a | (uint32_t)(uint16_t)b << 16));
}

// Sums of products of two pairs of words, 16 bits dropped: words of `lo` and `hi` in turn.
#define SUM2(p, a, b)                                                                        \
  keep_top(_mm512_madd_epi16(p##_lo, pair(a, b)), _mm512_madd_epi16(p##_hi, pair(a, b)))
#define SUM4(p, q, a, b, c, d, round)                                                        \
  keep_top(_mm512_add_epi32(_mm512_add_epi32(_mm512_madd_epi16(p##_lo, pair(a, b)),          \
                                             _mm512_madd_epi16(q##_lo, pair(c, d))),         \
                            round),                                                          \
           _mm512_add_epi32(_mm512_add_epi32(_mm512_madd_epi16(p##_hi, pair(a, b)),          \
                                             _mm512_madd_epi16(q##_hi, pair(c, d))),         \
                            round))
#define SUM4_CUT(p, q, a, b, c, d)                                                           \
  keep_top(_mm512_add_epi32(_mm512_madd_epi16(p##_lo, pair(a, b)),                           \
                            _mm512_madd_epi16(q##_lo, pair(c, d))),                          \
           _mm512_add_epi32(_mm512_madd_epi16(p##_hi, pair(a, b)),                           \
                            _mm512_madd_epi16(q##_hi, pair(c, d))))
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

// One row of blocks 8 apart: the blocks that share a place in the four lanes of 128 bits.
PRORES_INLINE __m512i gather_blocks(const int16_t *row, int split) {
  __m512i v = _mm512_castsi128_si512(load128(row));
  v = _mm512_inserti32x4(v, load128(row + 32), 1);
  v = _mm512_inserti32x4(v, load128(row + 64 + split), 2);
  return _mm512_inserti32x4(v, load128(row + 96 + split), 3);
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
  for (int y = 0; y < 8; y++) {
    __m512i v[8];
    for (int k = 0; k < 4; k++) {
      for (int down = 0; down < 2; down++) {
        int block = is_luma ? (k >> 1) * 4 + down * 2 + (k & 1) : k * 2 + down;
        v[place_of_block[block]] =
            gather_blocks(row + k * 8 + down * 8 * PRORES_SAMPLE_STRIDE, split);
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

// The parameters of sixteen codebooks, one a lane.
typedef struct books {
  __m512i limit, rice, one, addend, zeros;
} books;

// Each parameter of a codebook for the lanes of a table.
#define PRORES_RUN_LANES(F)                                                                   \
  {F(1, 2, 3), F(3, 0, 1), F(3, 0, 1), F(2, 0, 1), F(2, 0, 1), F(1, 0, 1), F(2, 1, 2),        \
   F(2, 1, 2), F(2, 1, 2), F(2, 1, 2), F(1, 1, 2), F(1, 1, 2), F(1, 1, 2), F(1, 1, 2),        \
   F(1, 1, 2), F(1, 1, 2)}
#define PRORES_LEVEL_LANES(F)                                                                 \
  {F(1, 0, 1), F(3, 0, 2), F(2, 0, 1), F(3, 0, 1), F(1, 0, 1), F(1, 1, 2), F(1, 1, 2),        \
   F(1, 1, 2), F(1, 1, 2), F(1, 2, 3), F(1, 2, 3), F(1, 2, 3), F(1, 2, 3), F(1, 2, 3),        \
   F(1, 2, 3), F(1, 2, 3)}
#define PRORES_DC_LANES(F) {F(1, 0, 1), F(1, 1, 2), F(2, 2, 3), F(1, 3, 4), F(1, 5, 6)}
#define BOOK_LIMIT(quotients, rice, exp) ((quotients) << (rice))
#define BOOK_RICE(quotients, rice, exp) (rice)
#define BOOK_ONE(quotients, rice, exp) (1 << (rice))
#define BOOK_ADDEND(quotients, rice, exp) ((1 << (exp)) - ((quotients) << (rice)))
#define BOOK_ZEROS(quotients, rice, exp) (62 + (quotients) - (exp))

typedef struct book_tables {
  _Alignas(64) int32_t limit[16];
  _Alignas(64) int32_t rice[16];
  _Alignas(64) int32_t one[16];
  _Alignas(64) int32_t addend[16];
  _Alignas(64) int32_t zeros[16];
} book_tables;

#define BOOK_TABLES(LANES) \
  {LANES(BOOK_LIMIT), LANES(BOOK_RICE), LANES(BOOK_ONE), LANES(BOOK_ADDEND), LANES(BOOK_ZEROS)}

// Lane r of the run books is for a run of r - 1 before; lane 0 for 15 and more.
static const book_tables run_tables = BOOK_TABLES(PRORES_RUN_LANES);
// Lane l of the level books is for a level of l before.
static const book_tables level_tables = BOOK_TABLES(PRORES_LEVEL_LANES);
// Lane d of the DC books is for a difference of d before; lane 4 for the first level.
static const book_tables dc_tables = BOOK_TABLES(PRORES_DC_LANES);

PRORES_INLINE books load_books(const book_tables *t) {
  return (books){LOAD(t->limit), LOAD(t->rice), LOAD(t->one), LOAD(t->addend), LOAD(t->zeros)};
}

typedef struct words16 {
  __m512i code, length;
} words16;

// Code words of sixteen values, each with the codebook that `which` names; lengths less one.
PRORES_INLINE words16 code_words(const books *b, __m512i which, __m512i value) {
  const __m512i limit = _mm512_permutexvar_epi32(which, b->limit);
  const __m512i rice = _mm512_permutexvar_epi32(which, b->rice);
  const __m512i one = _mm512_permutexvar_epi32(which, b->one);
  const __m512i addend = _mm512_permutexvar_epi32(which, b->addend);
  const __m512i zeros = _mm512_permutexvar_epi32(which, b->zeros);
  const __mmask16 exponential = _mm512_cmpge_epu32_mask(value, limit);
  const __m512i ones = _mm512_set1_epi32(-1);
  words16 w;
  // (value & (one - 1)) | one
  w.code = _mm512_ternarylogic_epi32(value, _mm512_add_epi32(one, ones), one, 0xEA);
  w.code = _mm512_mask_add_epi32(w.code, exponential, value, addend);
  w.length = _mm512_add_epi32(_mm512_srlv_epi32(value, rice), rice);
  const __m512i leading = _mm512_lzcnt_epi32(w.code);
  w.length = _mm512_mask_sub_epi32(w.length, exponential, zeros, _mm512_add_epi32(leading, leading));
  return w;
}

// Joins sixteen code words to eight pairs, and those to four stretches of four, or where these
// would be too long leaves them pairs.
PRORES_INLINE prores_stretch *put_stretches(prores_stretch *next, __m512i code, __m512i length) {
  const __m512i low_dword = _mm512_set1_epi64(0xFFFFFFFF);
  const __m512i odd_length = _mm512_srli_epi64(length, 32);
  const __m512i pair_length = _mm512_add_epi64(_mm512_and_si512(length, low_dword), odd_length);
  const __m512i pair_code =
      _mm512_or_si512(_mm512_sllv_epi64(_mm512_and_si512(code, low_dword), odd_length),
                      _mm512_srli_epi64(code, 32));
  const __m512i later_length = _mm512_unpackhi_epi64(pair_length, pair_length);
  const __m512i later_code = _mm512_unpackhi_epi64(pair_code, pair_code);
  const __m512i four_length = _mm512_add_epi64(pair_length, later_length);
  const __m512i four_code =
      _mm512_or_si512(_mm512_sllv_epi64(pair_code, later_length), later_code);
  if (__builtin_expect(_mm512_mask_cmpgt_epu64_mask(0x55, four_length,
                                                    _mm512_set1_epi64(PRORES_STRETCH_LIMIT)) != 0,
                       0)) {
    const __m512i lower = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i upper = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    STORE(next, _mm512_permutex2var_epi64(pair_code, lower, pair_length));
    STORE(next + 4, _mm512_permutex2var_epi64(pair_code, upper, pair_length));
    return next + 8;
  }
  STORE(next, _mm512_unpacklo_epi64(four_code, four_length));
  return next + 4;
}

// DC levels; NULL where a code word is too long for pairs.
PRORES_INLINE prores_stretch *put_dc(prores_stretch *next, const int16_t *dc, int32_t blocks) {
  const books dc_books = load_books(&dc_tables);
  const __m512i three = _mm512_set1_epi32(3);
  for (int32_t i = 0; i < blocks; i += 16) {
    // Lanes before the first block: no difference, so that the first one's is its level.
    const __mmask16 valid = blocks - i < 16 ? (__mmask16)((1u << (blocks - i)) - 1) : 0xFFFF;
    __m512i level = _mm512_cvtepi16_epi32(load256(dc + i));
    __m512i level1 = _mm512_cvtepi16_epi32(load256(dc + i - 1));
    __m512i level2 = _mm512_cvtepi16_epi32(load256(dc + i - 2));
    __m512i difference = _mm512_sub_epi32(level, level1);
    __m512i difference1 = _mm512_sub_epi32(level1, level2);
    __m512i which = _mm512_min_epu32(_mm512_abs_epi32(difference1), three);
    if (i == 0) {
      // The first level has a book of its own and no sign before it; nor has the second.
      const __m512i zero = _mm512_setzero_si512();
      difference = _mm512_mask_mov_epi32(difference, 1, level);
      difference1 = _mm512_mask_mov_epi32(difference1, 3, zero);
      which = _mm512_mask_mov_epi32(which, 1, _mm512_set1_epi32(4));
      which = _mm512_mask_mov_epi32(which, 2, three);
    }
    __m512i sign = _mm512_srai_epi32(difference1, 31);
    __m512i relative = _mm512_sub_epi32(_mm512_xor_si512(difference, sign), sign);
    __m512i value = _mm512_xor_si512(_mm512_add_epi32(relative, relative),
                                     _mm512_srai_epi32(relative, 31));
    words16 w = code_words(&dc_books, which, value);
    w.length = _mm512_maskz_add_epi32(valid, w.length, _mm512_set1_epi32(1));
    w.code = _mm512_maskz_mov_epi32(valid, w.code);
    if (_mm512_cmpgt_epu32_mask(w.length, _mm512_set1_epi32(PRORES_PAIRABLE))) return NULL;
    next = put_stretches(next, w.code, w.length);
  }
  return next;
}

static size_t code(const int16_t *dc, int32_t blocks, uint32_t *symbols, size_t count,
                   uint8_t *bytes) {
  _Alignas(64) prores_stretch stretches[PRORES_STRETCHES + PRORES_STRETCH_SLACK];
  _Alignas(64) int16_t levels[PRORES_LANES + 32];
  prores_stretch *next = stretches;
  prores_bits bits = {0, 0, bytes};
  // A copy with room before the first level.
  for (int32_t i = 0; i < blocks; i += 16) store256(levels + 16 + i, load256(dc + i));
  _mm_storeu_si32(levels + 14, _mm_setzero_si128());
  next = put_dc(next, levels + 16, blocks);
  if (!next) {
    prores_code_dc(&bits, dc, blocks);
    next = stretches;
  }
  const books run_books = load_books(&run_tables), level_books = load_books(&level_tables);
  const __m512i sixteen = _mm512_set1_epi32(16), nine = _mm512_set1_epi32(9);
  const __m512i one = _mm512_set1_epi32(1), ones = _mm512_set1_epi32(-1);
  prores_write_predecessors(symbols, blocks);
  const __m512i magnitude_bits = _mm512_set1_epi32(0x7FFF), two = _mm512_set1_epi32(2);
  for (size_t i = 0; i < count; i += 16) {
    const __m512i symbol = LOAD(symbols + i), before = LOAD(symbols + i - 1);
    // Positions are the upper words: one more than the run to each, and to the one before.
    const __m512i step = _mm512_srli_epi32(_mm512_sub_epi16(symbol, before), 16);
    const __m512i step_before =
        _mm512_srli_epi32(_mm512_sub_epi16(before, LOAD(symbols + i - 2)), 16);
    const __m512i level = _mm512_and_si512(symbol, magnitude_bits);
    const __m512i level_before = _mm512_and_si512(before, magnitude_bits);
    words16 r = code_words(&run_books, _mm512_min_epu32(step_before, sixteen),
                           _mm512_add_epi32(step, ones));
    words16 l = code_words(&level_books, _mm512_min_epu32(level_before, nine),
                           _mm512_add_epi32(level, ones));
    // Lengths are one short; a sign follows.
    const __m512i tail = _mm512_add_epi32(l.length, two);
    __m512i length = _mm512_sub_epi32(_mm512_add_epi32(r.length, tail), ones);
    __m512i joined = _mm512_ternarylogic_epi32(
        _mm512_sllv_epi32(r.code, tail), _mm512_add_epi32(l.code, l.code),
        _mm512_and_si512(_mm512_srli_epi32(symbol, 15), one), 0xFE);
    if (__builtin_expect(count - i < 16, 0)) {
      const __mmask16 mask = (__mmask16)((1u << (count - i)) - 1);
      length = _mm512_maskz_mov_epi32(mask, length);
      joined = _mm512_maskz_mov_epi32(mask, joined);
    }
    if (__builtin_expect(_mm512_cmpgt_epu32_mask(length, _mm512_set1_epi32(PRORES_PAIRABLE)) != 0, 0)) {
      next = prores_put_plainly(next, symbols + i, count - i < 16 ? count - i : 16);
    } else {
      next = put_stretches(next, joined, length);
    }
    if (next >= stretches + PRORES_STRETCHES) {
      prores_write_stretches(&bits, stretches, next);
      next = stretches;
    }
  }
  prores_write_stretches(&bits, stretches, next);
  return prores_finish(&bits, bytes);
}

static const prores_kernels table = {"avx512", load, transform, quantize, code};

#pragma clang attribute pop

const prores_kernels *prores_kernels_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                 __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2")
             ? &table
             : NULL;
}

#endif
