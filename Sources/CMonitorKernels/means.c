#include "means.h"

#include <string.h>

// Sixteen sums.
typedef int16_t vector __attribute__((vector_size(32)));

// The even or the odd elements of two vectors, as sums or as words of two sums, without crossing
// the vectors' halves, which would be slower.
#define EVENS(a, b) \
  __builtin_shufflevector(a, b, 0, 2, 4, 6, 16, 18, 20, 22, 8, 10, 12, 14, 24, 26, 28, 30)
#define ODDS(a, b) \
  __builtin_shufflevector(a, b, 1, 3, 5, 7, 17, 19, 21, 23, 9, 11, 13, 15, 25, 27, 29, 31)
#define EVEN_WORDS(a, b) \
  __builtin_shufflevector(a, b, 0, 1, 4, 5, 16, 17, 20, 21, 8, 9, 12, 13, 24, 25, 28, 29)
#define ODD_WORDS(a, b) \
  __builtin_shufflevector(a, b, 2, 3, 6, 7, 18, 19, 22, 23, 10, 11, 14, 15, 26, 27, 30, 31)
#define ADD(a, b) (EVENS(a, b) + ODDS(a, b))
#define ADD_WORDS(a, b) (EVEN_WORDS(a, b) + ODD_WORDS(a, b))

// Restore the order after such steps within halves: from two vectors, from four, from eight.
#define ORDER_OF_2(a) \
  __builtin_shufflevector(a, a, 0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15)
#define ORDER_OF_4(a) \
  __builtin_shufflevector(a, a, 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15)
#define ORDER_OF_8(a) \
  __builtin_shufflevector(a, a, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15)

#define INLINE static inline __attribute__((always_inline))

INLINE void load(const uint16_t *from, int count, vector *to) {
  memcpy(to, from, count * sizeof(vector));
}

INLINE void store(const vector *from, uint16_t *to) { memcpy(to, from, sizeof(vector)); }

INLINE void divide(vector *sums, int shift) {
  const vector least = (vector){0} + 4, most = (vector){0} + 1019;
  vector mean = (*sums + (int16_t)(1 << (shift - 1))) >> (int16_t)shift;
  *sums = __builtin_elementwise_max(__builtin_elementwise_min(mean, most), least);
}

// The mean of one or more sums that are `step` apart.
INLINE uint16_t mean_of(const uint16_t *sums, int count, int step, int shift) {
  uint32_t sum = 1u << (shift - 1);
  for (int i = 0; i < count; i++) sum += sums[step * i];
  uint32_t mean = sum >> shift;
  return mean < 4 ? 4 : mean > 1019 ? 1019 : mean;
}

// From 64 luma and 64 chroma sums.
INLINE void twos(const struct sums *sums, size_t at, uint16_t *luma, uint16_t *cb, uint16_t *cr) {
  vector y[4], c[4];
  load(sums->luma + at, 4, y);
  load(sums->chroma + at, 4, c);
  for (int i = 0; i < 2; i++) {
    vector pairs = ADD(y[2 * i], y[2 * i + 1]);
    pairs = ORDER_OF_2(pairs);
    divide(&pairs, 2);
    store(&pairs, luma + 16 * i);
  }
  vector first = ADD_WORDS(c[0], c[1]), second = ADD_WORDS(c[2], c[3]);
  divide(&first, 2);
  divide(&second, 2);
  vector blue = EVENS(first, second), red = ODDS(first, second);
  blue = ORDER_OF_4(blue);
  red = ORDER_OF_4(red);
  store(&blue, cb);
  store(&red, cr);
}

// From 128 of each.
INLINE void fours(const struct sums *sums, size_t at, uint16_t *luma, uint16_t *cb, uint16_t *cr) {
  vector y[8], c[8], quarters[2];
  load(sums->luma + at, 8, y);
  load(sums->chroma + at, 8, c);
  for (int i = 0; i < 2; i++) {
    vector first = ADD(y[4 * i], y[4 * i + 1]), second = ADD(y[4 * i + 2], y[4 * i + 3]);
    vector fours = ADD(first, second);
    fours = ORDER_OF_4(fours);
    divide(&fours, 3);
    store(&fours, luma + 16 * i);
    first = ADD_WORDS(c[4 * i], c[4 * i + 1]);
    second = ADD_WORDS(c[4 * i + 2], c[4 * i + 3]);
    quarters[i] = ADD_WORDS(first, second);
    divide(&quarters[i], 3);
  }
  vector blue = EVENS(quarters[0], quarters[1]), red = ODDS(quarters[0], quarters[1]);
  blue = ORDER_OF_8(blue);
  red = ORDER_OF_8(red);
  store(&blue, cb);
  store(&red, cr);
}

MONITOR_VECTORS
void monitor_means(const struct sums *sums, size_t count, int factor, uint16_t *luma, uint16_t *cb,
                   uint16_t *cr) {
  size_t step = 32 * factor, at = 0;
  for (; at + step <= count; at += step) {
    if (factor == 2) {
      twos(sums, at, luma, cb, cr);
    } else {
      fours(sums, at, luma, cb, cr);
    }
    luma += 32;
    cb += 16;
    cr += 16;
  }
  int shift = factor == 2 ? 2 : 3;
  for (; at < count; at += 2 * factor) {
    *luma++ = mean_of(sums->luma + at, factor, 1, shift);
    *luma++ = mean_of(sums->luma + at + factor, factor, 1, shift);
    *cb++ = mean_of(sums->chroma + at, factor, 2, shift);
    *cr++ = mean_of(sums->chroma + at + 1, factor, 2, shift);
  }
}
