// NEON is available on every 64-bit Arm processor.

#include "CProResKernels.h"

#if defined(__aarch64__)

#include "../internal/bits.h"
#include "../internal/constants.h"
#include "../internal/components.h"
#include "../internal/samples.h"
#include "../internal/stretches.h"
#include "load_neon.h"

static void load_row(const prores_picture *picture, const uint8_t *const *rows, int x, int pixels,
                     int16_t *y, int16_t *cb, int16_t *cr) {
  load_row_neon(picture, rows, x, pixels, y, cb, cr);
}

static void load(const prores_picture *picture, const prores_area *area, int16_t *samples,
                 prores_ahead *ahead) {
  prores_load_slice(picture, area, samples, ahead, load_row);
}

// Eight 32-bit sums.
typedef struct sums {
  int32x4_t low, high;
} sums;

PRORES_INLINE sums multiply(sums start, int16x8_t v, int16_t factor) {
  return (sums){vmlal_n_s16(start.low, vget_low_s16(v), factor),
                vmlal_high_n_s16(start.high, v, factor)};
}

// Drops the low 16 bits.
PRORES_INLINE int16x8_t keep_top(sums s) {
  return vuzp2q_s16(vreinterpretq_s16_s32(s.low), vreinterpretq_s16_s32(s.high));
}

PRORES_INLINE int16x8_t sum2(sums start, const int16x8_t *v, int16_t a, int16_t b) {
  return keep_top(multiply(multiply(start, v[0], a), v[1], b));
}

PRORES_INLINE int16x8_t sum4(sums start, const int16x8_t *v, int16_t a, int16_t b, int16_t c,
                             int16_t d) {
  return keep_top(multiply(multiply(multiply(multiply(start, v[0], a), v[1], b), v[2], c), v[3], d));
}

PRORES_INLINE sums start_at(int32_t value) {
  return (sums){vdupq_n_s32(value), vdupq_n_s32(value)};
}

PRORES_INLINE void fold(const int16x8_t *in, int16x8_t *sum, int16x8_t *difference) {
  for (int i = 0; i < 4; i++) {
    sum[i] = vaddq_s16(in[i], in[7 - i]);
    difference[i] = vsubq_s16(in[i], in[7 - i]);
  }
}

// Row transform: in[x] is sample x of eight blocks.
PRORES_INLINE void transform_row(const int16x8_t *in, int16_t *out) {
  int16x8_t s[4], d[4];
  fold(in, s, d);
  const int16x8_t e[2] = {vaddq_s16(s[0], s[3]), vaddq_s16(s[1], s[2])};
  const int16x8_t o[2] = {vsubq_s16(s[0], s[3]), vsubq_s16(s[1], s[2])};
  const sums zero = start_at(0);
  enum { STEP = 8 * 8 };
  vst1q_s16(out + 0 * STEP, sum2(zero, e, ROW_4, ROW_4));
  vst1q_s16(out + 4 * STEP, sum2(zero, e, ROW_4, -ROW_4));
  vst1q_s16(out + 2 * STEP, sum2(zero, o, ROW_2, ROW_6));
  vst1q_s16(out + 6 * STEP, sum2(zero, o, ROW_6, -ROW_2));
  vst1q_s16(out + 1 * STEP, sum4(zero, d, ROW_1, ROW_3, ROW_5, ROW_7));
  vst1q_s16(out + 3 * STEP, sum4(zero, d, ROW_3, -ROW_7, -ROW_1, -ROW_5));
  vst1q_s16(out + 5 * STEP, sum4(zero, d, ROW_5, -ROW_1, ROW_7, ROW_3));
  vst1q_s16(out + 7 * STEP, sum4(zero, d, ROW_7, -ROW_5, ROW_3, -ROW_1));
}

