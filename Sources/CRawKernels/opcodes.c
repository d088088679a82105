#include "CRawDevelop.h"

#include <math.h>

#include "vectors.h"

void raw_fix_vignette(float *plane, size_t width, size_t first_row, size_t last_row,
                      double center_x, double center_y, double radius, double pixel_height,
                      const double k[5]) {
  for (size_t row = first_row; row < last_row; row++) {
    float *line = plane + row * width;
    const double y = ((double)row + 0.5 - center_y) * pixel_height / radius;
    for (size_t column = 0; column < width; column++) {
      const double x = ((double)column + 0.5 - center_x) / radius;
      double r = x * x + y * y;
      if (r > 1) r = 1;
      const double gain = 1 + r * (k[0] + r * (k[1] + r * (k[2] + r * (k[3] + r * k[4]))));
      // Noise may make light negative, but nothing is below -1.
      line[column] = bounded((float)(line[column] * gain), -1, 1);
    }
  }
}

// Positions between pixels for which weights are computed.
enum { PHASES = 32 };

// Keys's cubic with a = -0.75, for four pixels.
static void weigh(double part, float weights[4]) {
  const double a = -0.75;
  double sum = 0, w[4];
  for (int i = 0; i < 4; i++) {
    const double x = fabs((double)(i - 1) - part);
    w[i] = x >= 2   ? 0
           : x >= 1 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
                    : ((a + 2) * x - (a + 3)) * x * x + 1;
    sum += w[i];
  }
  for (int i = 0; i < 4; i++) weights[i] = (float)(w[i] / sum);
}

static inline long pinned(long value, long count) {
  return value < 0 ? 0 : value >= count ? count - 1 : value;
}

static inline double within(double value, double low, double high) {
  // NaN becomes `low`.
  return value >= high ? high : value >= low ? value : low;
}

void raw_warp_rows(const raw_warp *warp, const float *source, size_t width, size_t height,
                   size_t first_row, size_t last_row, float *target) {
  float weights[PHASES][4];
  for (int i = 0; i < PHASES; i++) weigh((double)i / PHASES, weights[i]);
  const double inverse = 1 / warp->radius;
  const double steps = (double)(warp->factor_count - 1);
  for (size_t row = first_row; row < last_row; row++) {
    const double dy = (double)row - warp->center_y, y = dy * inverse * warp->pixel_height;
    for (size_t column = 0; column < width; column++) {
      const double dx = (double)column - warp->center_x, x = dx * inverse;
      double r2 = x * x + y * y;
      if (r2 > 1) r2 = 1;
      const double place = r2 * steps;
      size_t index = (size_t)place;
      if (index + 1 >= warp->factor_count) index = warp->factor_count - 2;
      const double part = place - (double)index;
      const double factor = warp->factors[index] * (1 - part) + warp->factors[index + 1] * part;
      const double *t = warp->tangential;
      const double tx = t[1] * (r2 + 2 * x * x) + 2 * t[0] * x * y;
      const double ty = t[0] * (r2 + 2 * y * y) + 2 * t[1] * x * y;
      const double sx = within(warp->center_x + dx * factor + warp->radius * tx, 0,
                               (double)(width - 1));
      const double sy = within(
          warp->center_y + dy * factor + warp->radius * ty / warp->pixel_height, 0,
          (double)(height - 1));
      const long x0 = (long)sx, y0 = (long)sy;
      const float *wx = weights[(int)((sx - (double)x0) * PHASES)];
      const float *wy = weights[(int)((sy - (double)y0) * PHASES)];
      float total = 0;
      for (int j = 0; j < 4; j++) {
        const float *line = source + (size_t)pinned(y0 + j - 1, (long)height) * width;
        float sum = 0;
        for (int i = 0; i < 4; i++) sum += wx[i] * line[pinned(x0 + i - 1, (long)width)];
        total += wy[j] * sum;
      }
      target[row * width + column] = total < 0 ? 0 : total > 1 ? 1 : total;
    }
  }
}
