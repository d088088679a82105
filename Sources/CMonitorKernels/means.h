#pragma once

#include <stddef.h>
#include <stdint.h>

// Compiled twice and selected when the program is loaded; both versions give the same codes.
#if defined(__x86_64__) && defined(__GLIBC__)
#define MONITOR_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define MONITOR_VECTORS
#endif

enum {
  // Luma samples per pass, and as many chroma samples, so that their sums stay in the first-level
  // cache; whole v210 blocks and whole vectors.
  RUN = 384,
  // Bytes in a cache line of most processors.
  CACHE_LINE = 64,
  // Prefetch distance in bytes.
  AHEAD = 2048,
};

// Sums of the samples of two rows, in order; in chroma, Cb and Cr alternate. There is room for the
// rest of a vector at the end, and no vector crosses a cache line.
struct sums {
  _Alignas(CACHE_LINE) uint16_t luma[RUN + 32];
  _Alignas(CACHE_LINE) uint16_t chroma[RUN + 32];
};

// The rounded means of `factor` sums each, limited to the codes that SDI allows for video. There
// are `count` luma sums, and as many chroma sums.
void monitor_means(const struct sums *sums, size_t count, int factor, uint16_t *luma, uint16_t *cb,
                   uint16_t *cr);

// The distance from the end of a row of `size` bytes to the row that begins `next` bytes after its
// start, 0 for none.
static inline ptrdiff_t skip_to(ptrdiff_t next, size_t size) {
  return next ? next - (ptrdiff_t)size : 0;
}

// Rows of large frames are not cached, and longer than memory pages, at whose ends hardware
// prefetching stops. Prefetches the line to be read AHEAD bytes later, into the second-level cache,
// which can have more requests pending than the first. `left` bytes of the row are still to be
// read, and the next row begins `skip` bytes after its end; what lies between is not fetched. Past
// the end of the frame this has no effect.
static inline void ask_for(const void *from, size_t left, ptrdiff_t skip) {
  __builtin_prefetch((const void *)((uintptr_t)from + AHEAD + (left > AHEAD ? 0 : skip)), 0, 2);
}
