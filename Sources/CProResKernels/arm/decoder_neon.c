// The decoder's function table for 64-bit Arm.

#include "CProResDecoding.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#include "../internal/code_reader.h"
#include "../internal/inverse.h"

#define NEON_INLINE static inline __attribute__((always_inline))

// Eight sums in four lanes.
NEON_INLINE void sums(const int16x4_t in[8], int32x4_t added, int32x4_t out[8]) {
#define SUM2(first, a, i, b, j) vmlal_n_s16(vmlal_n_s16(first, in[i], a), in[j], b)
#define PRODUCTS(a, i, b, j) vmlal_n_s16(vmull_n_s16(in[i], a), in[j], b)
  const int32x4_t t0 = SUM2(added, INVERSE_4, 0, INVERSE_4, 4);
  const int32x4_t t1 = SUM2(added, INVERSE_4, 0, -INVERSE_4, 4);
  const int32x4_t t2 = PRODUCTS(INVERSE_2, 2, INVERSE_6, 6);
  const int32x4_t t3 = PRODUCTS(INVERSE_6, 2, -INVERSE_2, 6);
  const int32x4_t e[4] = {vaddq_s32(t0, t2), vaddq_s32(t1, t3), vsubq_s32(t1, t3),
                          vsubq_s32(t0, t2)};
  const int32x4_t o[4] = {
      SUM2(PRODUCTS(INVERSE_1, 1, INVERSE_3, 3), INVERSE_5, 5, INVERSE_7, 7),
      SUM2(PRODUCTS(INVERSE_3, 1, -INVERSE_7, 3), -INVERSE_1, 5, -INVERSE_5, 7),
      SUM2(PRODUCTS(INVERSE_5, 1, -INVERSE_1, 3), INVERSE_7, 5, INVERSE_3, 7),
      SUM2(PRODUCTS(INVERSE_7, 1, -INVERSE_5, 3), INVERSE_3, 5, -INVERSE_1, 7),
  };
#undef SUM2
#undef PRODUCTS
  for (int k = 0; k < 4; k++) {
    out[k] = vaddq_s32(e[k], o[k]);
    out[7 - k] = vsubq_s32(e[k], o[k]);
  }
}

NEON_INLINE void sums_of_halves(const int16x8_t in[8], int32x4_t added, int32x4_t low[8],
                                int32x4_t high[8]) {
  int16x4_t half[8];
  for (int i = 0; i < 8; i++) half[i] = vget_low_s16(in[i]);
  sums(half, added, low);
  for (int i = 0; i < 8; i++) half[i] = vget_high_s16(in[i]);
  sums(half, added, high);
}

// The dequantized levels of eight lanes; if Cb and Cr share lanes, those of Cr begin at lane 16.
NEON_INLINE void column(const prores_inversion *n, int start, int u, int16_t *middles) {
  const int is_second = n->second_levels && start >= PRORES_LANES / 2;
  const int16_t *const levels =
      is_second ? n->second_levels + start - PRORES_LANES / 2 : n->levels + start;
  int16x8_t in[8];
  for (int v = 0; v < 8; v++) {
    const int position = v * 8 + u;
    in[v] = vmulq_n_s16(vld1q_s16(levels + n->dequantizer->index[position] * n->blocks),
                        (int16_t)n->dequantizer->step[position]);
  }
  int32x4_t low[8], high[8];
  sums_of_halves(in, vdupq_n_s32(INVERSE_COLUMN_ROUND), low, high);
  for (int y = 0; y < 8; y++) {
    vst1q_s16(middles + (y * 8 + u) * PRORES_LANES + start,
              vcombine_s16(vqshrn_n_s32(low[y], INVERSE_COLUMN_SHIFT),
                           vqshrn_n_s32(high[y], INVERSE_COLUMN_SHIFT)));
  }
}

NEON_INLINE uint16x8_t wide(uint16x8_t a, uint16x8_t b, int high) {
  const uint32x4_t p = vreinterpretq_u32_u16(a), q = vreinterpretq_u32_u16(b);
  return vreinterpretq_u16_u32(high ? vzip2q_u32(p, q) : vzip1q_u32(p, q));
}

NEON_INLINE uint16x8_t widest(uint16x8_t a, uint16x8_t b, int high) {
  const uint64x2_t p = vreinterpretq_u64_u16(a), q = vreinterpretq_u64_u16(b);
  return vreinterpretq_u16_u64(high ? vzip2q_u64(p, q) : vzip1q_u64(p, q));
}

NEON_INLINE void transpose(uint16x8_t v[8]) {
  uint16x8_t a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = vzip1q_u16(v[2 * i], v[2 * i + 1]);
    a[2 * i + 1] = vzip2q_u16(v[2 * i], v[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++) {
    b[4 * i] = wide(a[4 * i], a[4 * i + 2], 0);
    b[4 * i + 1] = wide(a[4 * i], a[4 * i + 2], 1);
    b[4 * i + 2] = wide(a[4 * i + 1], a[4 * i + 3], 0);
    b[4 * i + 3] = wide(a[4 * i + 1], a[4 * i + 3], 1);
  }
  for (int i = 0; i < 4; i++) {
    v[2 * i] = widest(b[i], b[i + 4], 0);
    v[2 * i + 1] = widest(b[i], b[i + 4], 1);
  }
}

// A row of samples of eight lanes' blocks.
NEON_INLINE void row(const prores_inversion *n, const prores_rounding *rounding, int start, int y,
                     const int16_t *middles) {
  int16x8_t in[8];
  for (int u = 0; u < 8; u++) in[u] = vld1q_s16(middles + (y * 8 + u) * PRORES_LANES + start);
  int32x4_t low[8], high[8];
  sums_of_halves(in, vdupq_n_s32(rounding->added), low, high);
  const int32x4_t shift = vdupq_n_s32(-rounding->shift);
  const uint16x8_t least = vdupq_n_u16((uint16_t)rounding->least);
  const uint16x8_t most = vdupq_n_u16((uint16_t)rounding->most);
  uint16x8_t v[8];
  for (int x = 0; x < 8; x++) {
    const uint16x8_t words = vcombine_u16(vqmovun_s32(vshlq_s32(low[x], shift)),
                                          vqmovun_s32(vshlq_s32(high[x], shift)));
    v[x] = vminq_u16(vmaxq_u16(words, least), most);
  }
  transpose(v);
  for (int j = 0; j < 8; j++) vst1q_u16(prores_block(n, start + j) + y * n->stride, v[j]);
}

static void inverse(const prores_inversion *n) {
  const prores_rounding rounding = prores_rounding_of(n->depth);
  int16_t middles[64 * PRORES_LANES];
  for (int start = 0; start < PRORES_LANES; start += 8) {
    for (int u = 0; u < n->columns; u++) column(n, start, u, middles);
    for (int u = n->columns; u < 8; u++) {
      for (int y = 0; y < 8; y++) {
        vst1q_s16(middles + (y * 8 + u) * PRORES_LANES + start, vdupq_n_s16(0));
      }
    }
    for (int y = 0; y < 8; y++) row(n, &rounding, start, y, middles);
  }
}

static void read(prores_coded *components, size_t count) { prores_read_each(components, count); }

static const prores_decoder_kernels table = {"neon", read, inverse};

const prores_decoder_kernels *prores_decoder_kernels_neon(void) {
  prores_fill_symbols();
  return &table;
}

#endif