// Column transform: sums of two inputs take all 16 bits, so the even half is not folded again.
PRORES_INLINE void transform_column(const int16_t *in, int16_t *out) {
  int16x8_t x[8], s[4], d[4];
  for (int i = 0; i < 8; i++) x[i] = vld1q_s16(in + i * 8);
  fold(x, s, d);
  const sums first = start_at(COLUMN_ROUND_FIRST), round = start_at(COLUMN_ROUND);
  enum { STEP = 8 * PRORES_LANES };
  vst1q_s16(out + 0 * STEP, sum4(first, s, COLUMN_4, COLUMN_4, COLUMN_4, COLUMN_4));
  vst1q_s16(out + 4 * STEP, sum4(round, s, COLUMN_4, -COLUMN_4, -COLUMN_4, COLUMN_4));
  vst1q_s16(out + 2 * STEP, sum4(round, s, COLUMN_2, COLUMN_6, -COLUMN_6, -COLUMN_2));
  vst1q_s16(out + 6 * STEP, sum4(round, s, COLUMN_6, -COLUMN_2, COLUMN_2, -COLUMN_6));
  vst1q_s16(out + 1 * STEP, sum4(round, d, COLUMN_1, COLUMN_3, COLUMN_5, COLUMN_7));
  vst1q_s16(out + 3 * STEP, sum4(round, d, COLUMN_3, -COLUMN_7, -COLUMN_1, -COLUMN_5));
  vst1q_s16(out + 5 * STEP, sum4(round, d, COLUMN_5, -COLUMN_1, COLUMN_7, COLUMN_3));
  vst1q_s16(out + 7 * STEP, sum4(round, d, COLUMN_7, -COLUMN_5, COLUMN_3, -COLUMN_1));
}

PRORES_INLINE int16x8_t low64(int16x8_t a, int16x8_t b) {
  return vreinterpretq_s16_s64(vtrn1q_s64(vreinterpretq_s64_s16(a), vreinterpretq_s64_s16(b)));
}
PRORES_INLINE int16x8_t high64(int16x8_t a, int16x8_t b) {
  return vreinterpretq_s16_s64(vtrn2q_s64(vreinterpretq_s64_s16(a), vreinterpretq_s64_s16(b)));
}
PRORES_INLINE int16x8_t even32(int16x8_t a, int16x8_t b) {
  return vreinterpretq_s16_s32(vtrn1q_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)));
}
PRORES_INLINE int16x8_t odd32(int16x8_t a, int16x8_t b) {
  return vreinterpretq_s16_s32(vtrn2q_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)));
}

