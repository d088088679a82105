#include <math.h>
#include <string.h>

#include "CRawDevelop.h"
#include "vectors.h"

// Noise is made equal everywhere by a transform of F. J. Anscombe's kind (1948), taken apart into
// brightness and two colors, and these into undecimated wavelets with a cubic B-spline ("à trous",
// Starck and Murtagh). Each coefficient is kept by how far the energy around it is above that of noise
// alone.

enum { S = RAW_DETAIL_SIDE, COUNT = S * S, LEVELS = 4 };

static inline float greatest(float a, float b) { return a > b ? a : b; }
static inline long inside(long i) { return i < 0 ? 0 : i >= S ? S - 1 : i; }

// Standard deviation of a level's coefficients for white noise of 1, and how much of it is left of a
// sensor's noise after demosaicking, which smooths the finest level and spreads to the next.
static const float level_noise[LEVELS] = {0.8908f, 0.2007f, 0.0856f, 0.0413f};

// MARK: Filters

RAW_VECTORS
static void smooth(const float *restrict source, float *restrict between, float *restrict target,
                   int step) {
  for (long y = 0; y < S; y++) {
    const float *a = source + inside(y - 2 * step) * S, *b = source + inside(y - step) * S;
    const float *c = source + y * S, *d = source + inside(y + step) * S;
    const float *e = source + inside(y + 2 * step) * S;
    float *line = between + y * S;
    for (int x = 0; x < S; x++)
      line[x] = 0.375f * c[x] + 0.25f * (b[x] + d[x]) + 0.0625f * (a[x] + e[x]);
  }
  const int edge = 2 * step;
  for (long y = 0; y < S; y++) {
    const float *p = between + y * S;
    float *line = target + y * S;
    for (int x = edge; x < S - edge; x++)
      line[x] = 0.375f * p[x] + 0.25f * (p[x - step] + p[x + step]) +
                0.0625f * (p[x - edge] + p[x + edge]);
    for (int i = 0; i < 2 * edge; i++) {
      const int x = i < edge ? i : S - 2 * edge + i;
      line[x] = 0.375f * p[x] + 0.25f * (p[inside(x - step)] + p[inside(x + step)]) +
                0.0625f * (p[inside(x - edge)] + p[inside(x + edge)]);
    }
  }
}

// Means over five by five.
RAW_VECTORS
static void means(const float *restrict source, float *restrict between, float *restrict target) {
  for (long y = 0; y < S; y++) {
    const float *a = source + inside(y - 2) * S, *b = source + inside(y - 1) * S;
    const float *c = source + y * S, *d = source + inside(y + 1) * S, *e = source + inside(y + 2) * S;
    float *line = between + y * S;
    for (int x = 0; x < S; x++) line[x] = (a[x] + b[x] + c[x] + d[x] + e[x]) * 0.04f;
  }
  for (long y = 0; y < S; y++) {
    const float *p = between + y * S;
    float *line = target + y * S;
    for (int x = 2; x < S - 2; x++) line[x] = p[x - 2] + p[x - 1] + p[x] + p[x + 1] + p[x + 2];
    for (int i = 0; i < 4; i++) {
      const int x = i < 2 ? i : S - 4 + i;
      line[x] = p[inside(x - 2)] + p[inside(x - 1)] + p[x] + p[inside(x + 1)] + p[inside(x + 2)];
    }
  }
}

RAW_VECTORS
static void squares(const float *restrict source, float *restrict target) {
  for (int i = 0; i < COUNT; i++) target[i] = source[i] * source[i];
}

// MARK: Equal noise

typedef struct transform {
  float slope;
  float offset;
} transform;

// Of balanced light. A slope near 0 would divide by it: noise that does not depend on light.
static transform equalizer(const raw_detail *d, int color) {
  const float white = d->white[color];
  transform t;
  t.slope = greatest(d->noise_slope[color] / white, 1e-7f);
  t.offset = greatest(d->noise_floor[color], 0) / (white * white);
  return t;
}

RAW_VECTORS
static void equalize(float *restrict p, transform t, float white) {
  const float factor = t.slope / white, offset = 0.375f * t.slope * t.slope + t.offset;
  const float scale = 2 / t.slope;
  for (int i = 0; i < COUNT; i++) p[i] = scale * sqrtf(greatest(p[i] * factor + offset, 0));
}

// Back, without the bias that the mean of a root has.
RAW_VECTORS
static void restore(float *restrict p, transform t, float white) {
  const float shift = 0.125f * t.slope + t.offset / t.slope;
  for (int i = 0; i < COUNT; i++) {
    const float half = greatest(p[i], 0) * 0.5f;
    p[i] = (half * half * t.slope - shift) * white;
  }
}

