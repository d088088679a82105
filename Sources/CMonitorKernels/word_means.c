#include <string.h>

#include "CMonitorKernels.h"
#include "means.h"

// Eight bytes of a row have four samples of luma, or two pairs of Cb and Cr, or two pixels' worth of both.
// Sums of two rows lie in the four lanes of a word, 16 bits each.
typedef uint64_t lanes;

static inline lanes load(const uint8_t *from) {
  lanes word;
  memcpy(&word, from, sizeof word);
  return word;
}

static inline lanes lane(uint64_t value) { return value * 0x0001000100010001; }

// The two lower lanes added to the two upper ones: sums of 16 bits each in the lower half.
static inline uint32_t halves(lanes sums) { return (uint32_t)sums + (uint32_t)(sums >> 32); }

// Codes of ten bits at the top of 16.
static inline lanes tens(const uint8_t *first, const uint8_t *second) {
  return (load(first) >> 6 & lane(0x3FF)) + (load(second) >> 6 & lane(0x3FF));
}

// Every other byte, as ten bits.
static inline lanes bytes(const uint8_t *first, const uint8_t *second, int from) {
  return ((load(first) >> from & lane(0xFF)) + (load(second) >> from & lane(0xFF))) << 2;
}

// Two means of luma.
static inline void store_twos(lanes sums, uint16_t *to) {
  const lanes even = 0x0000FFFF0000FFFF;
  lanes pairs = (sums & even) + (sums >> 16 & even);
  to[0] = mean((uint32_t)pairs, 2);
  to[1] = mean((uint32_t)(pairs >> 32), 2);
}

// One mean.
static inline uint16_t luma_of_four(lanes sums) {
  uint32_t two = halves(sums);
  return mean((two & 0xFFFF) + (two >> 16), 3);
}

MONITOR_VECTORS
static void p210_twos(const uint8_t *first, const uint8_t *second, const uint8_t *chroma,
                      const uint8_t *second_chroma, size_t pairs, uint16_t *luma, uint16_t *cb,
                      uint16_t *cr) {
  for (size_t i = 0; i < pairs; i++) {
    store_twos(tens(first + 8 * i, second + 8 * i), luma + 2 * i);
    uint32_t both = halves(tens(chroma + 8 * i, second_chroma + 8 * i));
    cb[i] = mean(both & 0xFFFF, 2);
    cr[i] = mean(both >> 16, 2);
  }
}

// Pairs that are summed at a time, four samples of luma to each of their means.
enum { RUN = 32, RUN_BYTES = 16 * RUN };

// Between two runs, for within one it would keep the compiler from using vectors.
static inline void ask_for_next_run(const uint8_t *row) {
  for (size_t i = 0; i < RUN_BYTES; i += CACHE_LINE) ask_for(row, RUN_BYTES + i);
}

MONITOR_VECTORS
static void p210_fours(const uint8_t *first, const uint8_t *second, const uint8_t *chroma,
                       const uint8_t *second_chroma, size_t pairs, uint16_t *luma, uint16_t *cb,
                       uint16_t *cr) {
  for (size_t at = 0; at < pairs; at += RUN) {
    size_t end = pairs - at < RUN ? pairs : at + RUN;
    ask_for_next_run(first + 16 * at);
    ask_for_next_run(second + 16 * at);
    ask_for_next_run(chroma + 16 * at);
    ask_for_next_run(second_chroma + 16 * at);
    for (size_t i = 2 * at; i < 2 * end; i++) {
      luma[i] = luma_of_four(tens(first + 8 * i, second + 8 * i));
    }
    for (size_t i = at; i < end; i++) {
      uint32_t both = halves(tens(chroma + 16 * i, second_chroma + 16 * i) +
                             tens(chroma + 16 * i + 8, second_chroma + 16 * i + 8));
      cb[i] = mean(both & 0xFFFF, 3);
      cr[i] = mean(both >> 16, 3);
    }
  }
}

void monitor_p210_means(const uint8_t *first, const uint8_t *second, const uint8_t *chroma,
                        const uint8_t *second_chroma, size_t count, int factor, uint16_t *luma,
                        uint16_t *cb, uint16_t *cr) {
  if (factor == 2) {
    p210_twos(first, second, chroma, second_chroma, count / 2, luma, cb, cr);
  } else {
    p210_fours(first, second, chroma, second_chroma, count / 2, luma, cb, cr);
  }
}

// Luma lies `at` so many bits from the lowest of each 16, and chroma in the others.
static inline __attribute__((always_inline)) void packed_twos(const uint8_t *first,
                                                              const uint8_t *second, size_t pairs,
                                                              int at, uint16_t *luma, uint16_t *cb,
                                                              uint16_t *cr) {
  for (size_t i = 0; i < pairs; i++) {
    store_twos(bytes(first + 8 * i, second + 8 * i, at), luma + 2 * i);
    uint32_t both = halves(bytes(first + 8 * i, second + 8 * i, 8 - at));
    cb[i] = mean(both & 0xFFFF, 2);
    cr[i] = mean(both >> 16, 2);
  }
}

static inline __attribute__((always_inline)) void packed_fours(const uint8_t *first,
                                                               const uint8_t *second, size_t pairs,
                                                               int at, uint16_t *luma,
                                                               uint16_t *cb, uint16_t *cr) {
  for (size_t run = 0; run < pairs; run += RUN) {
    size_t end = pairs - run < RUN ? pairs : run + RUN;
    ask_for_next_run(first + 16 * run);
    ask_for_next_run(second + 16 * run);
    for (size_t i = 2 * run; i < 2 * end; i++) {
      luma[i] = luma_of_four(bytes(first + 8 * i, second + 8 * i, at));
    }
    for (size_t i = run; i < end; i++) {
      uint32_t both = halves(bytes(first + 16 * i, second + 16 * i, 8 - at) +
                             bytes(first + 16 * i + 8, second + 16 * i + 8, 8 - at));
      cb[i] = mean(both & 0xFFFF, 3);
      cr[i] = mean(both >> 16, 3);
    }
  }
}

MONITOR_VECTORS
void monitor_yuyv_means(const uint8_t *first, const uint8_t *second, size_t count, int factor,
                        uint16_t *luma, uint16_t *cb, uint16_t *cr) {
  if (factor == 2) {
    packed_twos(first, second, count / 2, 0, luma, cb, cr);
  } else {
    packed_fours(first, second, count / 2, 0, luma, cb, cr);
  }
}

MONITOR_VECTORS
void monitor_uyvy_means(const uint8_t *first, const uint8_t *second, size_t count, int factor,
                        uint16_t *luma, uint16_t *cb, uint16_t *cr) {
  if (factor == 2) {
    packed_twos(first, second, count / 2, 8, luma, cb, cr);
  } else {
    packed_fours(first, second, count / 2, 8, luma, cb, cr);
  }
}