// Transposes 8 by 8 words.
PRORES_INLINE void transpose(int16x8_t *v) {
  int16x8_t a[8], b[8];
  for (int i = 0; i < 8; i += 2) {
    a[i] = vtrn1q_s16(v[i], v[i + 1]);
    a[i + 1] = vtrn2q_s16(v[i], v[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    b[i] = even32(a[i], a[i + 2]);
    b[i + 1] = even32(a[i + 1], a[i + 3]);
    b[i + 2] = odd32(a[i], a[i + 2]);
    b[i + 3] = odd32(a[i + 1], a[i + 3]);
  }
  for (int i = 0; i < 4; i++) {
    v[i] = low64(b[i], b[i + 4]);
    v[i + 4] = high64(b[i], b[i + 4]);
  }
}

// Transforms eight blocks; `offsets` are the positions of their first samples.
PRORES_INLINE void transform_eight(const int16_t *row, const int *offsets, int16_t *coefficients) {
  int16_t middle[64 * 8];
  for (int y = 0; y < 8; y++) {
    int16x8_t v[8];
    for (int block = 0; block < 8; block++) v[block] = vld1q_s16(row + offsets[block]);
    transpose(v);
    transform_row(v, middle + y * 8);
    row += PRORES_SAMPLE_STRIDE;
  }
  for (int x = 0; x < 8; x++) transform_column(middle + x * 64, coefficients + x * PRORES_LANES);
}

static void transform(const int16_t *samples, prores_arrangement arrangement,
                      int16_t *coefficients) {
  enum { DOWN = 8 * PRORES_SAMPLE_STRIDE };
  // Two macroblocks of luma, two of 4:4:4 chroma, four of a 4:2:2 component.
  static const int luma[8] = {0, 8, DOWN, DOWN + 8, 16, 24, DOWN + 16, DOWN + 24};
  static const int chroma[8] = {0, DOWN, 8, DOWN + 8, 16, DOWN + 16, 24, DOWN + 24};
  const int16_t *row = samples + PRORES_SAMPLE_MARGIN;
  for (int group = 0; group < 4; group++) {
    int16_t *to = coefficients + group * 8;
    if (arrangement == PRORES_ARRANGEMENT_LUMA) {
      transform_eight(row + group * 32, luma, to);
    } else if (arrangement == PRORES_ARRANGEMENT_CHROMA_444) {
      transform_eight(row + group * 32, chroma, to);
    } else {
      transform_eight(row + (group >> 1) * PRORES_CHROMA_OFFSET + (group & 1) * 32, chroma, to);
    }
  }
}

PRORES_INLINE int32x4_t divide_dc(int32x4_t value, const prores_quantizer *q) {
  uint32x4_t a = vaddq_u32(vreinterpretq_u32_s32(vabsq_s32(value)), vdupq_n_u32(q->dc_step / 2));
  uint64x2_t low = vmull_n_u32(vget_low_u32(a), q->dc_reciprocal);
  uint64x2_t high = vmull_high_n_u32(a, q->dc_reciprocal);
  int32x4_t level = vreinterpretq_s32_u32(
      vuzp2q_u32(vreinterpretq_u32_u64(low), vreinterpretq_u32_u64(high)));
  int32x4_t sign = vshrq_n_s32(value, 31);
  return vsubq_s32(veorq_s32(level, sign), sign);
}

PRORES_INLINE void quantize_dc(const int16_t *coefficients, const prores_quantizer *q, int16_t *dc,
                               int count) {
  for (int i = 0; i < count; i += 8) {
    int16x8_t value = vld1q_s16(coefficients + i);
    int32x4_t low = divide_dc(vmovl_s16(vget_low_s16(value)), q);
    int32x4_t high = divide_dc(vmovl_high_s16(value), q);
    vst1q_s16(dc + i, vmovn_high_s32(vmovn_s32(low), high));
  }
}

// For each mask of eight words: the bytes of the selected words, in order, and their number.
static struct packing {
  uint8_t bytes[16];
} packing_of_mask[256];
static uint8_t count_of_mask[256];

__attribute__((constructor)) static void fill_packing(void) {
  for (unsigned mask = 0; mask < 256; mask++) {
    unsigned count = 0;
    for (unsigned word = 0; word < 8; word++) {
      if (!(mask >> word & 1)) continue;
      packing_of_mask[mask].bytes[2 * count] = (uint8_t)(2 * word);
      packing_of_mask[mask].bytes[2 * count + 1] = (uint8_t)(2 * word + 1);
      count++;
    }
    count_of_mask[mask] = (uint8_t)count;
  }
}

static size_t quantize_component(const int16_t *coefficients, int32_t blocks, const prores_quantizer *q,
                                 int16_t *dc, uint32_t *symbols, const uint8_t *const *ahead) {
  quantize_dc(coefficients, q, dc, blocks);
  static const uint16_t lane_bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  static const uint16_t lane_numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  // Lanes beyond the blocks are never selected.
  const unsigned lanes = blocks < 8 ? (1u << blocks) - 1 : 255;
  const uint16x8_t bits = vandq_u16(vld1q_u16(lane_bits), vdupq_n_u16((uint16_t)lanes));
  const uint16x8_t numbers = vld1q_u16(lane_numbers), sign_bit = vdupq_n_u16(0x8000);
  uint32_t *next = symbols;
  for (int32_t index = 1; index < 64; index++) {
    __builtin_prefetch(ahead[index / 2]);
    const int16_t *row = coefficients + q->position[index] * PRORES_LANES;
    const uint16_t reciprocal = (uint16_t)q->reciprocal[index];
    const uint16x8_t rounding = vdupq_n_u16((uint16_t)q->rounding[index]);
    for (int32_t lane = 0; lane < blocks; lane += 8) {
      const int16x8_t value = vld1q_s16(row + lane);
      const uint16x8_t a = vaddq_u16(vreinterpretq_u16_s16(vabsq_s16(value)), rounding);
      const uint32x4_t low = vmull_n_u16(vget_low_u16(a), reciprocal);
      const uint32x4_t high = vmull_high_n_u16(a, reciprocal);
      const uint16x8_t level =
          vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));
      const unsigned mask = vaddvq_u16(vandq_u16(vtstq_u16(level, level), bits));
      if (!mask) continue;
      const uint8x16_t order = vld1q_u8(packing_of_mask[mask].bytes);
      const uint16x8_t words =
          vorrq_u16(level, vandq_u16(vreinterpretq_u16_s16(value), sign_bit));
      const uint16x8_t position =
          vaddq_u16(numbers, vdupq_n_u16((uint16_t)(index * blocks + lane)));
      uint16x8x2_t packed;
      packed.val[0] = vreinterpretq_u16_u8(vqtbl1q_u8(vreinterpretq_u8_u16(words), order));
      packed.val[1] = vreinterpretq_u16_u8(vqtbl1q_u8(vreinterpretq_u8_u16(position), order));
      vst2q_u16((uint16_t *)next, packed);
      next += count_of_mask[mask];
    }
  }
  return (size_t)(next - symbols);
}