RAW_VECTORS
static void take_apart(float *restrict r, float *restrict g, float *restrict b) {
  for (int i = 0; i < COUNT; i++) {
    const float x = r[i], y = g[i], z = b[i];
    r[i] = (x + y + z) * 0.57735027f;
    g[i] = (x - z) * 0.70710678f;
    b[i] = (x - 2 * y + z) * 0.40824829f;
  }
}

RAW_VECTORS
static void put_together(float *restrict r, float *restrict g, float *restrict b) {
  for (int i = 0; i < COUNT; i++) {
    const float l = r[i] * 0.57735027f, u = g[i] * 0.70710678f, v = b[i] * 0.40824829f;
    r[i] = l + u + v;
    g[i] = l - 2 * v;
    b[i] = l - u + v;
  }
}

// MARK: Wavelets

// Adds what is kept of a level's coefficients to the sum.
RAW_VECTORS
static void keep(const float *restrict band, const float *restrict energy,
                 const float *restrict brightness, float noise, float strength, float moire,
                 float boost, float *restrict sum) {
  for (int i = 0; i < COUNT; i++) {
    const float e = energy[i] + 1e-12f;
    const float kept = greatest(1 - strength * noise / e, 0);
    // Fine structure of brightness around makes fine color suspect.
    const float suspect = moire * brightness[i] / (brightness[i] + e);
    sum[i] += band[i] * kept * (1 - suspect) * boost;
  }
}

static void wavelets(const raw_detail *d, raw_detail_scratch *s) {
  float *band = s->plane[3], *coarse = s->plane[4], *between = s->plane[5], *energy = s->plane[6];
  float *sum = s->plane[7], *brightness = s->plane[8], *rest = s->plane[9];
  for (int color = 0; color < 3; color++) {
    const float amount = color == 0 ? d->luminance_noise : d->color_noise;
    if (color > 0 && amount == 0 && d->moire == 0) continue;
    if (color == 0 && amount == 0 && d->structure == 0) {
      // Only its fine energy is wanted.
      smooth(s->plane[0], between, coarse, 1);
      for (int i = 0; i < COUNT; i++) band[i] = s->plane[0][i] - coarse[i];
      squares(band, energy);
      means(energy, between, brightness);
      continue;
    }
    memset(sum, 0, sizeof s->plane[7]);
    memcpy(rest, s->plane[color], sizeof s->plane[9]);
    for (int level = 0; level < LEVELS; level++) {
      smooth(rest, between, coarse, 1 << level);
      for (int i = 0; i < COUNT; i++) band[i] = rest[i] - coarse[i];
      squares(band, rest);
      means(rest, between, energy);
      if (color == 0 && level == 0) memcpy(brightness, energy, sizeof s->plane[8]);
      const float noise = level_noise[level] * level_noise[level];
      const float boost =
          color > 0 ? 1 : 1 + d->structure * (level == 0 ? 0.15f : level < 3 ? 0.3f : 0.1f);
      keep(band, energy, brightness, noise, amount * (color > 0 ? 4 : 2.5f),
           color > 0 && level < 3 ? d->moire : 0, boost, sum);
      memcpy(rest, coarse, sizeof s->plane[9]);
    }
    for (int i = 0; i < COUNT; i++) s->plane[color][i] = rest[i] + sum[i];
  }
}

// MARK: Sharpening

// Richardson and Lucy's deconvolution (1972, 1974) of brightness by the spread that a lens, a filter
// before the sensor and demosaicking have in common: about 0.75 pixels.
enum { PASSES = 7 };

RAW_VECTORS
static void blur(const float *restrict source, float *restrict between, float *restrict target) {
  const float c = 0.5210f, n = 0.2224f, f = 0.0171f;
  for (long y = 0; y < S; y++) {
    const float *a = source + inside(y - 2) * S, *b = source + inside(y - 1) * S;
    const float *m = source + y * S, *d = source + inside(y + 1) * S, *e = source + inside(y + 2) * S;
    float *line = between + y * S;
    for (int x = 0; x < S; x++) line[x] = c * m[x] + n * (b[x] + d[x]) + f * (a[x] + e[x]);
  }
  for (long y = 0; y < S; y++) {
    const float *p = between + y * S;
    float *line = target + y * S;
    line[0] = p[0], line[1] = p[1], line[S - 2] = p[S - 2], line[S - 1] = p[S - 1];
    for (int x = 2; x < S - 2; x++)
      line[x] = c * p[x] + n * (p[x - 1] + p[x + 1]) + f * (p[x - 2] + p[x + 2]);
  }
}

