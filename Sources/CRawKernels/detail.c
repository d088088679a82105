#include <math.h>
#include <string.h>

#include "CRawDevelop.h"
#include "vectors.h"

// Noise is equalized by a transform like F. J. Anscombe's (1948), separated into brightness and two
// color components, and these into undecimated wavelets with a cubic B-spline ("à trous", Starck
// and Murtagh). Each coefficient is attenuated by how little the energy around it exceeds that of
// noise alone.
//
// Each step computes only the part of the tile that later steps need: all rows and columns except
// `inset` of them at each edge.

enum { S = RAW_DETAIL_SIDE, COUNT = S * S, LEVELS = 4 };

// The energy assumed for the noise in a level's coefficients at full strength, for brightness and
// two color components: the energy of a sensor's noise of 1, times the factor that gave the best
// results on photographs. White noise has standard deviations of 0.8908, 0.2007, 0.0856 and 0.0413.
static const float white_noise[3][LEVELS] = {{1.1903f, 0.0604f, 0.0110f, 0.0026f},
                                             {0.9919f, 0.0504f, 0.0092f, 0.0021f},
                                             {0.9919f, 0.0504f, 0.0092f, 0.0021f}};
// As measured after raw_demosaic_tile: 1.21, 0.35, 0.152 and 0.075 for brightness; 0.224, 0.205,
// 0.14 and 0.079, and 0.15, 0.165, 0.115 and 0.064 for the color components.
static const float interpolated_noise[3][LEVELS] = {{2.1962f, 0.1838f, 0.0347f, 0.0084f},
                                                    {0.2007f, 0.0841f, 0.0392f, 0.0125f},
                                                    {0.0900f, 0.0545f, 0.0265f, 0.0082f}};

// MARK: Filters

// The spline along columns, for the rows within the inset that the spline along rows needs.
RAW_VECTORS
static void smooth_columns(const float *restrict source, int step, int inset,
                           float *restrict target) {
  const int first = inset - 2 * step, last = S - first;
  for (int y = inset; y < S - inset; y++) {
    const float *c = source + y * S, *a = c - 2 * step * S, *b = c - step * S;
    const float *d = c + step * S, *e = c + 2 * step * S;
    float *line = target + y * S;
    for (int x = first; x < last; x++)
      line[x] = 0.375f * c[x] + 0.25f * (b[x] + d[x]) + 0.0625f * (a[x] + e[x]);
  }
}

// The spline along rows, and the squares of its differences from the source.
RAW_VECTORS
static void smooth_rows(const float *restrict between, const float *restrict source, int step,
                        int inset, float *restrict coarse, float *restrict energy) {
  for (int y = inset; y < S - inset; y++)
    for (int x = inset; x < S - inset; x++) {
      const int i = y * S + x;
      const float *p = between + i;
      const float smooth = 0.375f * p[0] + 0.25f * (p[-step] + p[step]) +
                           0.0625f * (p[-2 * step] + p[2 * step]);
      const float band = source[i] - smooth;
      coarse[i] = smooth;
      energy[i] = band * band;
    }
}

// Means over 5 by 5 samples: sums along columns times 1/25, then sums of these along rows.
RAW_VECTORS
static void mean_columns(const float *restrict source, int inset, float *restrict target) {
  for (int y = inset; y < S - inset; y++) {
    const float *c = source + y * S;
    float *line = target + y * S;
    for (int x = inset - 2; x < S - inset + 2; x++)
      line[x] = (c[x - 2 * S] + c[x - S] + c[x] + c[x + S] + c[x + 2 * S]) * 0.04f;
  }
}

static inline float mean_row(const float *p) { return p[-2] + p[-1] + p[0] + p[1] + p[2]; }

RAW_VECTORS
static void mean_rows(const float *restrict between, int inset, float *restrict target) {
  for (int y = inset; y < S - inset; y++)
    for (int x = inset; x < S - inset; x++) target[y * S + x] = mean_row(between + y * S + x);
}

// MARK: Noise equalization

typedef struct transform {
  float slope;
  float offset;
} transform;

// For balanced light. The slope is kept away from 0, which would mean dividing by it for noise that
// does not depend on light.
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

