#include "CProResDecoding.h"

// Functions for instruction sets that this build lacks.
#if !(defined(__x86_64__) && __has_include("x86/avx2.c"))
const prores_kernels *prores_kernels_avx2(void) { return NULL; }
const prores_decoder_kernels *prores_decoder_kernels_avx2(void) { return NULL; }
#endif
#if !(defined(__x86_64__) && __has_include("x86/avx512.c"))
const prores_kernels *prores_kernels_avx512(void) { return NULL; }
const prores_decoder_kernels *prores_decoder_kernels_avx512(void) { return NULL; }
#endif
#if !(defined(__aarch64__) && __has_include("arm/neon.c"))
const prores_kernels *prores_kernels_neon(void) { return NULL; }
const prores_decoder_kernels *prores_decoder_kernels_neon(void) { return NULL; }
#endif

const prores_kernels *prores_kernels_best(void) {
  const prores_kernels *table = prores_kernels_avx512();
  if (!table) table = prores_kernels_avx2();
  if (!table) table = prores_kernels_neon();
  return table ? table : prores_kernels_portable();
}

const prores_decoder_kernels *prores_decoder_kernels_best(void) {
  const prores_decoder_kernels *table = prores_decoder_kernels_avx512();
  if (!table) table = prores_decoder_kernels_avx2();
  if (!table) table = prores_decoder_kernels_neon();
  return table ? table : prores_decoder_kernels_portable();
}
