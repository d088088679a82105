#include <string.h>

#include "CMonitorKernels.h"
#include "means.h"

// Two v210 blocks, and their codes.
typedef uint32_t words __attribute__((vector_size(32)));
typedef uint16_t codes __attribute__((vector_size(32)));

// Stores six sums for each of two blocks; bytes written beyond them are overwritten later or
// unused.
#define STORE(to, from) \
  (memcpy((to), &(from), 16), memcpy((to) + 6, (const uint8_t *)&(from) + 16, 16))

// A block is Cb0 Y0 Cr0
// Y1 Cb1 Y2
// Cr1 Y3 Cb2
// Y4 Cr2 Y5, ten bits each, from a word's least significant bit.
MONITOR_VECTORS
static void add_rows(const uint8_t *first, const uint8_t *second, size_t blocks, size_t left,
                     ptrdiff_t skip, struct sums *sums) {
  for (size_t block = 0; block < blocks; block += 2) {
    if (16 * block % CACHE_LINE == 0) {
      ask_for(first + 16 * block, left - 16 * block, skip);
      ask_for(second + 16 * block, left - 16 * block, skip);
    }
    words a, b;
    memcpy(&a, first + 16 * block, sizeof a);
    memcpy(&b, second + 16 * block, sizeof b);
    // A sum has 11 bits. A word's outer codes are ten bits apart, and are first summed in place.
    words outer = (a & 0x3FF003FF) + (b & 0x3FF003FF);
    words middle = (a & 0xFFC00) + (b & 0xFFC00);
    outer = (outer & 0xFFFF) | (outer >> 4 & 0xFFFF0000);
    middle >>= 10;
    // Words with luma in the middle alternate with words with luma outside.
    words with_luma = __builtin_shufflevector(middle, outer, 0, 9, 2, 11, 4, 13, 6, 15);
    words with_chroma = __builtin_shufflevector(outer, middle, 0, 9, 2, 11, 4, 13, 6, 15);
    codes luma, chroma;
    memcpy(&luma, &with_luma, sizeof luma);
    memcpy(&chroma, &with_chroma, sizeof chroma);
    // Drop the unused upper halves of words with a single code.
    luma = __builtin_shufflevector(luma, luma, 0, 2, 3, 4, 6, 7, -1, -1,  //
                                   8, 10, 11, 12, 14, 15, -1, -1);
    chroma = __builtin_shufflevector(chroma, chroma, 0, 1, 2, 4, 5, 6, -1, -1,  //
                                     8, 9, 10, 12, 13, 14, -1, -1);
    STORE(sums->luma + 6 * block, luma);
    STORE(sums->chroma + 6 * block, chroma);
  }
}

void monitor_v210_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next, size_t blocks,
                        int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr) {
  struct sums sums;
  ptrdiff_t skip = skip_to(next, 16 * blocks);
  for (size_t block = 0; block < blocks; block += RUN / 6) {
    size_t run = blocks - block < RUN / 6 ? blocks - block : RUN / 6, made = 6 * block / factor;
    add_rows(first + 16 * block, second + 16 * block, run, 16 * (blocks - block), skip, &sums);
    monitor_means(&sums, 6 * run, factor, luma + made, cb + made / 2, cr + made / 2);
  }
}
