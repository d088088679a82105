// The decoder's function table for AVX2 with BMI2 and LZCNT.

#include "CProResDecoding.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)

#include "../internal/code_reader.h"

#define V __m256i
#define V_LANES 16
#define OP(name) _mm256_##name
#define V_LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define V_STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define V_DOT(sum, a, b) _mm256_add_epi32(sum, _mm256_madd_epi16(a, b))
#define V_LOAD_SHARED(n, start, offset) \
  V_LOAD(((start) ? (n)->second_levels : (n)->levels) + (offset))
#define V_STORE_PART(p, v, k)                                            \
  _mm_storeu_si128((__m128i *)(p), (k) == 0 ? _mm256_castsi256_si128(v)  \
                                            : _mm256_extracti128_si256(v, 1))

#include "inverse_x86.h"

static void read(prores_coded *components, size_t count) { prores_read_each(components, count); }

static void inverse(const prores_inversion *inversion) { inverse_all(inversion); }

#pragma clang attribute pop

static const prores_decoder_kernels table = {"avx2", read, inverse};

const prores_decoder_kernels *prores_decoder_kernels_avx2(void) {
  if (!prores_kernels_avx2()) return NULL;
  prores_fill_symbols();
  return &table;
}

#endif
