#include "CRawKernels.h"

#include <math.h>

static inline float clamp01(float value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

// The gain at a point for an input weight, interpolated in all three directions.
static float gain(const raw_render *r, float across, float down, float input) {
  float x = fminf(fmaxf(across * (float)r->gain_columns - 0.5f, 0), (float)(r->gain_columns - 1));
  float y = fminf(fmaxf(down * (float)r->gain_rows - 0.5f, 0), (float)(r->gain_rows - 1));
  float z = fminf(clamp01(input) * (float)r->gain_count, (float)(r->gain_count - 1));
  size_t x0 = (size_t)x, y0 = (size_t)y, z0 = (size_t)z;
  size_t x1 = x0 + 1 < r->gain_columns ? x0 + 1 : x0, y1 = y0 + 1 < r->gain_rows ? y0 + 1 : y0;
  size_t z1 = z0 + 1 < r->gain_count ? z0 + 1 : z0;
  float u = x - (float)x0, v = y - (float)y0, w = z - (float)z0;
  const float *g = r->gains;
  size_t n = r->gain_count, row = r->gain_columns * n;
#define AT(Y, X) (g[(Y) * row + (X) * n + z0] * (1 - w) + g[(Y) * row + (X) * n + z1] * w)
  float top = AT(y0, x0) * (1 - u) + AT(y0, x1) * u;
  float bottom = AT(y1, x0) * (1 - u) + AT(y1, x1) * u;
#undef AT
  return top * (1 - v) + bottom * v;
}

static inline float curved(const raw_render *r, float value) {
  return r->curve[(size_t)(clamp01(value) * (float)(r->curve_count - 1) + 0.5f)];
}

// The curve for the least and the greatest colour; the one between keeps its place between them, so
// that hues stay.
static inline void tone(const raw_render *r, float c[3]) {
  int most = c[0] >= c[1] ? (c[0] >= c[2] ? 0 : 2) : (c[1] >= c[2] ? 1 : 2);
  int least = c[0] < c[1] ? (c[0] < c[2] ? 0 : 2) : (c[1] < c[2] ? 1 : 2);
  if (most == least) {
    c[0] = c[1] = c[2] = curved(r, c[0]);
    return;
  }
  int middle = 3 - most - least;
  float high = clamp01(c[most]), low = clamp01(c[least]), between = clamp01(c[middle]);
  float high_out = curved(r, high), low_out = curved(r, low);
  float share = high > low ? (between - low) / (high - low) : 0;
  c[most] = high_out;
  c[least] = low_out;
  c[middle] = low_out + (high_out - low_out) * share;
}

void raw_render_rows(const raw_render *r, const float *light, size_t width, size_t height,
                     size_t first, size_t last, uint8_t *bytes) {
  const float *m = r->matrix, *o = r->output_matrix;
  float output_scale = (float)(r->output_count - 1);
  for (size_t y = first; y < last; y++)
    for (size_t x = 0; x < width; x++) {
      const float *p = light + 3 * (y * width + x);
      uint8_t *out = bytes + 3 * (y * width + x);
      // What is beyond white in one colour is white in all: no tinted highlights.
      float a = fminf(p[0] * r->scale, 1), b = fminf(p[1] * r->scale, 1),
            d = fminf(p[2] * r->scale, 1);
      float c[3];
      for (int k = 0; k < 3; k++)
        c[k] = fmaxf(m[3 * k] * a + m[3 * k + 1] * b + m[3 * k + 2] * d, 0);
      if (r->gains) {
        const float *w = r->gain_weights;
        float least = fminf(c[0], fminf(c[1], c[2])), most = fmaxf(c[0], fmaxf(c[1], c[2]));
        float input = w[0] * c[0] + w[1] * c[1] + w[2] * c[2] + w[3] * least + w[4] * most;
        float g =
            gain(r, ((float)x + 0.5f) / (float)width, ((float)y + 0.5f) / (float)height, input);
        for (int k = 0; k < 3; k++) c[k] *= g;
      }
      tone(r, c);
      for (int k = 0; k < 3; k++) {
        float linear = o[3 * k] * c[0] + o[3 * k + 1] * c[1] + o[3 * k + 2] * c[2];
        out[k] = r->output[(size_t)(clamp01(linear) * output_scale + 0.5f)];
      }
    }
}
