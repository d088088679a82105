#ifndef RAW_VECTORS_H
#define RAW_VECTORS_H

// A loop that is compiled twice, once for AVX2, and chosen when the program is loaded. Both do the
// same operations in the same order, so that results do not depend on the machine.
#if defined(__x86_64__) && defined(__GLIBC__)
#define RAW_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define RAW_VECTORS
#endif

// The lesser of two, neither being NaN: fminf has rules for those, which keep loops from vectors.
static inline float least(float a, float b) { return a < b ? a : b; }
static inline float greatest(float a, float b) { return a > b ? a : b; }
// What is no number becomes `low`.
static inline float bounded(float value, float low, float high) {
  return value >= high ? high : value >= low ? value : low;
}
static inline float clamp01(float value) { return greatest(least(value, 1), 0); }

#endif
