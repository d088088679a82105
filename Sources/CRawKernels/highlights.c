#include <math.h>
#include <string.h>

#include "CRawDevelop.h"
#include "vectors.h"

static inline size_t inside(long index, size_t count) {
  return index < 0 ? 0 : index >= (long)count ? count - 1 : (size_t)index;
}

RAW_VECTORS
int raw_has_light(const float *restrict light, size_t count, float threshold) {
  int found = 0;
  for (size_t i = 0; i < count; i++) found |= light[i] >= threshold;
  return found;
}

// The colors clipped in any of three rows of cells, one bit each.
RAW_VECTORS
static void mark_rows(const float *restrict above, const float *restrict row,
                      const float *restrict below, size_t width, float threshold, uint8_t bit,
                      uint8_t *restrict marks) {
  for (size_t i = 0; i < width; i++) {
    const int clipped = (above[i] >= threshold) | (row[i] >= threshold) | (below[i] >= threshold);
    marks[i] |= clipped ? bit : 0;
  }
}

// The sum over 3 by 3 cells.
static float sum_around(const float *plane, size_t width, size_t height, size_t row,
                         size_t column) {
  float sum = 0;
  for (long y = (long)row - 1; y <= (long)row + 1; y++)
    for (long x = (long)column - 1; x <= (long)column + 1; x++) {
      const float light = plane[inside(y, height) * width + inside(x, width)];
      sum += light > 0 ? light : 0;
    }
  return sum;
}

void raw_guess_highlights(const float *red, const float *green, const float *blue, size_t width,
                          size_t height, size_t first, size_t last, const float white[3],
                          float threshold, uint8_t *marks, float *red_guess, float *green_guess,
                          float *blue_guess, double sums[6]) {
  const float *planes[3] = {red, green, blue};
  float *guesses[3] = {red_guess, green_guess, blue_guess};
  for (size_t row = first; row < last; row++) {
    memset(marks, 0, width);
    for (int k = 0; k < 3; k++) {
      memset(guesses[k] + row * width, 0, width * sizeof(float));
      mark_rows(planes[k] + inside((long)row - 1, height) * width, planes[k] + row * width,
                planes[k] + inside((long)row + 1, height) * width, width, threshold,
                (uint8_t)(1 << k), marks);
    }
    for (size_t column = 0; column < width; column++) {
      const int clipped = marks[inside((long)column - 1, width)] | marks[column] |
                          marks[inside((long)column + 1, width)];
      // Far from clipped positions no guess is needed.
      if (!clipped) continue;
      const size_t place = row * width + column;
      float roots[3];
      for (int k = 0; k < 3; k++)
        roots[k] = cbrtf(sum_around(planes[k], width, height, row, column) / (9 * white[k]));
      for (int k = 0; k < 3; k++) {
        const float mean = 0.5f * (roots[(k + 1) % 3] + roots[(k + 2) % 3]);
        guesses[k][place] = mean * mean * mean;
        const float light = planes[k][place];
        if ((clipped >> k & 1) && light < threshold && light > 0.2f * threshold) {
          sums[k] += light / white[k] - guesses[k][place];
          sums[3 + k]++;
        }
      }
    }
  }
}

void raw_rebuild_highlights(float *light, size_t width, const float *const guesses[2], size_t cells,
                            const float offsets[2], const float whites[2], size_t cell_pixels,
                            float threshold) {
  if (!raw_has_light(light, width, threshold)) return;
  for (size_t i = 0; i < width; i++) {
    if (!(light[i] >= threshold)) continue;
    size_t cell = i / cell_pixels;
    if (cell >= cells) cell = cells - 1;
    const size_t color = i & 1;
    const float guess = (guesses[color][cell] + offsets[color]) * whites[color];
    if (guess > light[i]) light[i] = guess;
  }
}
