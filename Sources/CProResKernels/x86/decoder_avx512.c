// The decoder's function table for AVX-512 with VNNI.

#include "CProResDecoding.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(                                                        \
    __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vnni"))), \
    apply_to = function)

#include "../internal/code_reader.h"

#define V __m512i
#define V_LANES 32
#define OP(name) _mm512_##name
#define V_LOAD(p) _mm512_loadu_si512(p)
#define V_STORE(p, v) _mm512_storeu_si512(p, v)
#define V_DOT(sum, a, b) _mm512_dpwssd_epi32(sum, a, b)
#define V_LOAD_SHARED(n, start, offset)                                                  \
  _mm512_inserti64x4(                                                                    \
      _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)((n)->levels + (offset)))), \
      _mm256_loadu_si256((const __m256i *)((n)->second_levels + (offset))), 1)
#define V_STORE_PART(p, v, k)                                                    \
  _mm_storeu_si128((__m128i *)(p), (k) == 0   ? _mm512_castsi512_si128(v)        \
                                   : (k) == 1 ? _mm512_extracti32x4_epi32(v, 1)  \
                                   : (k) == 2 ? _mm512_extracti32x4_epi32(v, 2)  \
                                              : _mm512_extracti32x4_epi32(v, 3))

#include "inverse_x86.h"

static void read(prores_coded *components, size_t count) { prores_read_each(components, count); }

static void inverse(const prores_inversion *inversion) { inverse_all(inversion); }

#pragma clang attribute pop

static const prores_decoder_kernels table = {"avx512", read, inverse};

const prores_decoder_kernels *prores_decoder_kernels_avx512(void) {
  if (!prores_kernels_avx512()) return NULL;
  prores_fill_symbols();
  return &table;
}

#endif
