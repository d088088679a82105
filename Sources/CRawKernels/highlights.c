#include <math.h>

#include "CRawDevelop.h"

static inline size_t inside(long index, size_t count) {
  return index < 0 ? 0 : index >= (long)count ? count - 1 : (size_t)index;
}

void raw_guess_highlights(const float *red, const float *green, const float *blue, size_t width,
                          size_t height, size_t first, size_t last, const float white[3],
                          float threshold, float *red_guess, float *green_guess, float *blue_guess,
                          double sums[6]) {
  const float *planes[3] = {red, green, blue};
  float *guesses[3] = {red_guess, green_guess, blue_guess};
  for (size_t row = first; row < last; row++)
    for (size_t column = 0; column < width; column++) {
      float roots[3];
      int clipped[3] = {0, 0, 0}, any = 0;
      // Far from clipped places nothing is asked.
      for (long y = (long)row - 1; y <= (long)row + 1; y++)
        for (long x = (long)column - 1; x <= (long)column + 1; x++)
          for (int k = 0; k < 3; k++)
            if (planes[k][inside(y, height) * width + inside(x, width)] >= threshold)
              clipped[k] = any = 1;
      const size_t place = row * width + column;
      for (int k = 0; k < 3; k++) guesses[k][place] = 0;
      if (!any) continue;
      for (int k = 0; k < 3; k++) {
        float sum = 0;
        for (long y = (long)row - 1; y <= (long)row + 1; y++)
          for (long x = (long)column - 1; x <= (long)column + 1; x++) {
            const float light = planes[k][inside(y, height) * width + inside(x, width)];
            sum += light > 0 ? light : 0;
          }
        roots[k] = cbrtf(sum / (9 * white[k]));
      }
      for (int k = 0; k < 3; k++) {
        const float mean = 0.5f * (roots[(k + 1) % 3] + roots[(k + 2) % 3]);
        guesses[k][place] = mean * mean * mean;
        const float light = planes[k][place];
        if (clipped[k] && light < threshold && light > 0.2f * threshold) {
          sums[k] += light / white[k] - guesses[k][place];
          sums[3 + k]++;
        }
      }
    }
}
