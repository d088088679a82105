#include <string.h>

#include "CMonitorKernels.h"
#include "means.h"

// Two blocks of v210, and their codes.
typedef uint32_t words __attribute__((vector_size(32)));
typedef uint16_t codes __attribute__((vector_size(32)));

// Six sums of each of two blocks; what is written beside them is written over, or nobody's.
#define STORE(to, from) \
  (memcpy((to), &(from), 16), memcpy((to) + 6, (const uint8_t *)&(from) + 16, 16))

// A block is Cb0 Y0 Cr0 | Y1 Cb1 Y2 | Cr1 Y3 Cb2 | Y4 Cr2 Y5, ten bits each from a word's lowest.
MONITOR_VECTORS
static void add_rows(const uint8_t *first, const uint8_t *second, size_t blocks, struct sums *sums) {
  for (size_t block = 0; block < blocks; block += 2) {
    if (16 * block % CACHE_LINE == 0) {
      ask_for(first + 16 * block);
      ask_for(second + 16 * block);
    }
    words a, b;
    memcpy(&a, first + 16 * block, sizeof a);
    memcpy(&b, second + 16 * block, sizeof b);
    // A sum has 11 bits. The outer codes of a word lie ten bits apart, and stay where they are at first.
    words outer = (a & 0x3FF003FF) + (b & 0x3FF003FF);
    words middle = (a & 0xFFC00) + (b & 0xFFC00);
    outer = (outer & 0xFFFF) | (outer >> 4 & 0xFFFF0000);
    middle >>= 10;
    codes o, m;
    memcpy(&o, &outer, sizeof o);
    memcpy(&m, &middle, sizeof m);
    // The upper half of each word in the middle is 0.
    codes luma = __builtin_shufflevector(o, m, 17, 2, 3, 17, 6, 7, 17, 17,  //
                                         25, 10, 11, 25, 14, 15, 25, 25) |
                 __builtin_shufflevector(m, m, 0, 1, 1, 4, 1, 1, 1, 1,  //
                                         8, 9, 9, 12, 9, 9, 9, 9);
    codes chroma = __builtin_shufflevector(o, m, 0, 1, 17, 4, 5, 17, 17, 17,  //
                                           8, 9, 25, 12, 13, 25, 25, 25) |
                   __builtin_shufflevector(m, m, 1, 1, 2, 1, 1, 6, 1, 1,  //
                                           9, 9, 10, 9, 9, 14, 9, 9);
    STORE(sums->luma + 6 * block, luma);
    STORE(sums->chroma + 6 * block, chroma);
  }
}

void monitor_v210_means(const uint8_t *first, const uint8_t *second, size_t blocks, int factor,
                        uint16_t *luma, uint16_t *cb, uint16_t *cr) {
  struct sums sums;
  for (size_t block = 0; block < blocks; block += RUN / 6) {
    size_t run = blocks - block < RUN / 6 ? blocks - block : RUN / 6, made = 6 * block / factor;
    add_rows(first + 16 * block, second + 16 * block, run, &sums);
    monitor_means(&sums, 6 * run, factor, luma + made, cb + made / 2, cr + made / 2);
  }
}
