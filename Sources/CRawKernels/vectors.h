#ifndef RAW_VECTORS_H
#define RAW_VECTORS_H

// A loop compiled twice, once for AVX2; the version is selected when the program is loaded. Both do
// the same operations in the same order, so results do not depend on the machine.
#if defined(__x86_64__) && defined(__GLIBC__)
#define RAW_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define RAW_VECTORS
#endif

// The lesser of two numbers, neither of which may be NaN: fminf's rules for NaN prevent
// vectorization.
static inline float least(float a, float b) { return a < b ? a : b; }
static inline float greatest(float a, float b) { return a > b ? a : b; }
// Clamps to a range; NaN becomes `low`.
static inline float bounded(float value, float low, float high) {
  return value >= high ? high : value >= low ? value : low;
}
static inline float clamp01(float value) { return greatest(least(value, 1), 0); }

#endif
