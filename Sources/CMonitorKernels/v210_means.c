#include <string.h>

#include "CMonitorKernels.h"
#include "means.h"

// Two blocks of v210, and their codes.
typedef uint32_t words __attribute__((vector_size(32)));
typedef uint16_t codes __attribute__((vector_size(32)));

enum {
  // Blocks at a time, so that sums stay in the nearest cache.
  RUN = 64,
  AHEAD = 16 * RUN,
  // Sums of each kind: three of a block, and what the last store writes beside them.
  ROOM = 3 * RUN + 1,
};

// Sums of two rows, in order: of two neighbors of luma each, of each chroma.
struct sums {
  uint16_t luma[ROOM];
  uint16_t cb[ROOM];
  uint16_t cr[ROOM];
};

// Three sums of each of two blocks.
#define STORE(to, first, second) (memcpy((to), &(first), 8), memcpy((to) + 3, &(second), 8))

// A block is Cb0 Y0 Cr0 | Y1 Cb1 Y2 | Cr1 Y3 Cb2 | Y4 Cr2 Y5, ten bits each from a word's lowest.
MONITOR_VECTORS
static void add_rows(const uint8_t *first, const uint8_t *second, size_t blocks, struct sums *sums) {
  const codes none = {0};
  for (size_t block = 0; block < blocks; block += 2) {
    if (16 * block % CACHE_LINE == 0) {
      ask_for(first + 16 * block, AHEAD);
      ask_for(second + 16 * block, AHEAD);
    }
    words a, b;
    memcpy(&a, first + 16 * block, sizeof a);
    memcpy(&b, second + 16 * block, sizeof b);
    // The outer codes of a word side by side, 11 bits as sums of two, and the middle one.
    words outer = ((a & 0x3FF) | (a >> 4 & 0x3FF0000)) + ((b & 0x3FF) | (b >> 4 & 0x3FF0000));
    words middle = (a >> 10 & 0x3FF) + (b >> 10 & 0x3FF);
    codes o, m;
    memcpy(&o, &outer, sizeof o);
    memcpy(&m, &middle, sizeof m);
    // Luma, as one and its neighbor, in the lower half of each block's lane; Cb in the upper one.
    codes lower = __builtin_shufflevector(o, none, 2, 3, 6, 16, 0, 16, 5, 16,  //
                                          10, 11, 14, 16, 8, 16, 13, 16);
    codes last = __builtin_shufflevector(o, none, 16, 16, 7, 16, 16, 16, 16, 16,  //
                                         16, 16, 15, 16, 16, 16, 16, 16);
    codes inner = __builtin_shufflevector(m, none, 0, 4, 16, 16, 16, 2, 16, 16,  //
                                          8, 12, 16, 16, 16, 10, 16, 16);
    codes luma_cb = lower + last + inner;
    codes cr = __builtin_shufflevector(o, none, 1, 4, 16, 16, 16, 16, 16, 16,  //
                                       9, 12, 16, 16, 16, 16, 16, 16) +
               __builtin_shufflevector(m, none, 16, 16, 6, 16, 16, 16, 16, 16,  //
                                       16, 16, 14, 16, 16, 16, 16, 16);
    uint64_t quarters[4], cr_quarters[4];
    memcpy(quarters, &luma_cb, sizeof quarters);
    memcpy(cr_quarters, &cr, sizeof cr_quarters);
    STORE(sums->luma + 3 * block, quarters[0], quarters[2]);
    STORE(sums->cb + 3 * block, quarters[1], quarters[3]);
    STORE(sums->cr + 3 * block, cr_quarters[0], cr_quarters[2]);
  }
}

// Means of single sums, of two neighbors, of four.
MONITOR_VECTORS
static void means(const uint16_t *sums, size_t count, int shift, uint16_t *to) {
  for (size_t i = 0; i < count; i++) to[i] = mean(sums[i], shift);
}

MONITOR_VECTORS
static void means_of_pairs(const uint16_t *sums, size_t count, int shift, uint16_t *to) {
  for (size_t i = 0; i < count; i++) to[i] = mean((uint32_t)sums[2 * i] + sums[2 * i + 1], shift);
}

MONITOR_VECTORS
static void means_of_fours(const uint16_t *sums, size_t count, int shift, uint16_t *to) {
  for (size_t i = 0; i < count; i++) {
    const uint16_t *four = sums + 4 * i;
    to[i] = mean((uint32_t)four[0] + four[1] + four[2] + four[3], shift);
  }
}

void monitor_v210_means(const uint8_t *first, const uint8_t *second, size_t blocks, int factor,
                        uint16_t *luma, uint16_t *cb, uint16_t *cr) {
  struct sums sums;
  for (size_t block = 0; block < blocks; block += RUN) {
    size_t run = blocks - block < RUN ? blocks - block : RUN;
    size_t count = 6 * run / factor;
    add_rows(first + 16 * block, second + 16 * block, run, &sums);
    if (factor == 2) {
      means(sums.luma, count, 2, luma);
      means_of_pairs(sums.cb, count / 2, 2, cb);
      means_of_pairs(sums.cr, count / 2, 2, cr);
    } else {
      means_of_pairs(sums.luma, count, 3, luma);
      means_of_fours(sums.cb, count / 2, 3, cb);
      means_of_fours(sums.cr, count / 2, 3, cr);
    }
    luma += count;
    cb += count / 2;
    cr += count / 2;
  }
}