// One parameter for each codebook, as a table with a byte per lane.
#define PRORES_RUN_LANES(F)                                                            \
  {F(1, 2, 3), F(3, 0, 1), F(3, 0, 1), F(2, 0, 1), F(2, 0, 1), F(1, 0, 1), F(2, 1, 2), \
   F(2, 1, 2), F(2, 1, 2), F(2, 1, 2), F(1, 1, 2), F(1, 1, 2), F(1, 1, 2), F(1, 1, 2), \
   F(1, 1, 2), F(1, 1, 2)}
#define PRORES_LEVEL_LANES(F) \
  {F(1, 0, 1), F(3, 0, 2), F(2, 0, 1), F(3, 0, 1), F(1, 0, 1), F(1, 1, 2), F(1, 1, 2), \
   F(1, 1, 2), F(1, 1, 2), F(1, 2, 3)}
#define BOOK_LIMIT(quotients, rice, exp) ((quotients) << (rice))
#define BOOK_RICE(quotients, rice, exp) (rice)
#define BOOK_START(quotients, rice, exp) (1 << (exp))
// The constant part of a code word's length, from which twice the leading zeros of its 16 bits are
// subtracted.
#define BOOK_ZEROS(quotients, rice, exp) (31 + (quotients) - (exp))

typedef struct book_tables {
  uint8_t limit[16], rice[16], start[16], zeros[16];
} book_tables;

#define BOOK_TABLES(LANES) \
  {LANES(BOOK_LIMIT), LANES(BOOK_RICE), LANES(BOOK_START), LANES(BOOK_ZEROS)}

// Lane r of the run tables is for a previous run of r - 1; lane 0 for 15 and more.
static const book_tables run_tables = BOOK_TABLES(PRORES_RUN_LANES);
// Lane l of the level tables is for a previous level of l.
static const book_tables level_tables = BOOK_TABLES(PRORES_LEVEL_LANES);

typedef struct books {
  uint8x16_t limit, rice, start, zeros;
} books;

PRORES_INLINE books load_books(const book_tables *t) {
  return (books){vld1q_u8(t->limit), vld1q_u8(t->rice), vld1q_u8(t->start), vld1q_u8(t->zeros)};
}

// Code words and their lengths: of eight values, and of four pairs.
typedef struct words8 {
  uint16x8_t code, length;
} words8;

typedef struct words4 {
  uint32x4_t code, length;
} words4;

PRORES_INLINE uint16x8_t look_up(uint8x16_t table, uint8x16_t which) {
  return vreinterpretq_u16_u8(vqtbl1q_u8(table, which));
}

