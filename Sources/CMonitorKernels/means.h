#pragma once

#include <stddef.h>
#include <stdint.h>

// Compiled twice, and chosen when the program is loaded; both give the same codes.
#if defined(__x86_64__) && defined(__GLIBC__)
#define MONITOR_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define MONITOR_VECTORS
#endif

enum {
  // Samples of luma at a time, and as many of chroma, so that their sums stay in the nearest cache: those of
  // whole blocks of v210, and of whole vectors.
  RUN = 384,
  // Bytes of a cache line, of most processors.
  CACHE_LINE = 64,
  // What is asked for in advance.
  AHEAD = 2048,
};

// Sums of the samples of two rows, in order; of chroma Cb and Cr in turn. Behind the last one is room for the rest
// of a vector, and no vector lies in two lines of the cache.
struct sums {
  _Alignas(CACHE_LINE) uint16_t luma[RUN + 32];
  _Alignas(CACHE_LINE) uint16_t chroma[RUN + 32];
};

// The rounded means of `factor` sums each, within the codes that SDI leaves to pictures. There are `count` sums of
// luma, and as many of chroma.
void monitor_means(const struct sums *sums, size_t count, int factor, uint16_t *luma, uint16_t *cb,
                   uint16_t *cr);

// From the end of a row of `size` bytes to the row that begins `next` bytes after it, 0 for none.
static inline ptrdiff_t skip_to(ptrdiff_t next, size_t size) {
  return next ? next - (ptrdiff_t)size : 0;
}

// Rows of large pictures are in no cache, and longer than the pages of memory at whose ends a processor stops
// reading ahead. Has the line that will be read AHEAD bytes later brought, into the second cache, which can await more
// of them at a time than the first. `left` bytes of the row are still to be read, and `skip` bytes behind it begins
// the row that is read next: what lies between is not fetched. Beyond the end of the picture that does nothing.
static inline void ask_for(const void *from, size_t left, ptrdiff_t skip) {
  __builtin_prefetch((const void *)((uintptr_t)from + AHEAD + (left > AHEAD ? 0 : skip)), 0, 2);
}