// The inverse, without the bias of a mean of square roots.
RAW_VECTORS
static void restore(float *restrict p, transform t, float white, int inset) {
  const float shift = 0.125f * t.slope + t.offset / t.slope;
  for (int i = inset * S; i < COUNT - inset * S; i++) {
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
static void put_together(float *restrict r, float *restrict g, float *restrict b, int inset) {
  for (int i = inset * S; i < COUNT - inset * S; i++) {
    const float l = r[i] * 0.57735027f, u = g[i] * 0.70710678f, v = b[i] * 0.40824829f;
    r[i] = l + u + v;
    g[i] = l - 2 * v;
    b[i] = l - u + v;
  }
}

// MARK: Wavelets

// How a level's coefficients are weighted.
typedef struct shrinkage {
  // The energy of noise, times the strength.
  float noise;
  float moire;
  float boost;
} shrinkage;

// Adds the retained part of a level's coefficients to the sum.
RAW_VECTORS
static void keep(const float *restrict source, const float *restrict coarse,
                 const float *restrict between, const float *restrict brightness, shrinkage how,
                 int inset, float *restrict sum) {
  for (int y = inset; y < S - inset; y++)
    for (int x = inset; x < S - inset; x++) {
      const int i = y * S + x;
      const float e = mean_row(between + i) + 1e-12f;
      const float kept = greatest(1 - how.noise / e, 0);
      // Fine brightness structure nearby makes fine color suspect.
      const float suspect = how.moire * brightness[i] / (brightness[i] + e);
      sum[i] += (source[i] - coarse[i]) * kept * (1 - suspect) * how.boost;
    }
}

RAW_VECTORS
static void add(const float *restrict a, const float *restrict b, int inset,
                float *restrict target) {
  for (int y = inset; y < S - inset; y++)
    for (int x = inset; x < S - inset; x++) target[y * S + x] = a[y * S + x] + b[y * S + x];
}

// Rows and columns at each edge that a level skips, because neither it nor later levels need them.
static const int level_inset[LEVELS] = {2, 6, 14, 30};
_Static_assert(RAW_WAVELET_MARGIN == 32, "the last level's means reach two samples further");

static void wavelets(const raw_detail *d, raw_detail_scratch *s) {
  float *between = s->plane[5], *energy = s->plane[6], *sum = s->plane[7];
  float *brightness = s->plane[8];
  const int inner = RAW_WAVELET_MARGIN;
  const float(*noise)[LEVELS] = d->is_interpolated ? interpolated_noise : white_noise;
  for (int color = 0; color < 3; color++) {
    const float amount = color == 0 ? d->luminance_noise : d->color_noise;
    const int is_used = amount > 0 || (color == 0 ? d->structure > 0 : d->moire > 0);
    if (color > 0 && !is_used) continue;
    const float *source = s->plane[color];
    memset(sum, 0, sizeof s->plane[7]);
    for (int level = 0; level < (is_used ? LEVELS : 1); level++) {
      float *coarse = s->plane[3 + (level & 1)];
      const int inset = level_inset[level];
      smooth_columns(source, 1 << level, inset, between);
      smooth_rows(between, source, 1 << level, inset, coarse, energy);
      mean_columns(energy, inner, between);
      if (color == 0 && level == 0) mean_rows(between, inner, brightness);
      shrinkage how;
      how.noise = amount * noise[color][level];
      how.moire = color > 0 && level < 3 ? d->moire : 0;
      how.boost =
          color > 0 ? 1 : 1 + d->structure * (level == 0 ? 0.15f : level < 3 ? 0.3f : 0.1f);
      keep(source, coarse, between, brightness, how, inner, sum);
      source = coarse;
    }
    if (is_used) add(source, sum, inner, s->plane[color]);
  }
}

// MARK: Sharpening

// Richardson-Lucy deconvolution (1972, 1974) of brightness, for the blur that lens, optical
// low-pass filter and demosaicking have in common: about 0.75 pixels.
enum { PASSES = 7, REACH = 2 };
_Static_assert(2 * PASSES * REACH == RAW_SHARPEN_MARGIN, "two blurs a pass");

static const float blur_center = 0.5210f, blur_near = 0.2224f, blur_far = 0.0171f;

RAW_VECTORS
static void blur_columns(const float *restrict source, int inset, float *restrict target) {
  for (int y = inset; y < S - inset; y++) {
    const float *m = source + y * S;
    float *line = target + y * S;
    for (int x = inset - REACH; x < S - inset + REACH; x++)
      line[x] = blur_center * m[x] + blur_near * (m[x - S] + m[x + S]) +
                blur_far * (m[x - 2 * S] + m[x + 2 * S]);
  }
}

static inline float blur_row(const float *p) {
  return blur_center * p[0] + blur_near * (p[-1] + p[1]) + blur_far * (p[-2] + p[2]);
}

// The ratio of what was observed to what the guess would look like.
RAW_VECTORS
static void compare(const float *restrict between, const float *restrict light, float floor,
                    int inset, float *restrict ratio) {
  for (int y = inset; y < S - inset; y++)
    for (int x = inset; x < S - inset; x++) {
      const int i = y * S + x;
      ratio[i] = light[i] / greatest(blur_row(between + i), floor);
    }
}

RAW_VECTORS
static void correct(const float *restrict between, int inset, float *restrict guess) {
  for (int y = inset; y < S - inset; y++)
    for (int x = inset; x < S - inset; x++) guess[y * S + x] *= blur_row(between + y * S + x);
}

RAW_VECTORS
static void brightness_of(const float *restrict r, const float *restrict g,
                          const float *restrict b, const float *weights, float floor, int margin,
                          float *restrict light) {
  for (int i = margin * S; i < COUNT - margin * S; i++)
    light[i] = greatest(r[i] * weights[0] + g[i] * weights[1] + b[i] * weights[2], floor);
}

// The minimum and maximum of 3 by 3 samples around each pixel, first along columns, then along
// rows.
static inline float least_of(const float *p, int step) {
  return least(least(p[-step], p[0]), p[step]);
}
static inline float greatest_of(const float *p, int step) {
  return greatest(greatest(p[-step], p[0]), p[step]);
}

// The factor for each pixel's colors.
RAW_VECTORS
static void limit(const float *restrict light, const float *restrict guess, float sharpness,
                  float slope, float offset, float floor, int inset, float *restrict factor) {
  for (int y = inset; y < S - inset; y++) {
    float lows[S], highs[S];
    for (int x = inset - 1; x < S - inset + 1; x++) {
      lows[x] = least_of(light + y * S + x, S);
      highs[x] = greatest_of(light + y * S + x, S);
    }
    for (int x = inset; x < S - inset; x++) {
      const int i = y * S + x;
      const float low = least_of(lows + x, 1), high = greatest_of(highs + x, 1);
      // Overshoot neighbors only slightly, for edges without halos.
      const float room = 0.25f * (high - low);
      const float sharp = greatest(least(guess[i], high + room), greatest(low - room, floor));
      // Do not sharpen where light changes no more than noise would make it.
      const float level = light[i] + 0.01f, change = (high - low) / level;
      const float noise = (slope * light[i] + offset) / (level * level);
      const float weight = change * change / (change * change + 4e-4f + 18 * noise);
      factor[i] = 1 + sharpness * weight * (sharp / light[i] - 1);
    }
  }
}

RAW_VECTORS
static void multiply(float *restrict p, const float *restrict factor, int inset) {
  for (int y = inset; y < S - inset; y++)
    for (int x = inset; x < S - inset; x++) p[y * S + x] *= factor[y * S + x];
}

// `margin` is the number of rows and columns at each edge that earlier steps left uncomputed.
static void sharpen(const raw_detail *d, raw_detail_scratch *s, int margin) {
  float *light = s->plane[3], *guess = s->plane[4], *between = s->plane[5], *ratio = s->plane[6];
  const float floor = 1e-4f;
  const float weights[3] = {0.25f / d->white[0], 0.5f / d->white[1], 0.25f / d->white[2]};
  brightness_of(s->plane[0], s->plane[1], s->plane[2], weights, floor, margin, light);
  memcpy(guess + margin * S, light + margin * S, (COUNT - 2 * margin * S) * sizeof(float));
  int inset = margin;
  for (int pass = 0; pass < PASSES; pass++) {
    inset += REACH;
    blur_columns(guess, inset, between);
    compare(between, light, floor, inset, ratio);
    inset += REACH;
    blur_columns(ratio, inset, between);
    correct(between, inset, guess);
  }
  const float slope = d->noise_slope[1] / d->white[1];
  const float offset = d->noise_floor[1] / (d->white[1] * d->white[1]);
  limit(light, guess, d->sharpness, slope, offset, floor, inset, ratio);
  for (int k = 0; k < 3; k++) multiply(s->plane[k], ratio, inset);
}

void raw_detail_tile(const raw_detail *d, raw_detail_scratch *s) {
  int margin = 0;
  if (d->luminance_noise > 0 || d->color_noise > 0 || d->moire > 0 || d->structure > 0) {
    margin = RAW_WAVELET_MARGIN;
    for (int k = 0; k < 3; k++) equalize(s->plane[k], equalizer(d, k), d->white[k]);
    take_apart(s->plane[0], s->plane[1], s->plane[2]);
    wavelets(d, s);
    put_together(s->plane[0], s->plane[1], s->plane[2], margin);
    for (int k = 0; k < 3; k++) restore(s->plane[k], equalizer(d, k), d->white[k], margin);
  }
  if (d->sharpness > 0) sharpen(d, s, margin);
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
    // Noise in the dark is not contrast.
    const float ratio = (greatest(light, 0) + 0.002f) / (greatest(mean, 0) + 0.002f);
    const float factor = powf(least(greatest(ratio, 0.25f), 4), 0.4f * c->amount);
    red[i] *= factor, green[i] *= factor, blue[i] *= factor;
  }
}