// Code words of eight values, each with the codebook selected by `which`. Runs and levels are below
// 2^15, so 16 bits hold all of a code word but its leading zeros.
PRORES_INLINE words8 code_words(const books *b, uint16x8_t which, uint16x8_t value) {
  // The index's upper byte selects no lane, which gives zero.
  const uint8x16_t lanes = vreinterpretq_u8_u16(vorrq_u16(which, vdupq_n_u16(0xFF00)));
  const uint16x8_t one = vdupq_n_u16(1);
  const uint16x8_t limit = look_up(b->limit, lanes), rice = look_up(b->rice, lanes);
  const int16x8_t rice_shift = vreinterpretq_s16_u16(rice);
  const uint16x8_t marker = vshlq_u16(one, rice_shift);
  const uint16x8_t rice_code = vorrq_u16(vandq_u16(value, vsubq_u16(marker, one)), marker);
  const uint16x8_t rice_length =
      vaddq_u16(vaddq_u16(vshlq_u16(value, vnegq_s16(rice_shift)), rice), one);
  const uint16x8_t code = vaddq_u16(vsubq_u16(value, limit), look_up(b->start, lanes));
  // Twice the exponent, 15 - zeros, and the codebook's constant.
  const uint16x8_t zeros = vclzq_u16(code);
  const uint16x8_t length = vsubq_u16(look_up(b->zeros, lanes), vaddq_u16(zeros, zeros));
  const uint16x8_t exponential = vcgeq_u16(value, limit);
  return (words8){vbslq_u16(exponential, code, rice_code),
                  vbslq_u16(exponential, length, rice_length)};
}

// Joins code words in pairs.
PRORES_INLINE void join_pairs(words4 w, uint64x2_t *code, uint64x2_t *length) {
  const uint32x4_t zero = vdupq_n_u32(0);
  const uint64x2_t odd_length = vreinterpretq_u64_u32(vtrn2q_u32(w.length, zero));
  const uint64x2_t even_code = vreinterpretq_u64_u32(vtrn1q_u32(w.code, zero));
  *code = vorrq_u64(vshlq_u64(even_code, vreinterpretq_s64_u64(odd_length)),
                    vreinterpretq_u64_u32(vtrn2q_u32(w.code, zero)));
  *length = vaddq_u64(vreinterpretq_u64_u32(vtrn1q_u32(w.length, zero)), odd_length);
}

PRORES_INLINE void store_stretches(prores_stretch *to, uint64x2_t code, uint64x2_t length) {
  uint64x2x2_t both;
  both.val[0] = code;
  both.val[1] = length;
  vst2q_u64((uint64_t *)to, both);
}

// Joins eight code words to two stretches of four, or to four pairs if these would be too long.
PRORES_INLINE prores_stretch *put_stretches(prores_stretch *next, words4 first, words4 second) {
  uint64x2_t code[2], length[2];
  join_pairs(first, &code[0], &length[0]);
  join_pairs(second, &code[1], &length[1]);
  const uint64x2_t later_length = vtrn2q_u64(length[0], length[1]);
  const uint64x2_t four_length = vaddq_u64(vtrn1q_u64(length[0], length[1]), later_length);
  const uint64x2_t four_code =
      vorrq_u64(vshlq_u64(vtrn1q_u64(code[0], code[1]), vreinterpretq_s64_u64(later_length)),
                vtrn2q_u64(code[0], code[1]));
  if (__builtin_expect(vmaxvq_u32(vreinterpretq_u32_u64(four_length)) > PRORES_STRETCH_LIMIT, 0)) {
    store_stretches(next, code[0], length[0]);
    store_stretches(next + 2, code[1], length[1]);
    return next + 4;
  }
  store_stretches(next, four_code, four_length);
  return next + 2;
}

// Levels with signs, and positions, of eight symbols.
PRORES_INLINE uint16x8x2_t load_symbols(const uint32_t *symbols) {
  return vld2q_u16((const uint16_t *)symbols);
}

