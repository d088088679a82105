#include "CRawKernels.h"

#include <math.h>

static inline float clamp01(float value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

// The gains for a row of pixels: interpolated between the points above and below.
static void mix_gains(const raw_render *r, float down, float *line) {
  float y = fminf(fmaxf(down * (float)r->gain_rows - 0.5f, 0), (float)(r->gain_rows - 1));
  size_t y0 = (size_t)y, y1 = y0 + 1 < r->gain_rows ? y0 + 1 : y0;
  float v = y - (float)y0;
  size_t count = r->gain_columns * r->gain_count;
  const float *top = r->gains + y0 * count, *bottom = r->gains + y1 * count;
  for (size_t i = 0; i < count; i++) line[i] = top[i] * (1 - v) + bottom[i] * v;
}

// The gain of a pixel for an input weight, interpolated between the row's points.
static inline float gain(const raw_render *r, const float *line, float across, float input) {
  float x = fminf(fmaxf(across * (float)r->gain_columns - 0.5f, 0), (float)(r->gain_columns - 1));
  float z = fminf(clamp01(input) * (float)r->gain_count, (float)(r->gain_count - 1));
  uint32_t x0 = (uint32_t)x, z0 = (uint32_t)z;
  uint32_t x1 = x0 + 1 < r->gain_columns ? x0 + 1 : x0, z1 = z0 + 1 < r->gain_count ? z0 + 1 : z0;
  float u = x - (float)x0, w = z - (float)z0;
  const float *left = line + x0 * r->gain_count, *right = line + x1 * r->gain_count;
  float near = left[z0] * (1 - w) + left[z1] * w;
  return near * (1 - u) + (right[z0] * (1 - w) + right[z1] * w) * u;
}

// A table's interpolated value; the table has `last` + 1 values.
static inline float looked_up(const float *table, float last, float value) {
  float place = clamp01(value) * last;
  uint32_t index = (uint32_t)fminf(place, last - 1);
  float part = place - (float)index;
  return table[index] + (table[index + 1] - table[index]) * part;
}

static inline float curved(const raw_render *r, float value) {
  return looked_up(r->curve, (float)(r->curve_count - 1), value);
}

// Applies the curve to the least and the greatest color; the one between keeps its relative
// position, to preserve hue.
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
                     size_t first, size_t last, uint16_t *codes) {
  const float *m = r->matrix, *o = r->output_matrix;
  float output_last = (float)(r->output_count - 1);
  for (size_t y = first; y < last; y++) {
    float line[RAW_GAIN_LIMIT];
    if (r->gains) mix_gains(r, ((float)y + 0.5f) / (float)height, line);
    for (size_t x = 0; x < width; x++) {
      const float *p = light + 3 * (y * width + x);
      uint16_t *out = codes + 3 * (y * width + x);
      // Light beyond white in one color is clipped in all colors, to avoid tinted highlights.
      float a = fminf(p[0] * r->scale, 1), b = fminf(p[1] * r->scale, 1),
            d = fminf(p[2] * r->scale, 1);
      float c[3];
      for (int k = 0; k < 3; k++)
        c[k] = fmaxf(m[3 * k] * a + m[3 * k + 1] * b + m[3 * k + 2] * d, 0);
      if (r->gains) {
        const float *w = r->gain_weights;
        float least = fminf(c[0], fminf(c[1], c[2])), most = fmaxf(c[0], fmaxf(c[1], c[2]));
        float input = w[0] * c[0] + w[1] * c[1] + w[2] * c[2] + w[3] * least + w[4] * most;
        float g = gain(r, line, ((float)x + 0.5f) / (float)width, input);
        for (int k = 0; k < 3; k++) c[k] *= g;
      }
      tone(r, c);
      for (int k = 0; k < 3; k++) {
        float linear = o[3 * k] * c[0] + o[3 * k + 1] * c[1] + o[3 * k + 2] * c[2];
        out[k] = (uint16_t)(looked_up(r->output, output_last, linear) + 0.5f);
      }
    }
  }
}
