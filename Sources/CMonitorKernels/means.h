#pragma once

#include <stddef.h>
#include <stdint.h>

// Compiled twice, and chosen when the program is loaded; both give the same codes.
#if defined(__x86_64__) && defined(__GLIBC__)
#define MONITOR_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define MONITOR_VECTORS
#endif

// The rounded mean of 2^shift codes, within those that SDI leaves to pictures.
static inline uint16_t mean(uint32_t sum, int shift) {
  uint32_t mean = (sum + (1u << (shift - 1))) >> shift;
  return mean < 4 ? 4 : mean > 1019 ? 1019 : mean;
}

// Bytes of a cache line, of most processors.
enum { CACHE_LINE = 64 };

// Rows of large pictures are in no cache, and longer than the pages of memory at whose ends a processor stops
// reading ahead. Has what lies so many bytes behind brought; beyond the end of the picture that does nothing.
static inline void ask_for(const uint8_t *from, size_t bytes) {
  __builtin_prefetch((const void *)((uintptr_t)from + bytes));
}