static size_t code_component(const int16_t *dc, int32_t blocks, uint32_t *symbols, size_t count,
                             uint8_t *bytes, const uint8_t *const *ahead) {
  const uint8_t *const *const last_ahead = ahead + PRORES_AHEAD - 4;
  prores_stretch stretches[PRORES_STRETCHES + PRORES_STRETCH_SLACK];
  prores_stretch *next = stretches;
  prores_bits bits = {0, 0, bytes};
  const books runs = load_books(&run_tables), levels = load_books(&level_tables);
  static const uint16_t numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const uint16x8_t number = vld1q_u16(numbers), one = vdupq_n_u16(1);
  const uint16x8_t magnitude_bits = vdupq_n_u16(0x7FFF);
  prores_code_dc(&bits, dc, blocks);
  prores_write_predecessors(symbols, blocks);
  for (size_t i = 0; i < count; i += 8) {
    if (i % 64 == 0) ahead = prores_ask(ahead, last_ahead);
    const uint16x8x2_t symbol = load_symbols(symbols + i), before = load_symbols(symbols + i - 1);
    // The run plus one, for each symbol and for the previous one.
    const uint16x8_t step = vsubq_u16(symbol.val[1], before.val[1]);
    const uint16x8_t step_before =
        vsubq_u16(before.val[1], load_symbols(symbols + i - 2).val[1]);
    const uint16x8_t run_lane =
        vandq_u16(vminq_u16(step_before, vdupq_n_u16(16)), vdupq_n_u16(15));
    const words8 r = code_words(&runs, run_lane, vsubq_u16(step, one));
    const uint16x8_t level_lane =
        vminq_u16(vandq_u16(before.val[0], magnitude_bits), vdupq_n_u16(9));
    const uint16x8_t level = vandq_u16(symbol.val[0], magnitude_bits);
    const words8 l = code_words(&levels, level_lane, vsubq_u16(level, one));
    // Join run, level and sign to one code word each.
    uint16x8_t tail = vaddq_u16(l.length, one), run_code = r.code;
    uint16x8_t length = vaddq_u16(r.length, tail);
    uint16x8_t tail_code = vorrq_u16(vaddq_u16(l.code, l.code), vshrq_n_u16(symbol.val[0], 15));
    const size_t left = count - i;
    if (__builtin_expect(left < 8, 0)) {
      const uint16x8_t valid = vcltq_u16(number, vdupq_n_u16((uint16_t)left));
      run_code = vandq_u16(run_code, valid);
      tail_code = vandq_u16(tail_code, valid);
      length = vandq_u16(length, valid);
    }
    if (__builtin_expect(vmaxvq_u16(length) > PRORES_PAIRABLE, 0)) {
      for (size_t j = i; j < i + 8 && j < count; j++) *next++ = prores_symbol_stretch(symbols + j);
    } else {
      const int32x4_t low_shift = vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(tail)));
      const int32x4_t high_shift = vreinterpretq_s32_u32(vmovl_high_u16(tail));
      const words4 first = {
          vaddw_u16(vshlq_u32(vmovl_u16(vget_low_u16(run_code)), low_shift),
                    vget_low_u16(tail_code)),
          vmovl_u16(vget_low_u16(length))};
      const words4 second = {
          vaddw_high_u16(vshlq_u32(vmovl_high_u16(run_code), high_shift), tail_code),
          vmovl_high_u16(length)};
      next = put_stretches(next, first, second);
    }
    if (next >= stretches + PRORES_STRETCHES) {
      prores_write_stretches(&bits, stretches, next);
      next = stretches;
    }
  }
  prores_ask_rest(ahead, last_ahead);
  prores_write_stretches(&bits, stretches, next);
  return prores_finish(&bits, bytes);
}

static void quantize(prores_component *components, int32_t count, const uint8_t *const *ahead) {
  prores_quantize_each(components, count, ahead, quantize_component);
}

static size_t code(prores_component *components, int32_t count, uint8_t *bytes,
                   const uint8_t *const *ahead) {
  return prores_code_each(components, count, bytes, ahead, code_component);
}

static const prores_kernels table = {"neon", load, transform, NULL, quantize, code};

const prores_kernels *prores_kernels_neon(void) { return &table; }

#endif