static void sharpen(const raw_detail *d, raw_detail_scratch *s) {
  float *light = s->plane[3], *guess = s->plane[4], *between = s->plane[5], *seen = s->plane[6];
  float *ratio = s->plane[7];
  const float floor = 1e-4f;
  const float r = 0.25f / d->white[0], g = 0.5f / d->white[1], b = 0.25f / d->white[2];
  for (int i = 0; i < COUNT; i++) {
    light[i] = greatest(s->plane[0][i] * r + s->plane[1][i] * g + s->plane[2][i] * b, floor);
    guess[i] = light[i];
  }
  for (int pass = 0; pass < PASSES; pass++) {
    blur(guess, between, seen);
    for (int i = 0; i < COUNT; i++) ratio[i] = light[i] / greatest(seen[i], floor);
    blur(ratio, between, seen);
    for (int i = 0; i < COUNT; i++) guess[i] *= seen[i];
  }
  const float slope = d->noise_slope[1] / d->white[1];
  const float offset = d->noise_floor[1] / (d->white[1] * d->white[1]);
  for (long y = 1; y < S - 1; y++)
    for (long x = 1; x < S - 1; x++) {
      const long i = y * S + x;
      float low = light[i], high = light[i];
      for (long v = -1; v <= 1; v++)
        for (long u = -1; u <= 1; u++) {
          const float near = light[i + v * S + u];
          low = near < low ? near : low;
          high = near > high ? near : high;
        }
      // A little beyond its neighbors, for edges without halos.
      const float room = 0.25f * (high - low);
      const float sharp = greatest(least(guess[i], high + room), greatest(low - room, floor));
      // Where light changes no more than noise would make it there is nothing to sharpen.
      const float level = light[i] + 0.01f, change = (high - low) / level;
      const float noise = (slope * light[i] + offset) / (level * level);
      const float weight = change * change / (change * change + 4e-4f + 18 * noise);
      const float factor = 1 + d->sharpness * weight * (sharp / light[i] - 1);
      for (int k = 0; k < 3; k++) s->plane[k][i] *= factor;
    }
}

void raw_detail_tile(const raw_detail *d, raw_detail_scratch *s) {
  if (d->luminance_noise > 0 || d->color_noise > 0 || d->moire > 0 || d->structure > 0) {
    for (int k = 0; k < 3; k++) equalize(s->plane[k], equalizer(d, k), d->white[k]);
    take_apart(s->plane[0], s->plane[1], s->plane[2]);
    wavelets(d, s);
    put_together(s->plane[0], s->plane[1], s->plane[2]);
    for (int k = 0; k < 3; k++) restore(s->plane[k], equalizer(d, k), d->white[k]);
  }
  if (d->sharpness > 0) sharpen(d, s);
}

// MARK: Local contrast

void raw_local_contrast_run(const raw_local_contrast *c, size_t count, float x, float y,
                            float step, float *red, float *green, float *blue) {
  const float last_x = (float)(c->columns - 1), last_y = (float)(c->rows - 1);
  const float row = least(greatest(y / c->cell - 0.5f, 0), last_y);
  const size_t y0 = (size_t)row, y1 = y0 + 1 < c->rows ? y0 + 1 : y0;
  const float v = row - (float)y0;
  const float *top = c->means + y0 * c->columns, *bottom = c->means + y1 * c->columns;
  const float r = 0.25f / c->white[0], g = 0.5f / c->white[1], b = 0.25f / c->white[2];
  for (size_t i = 0; i < count; i++) {
    const float column = least(greatest((x + step * (float)i) / c->cell - 0.5f, 0), last_x);
    const size_t x0 = (size_t)column, x1 = x0 + 1 < c->columns ? x0 + 1 : x0;
    const float u = column - (float)x0;
    const float above = top[x0] + u * (top[x1] - top[x0]);
    const float below = bottom[x0] + u * (bottom[x1] - bottom[x0]);
    const float mean = above + v * (below - above);
    const float light = red[i] * r + green[i] * g + blue[i] * b;
    // Noise of the dark is no contrast.
    const float ratio = (greatest(light, 0) + 0.002f) / (greatest(mean, 0) + 0.002f);
    const float factor = powf(least(greatest(ratio, 0.25f), 4), 0.4f * c->amount);
    red[i] *= factor, green[i] *= factor, blue[i] *= factor;
  }
}
