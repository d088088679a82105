#include "gamut.h"

#include <math.h>

#include "vectors.h"

static inline void product(const float *m, const float v[3], float result[3]) {
  for (int k = 0; k < 3; k++) result[k] = m[3 * k] * v[0] + m[3 * k + 1] * v[1] + m[3 * k + 2] * v[2];
}

// Björn Ottosson's Oklab, 2020: lightness, and two axes of color.
static const float lms_to_lab[9] = {0.2104542553f, 0.7936177850f,  -0.0040720468f,
                                    1.9779984951f, -2.4285922050f, 0.4505937099f,
                                    0.0259040371f, 0.7827717662f,  -0.8086757660f};

static void lab_to_output(const raw_develop *plan, float lightness, float a, float b,
                          float result[3]) {
  const float root[3] = {lightness + 0.3963377774f * a + 0.2158037573f * b,
                         lightness - 0.1055613458f * a - 0.0638541728f * b,
                         lightness - 0.0894841775f * a - 1.2914855480f * b};
  const float lms[3] = {root[0] * root[0] * root[0], root[1] * root[1] * root[1],
                        root[2] * root[2] * root[2]};
  product(plan->from_lms, lms, result);
}

void raw_saturate(const raw_develop *plan, float *restrict r, float *restrict g, float *restrict b,
                  size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float rgb[3] = {r[i], g[i], b[i]};
    float lms[3], lab[3], found[3];
    product(plan->to_lms, rgb, lms);
    for (int k = 0; k < 3; k++) lms[k] = cbrtf(lms[k]);
    product(lms_to_lab, lms, lab);
    const float chroma = sqrtf(lab[1] * lab[1] + lab[2] * lab[2]);
    const float pale = greatest(1 - 4 * chroma, 0);
    const float factor = (1 + plan->saturation) * (1 + plan->vibrance * pale);
    lab_to_output(plan, lab[0], factor * lab[1], factor * lab[2], found);
    r[i] = found[0], g[i] = found[1], b[i] = found[2];
  }
}

static inline int is_inside(const float rgb[3], float most) {
  const float slack = 1e-4f;
  return least(rgb[0], least(rgb[1], rgb[2])) >= -slack &&
         greatest(rgb[0], greatest(rgb[1], rgb[2])) <= most + slack;
}

typedef struct gamut_cusp {
  float lightness;
  float chroma;
} gamut_cusp;

// The gamut's color of the most chroma along a hue, whose direction (a, b) has the length 1. Oklab scales
// with the cube root of light: what is not negative at a lightness of 1 is not at any.
static gamut_cusp find_cusp(const raw_develop *plan, float a, float b) {
  float inside = 0, outside = 1, rgb[3];
  for (int pass = 0; pass < 14; pass++) {
    const float chroma = 0.5f * (inside + outside);
    lab_to_output(plan, 1, chroma * a, chroma * b, rgb);
    if (least(rgb[0], least(rgb[1], rgb[2])) >= 0)
      inside = chroma;
    else
      outside = chroma;
  }
  lab_to_output(plan, 1, inside * a, inside * b, rgb);
  const float lightness = 1 / cbrtf(greatest(rgb[0], greatest(rgb[1], rgb[2])));
  return (gamut_cusp){lightness, lightness * inside};
}

// The lightness of the gray that a color is led to until it is in the gamut. Up to the cusp's lightness it is
// the color's own. Above it, chroma alone would have to go: there the way is the shortest to the edge between
// cusp and white, and to the cusp where that is nearest.
static float gray_lightness(const raw_develop *plan, const float lab[3], float chroma) {
  if (chroma < 1e-6f) return least(lab[0], 1);
  const gamut_cusp cusp = find_cusp(plan, lab[1] / chroma, lab[2] / chroma);
  const float above = lab[0] - cusp.lightness, beyond = chroma - cusp.chroma;
  if (above <= 0) return lab[0];
  float slope = cusp.chroma / greatest(1 - cusp.lightness, 1e-4f);
  if (beyond > 0) slope = least(slope, above / beyond);
  // Light above white may lie beyond both: white is the nearest then.
  return clamp01(lab[0] - slope * chroma);
}

// Takes chroma at the same hue in Oklab, and lightness from bright colors, until the color is in the gamut.
static void take_chroma(const raw_develop *plan, const float lab[3], int is_bright, float most,
                        float found[3]) {
  const float chroma = sqrtf(lab[1] * lab[1] + lab[2] * lab[2]);
  const float gray = is_bright ? gray_lightness(plan, lab, chroma) : lab[0];
  const float above = lab[0] - gray;
  float inside = 0, outside = 1;
  for (int pass = 0; pass < 14; pass++) {
    const float share = 0.5f * (inside + outside);
    lab_to_output(plan, gray + share * above, share * lab[1], share * lab[2], found);
    if (is_inside(found, most))
      inside = share;
    else
      outside = share;
  }
  lab_to_output(plan, gray + inside * above, inside * lab[1], inside * lab[2], found);
}

// Mixes linear light with gray of the same luminance until the color is in the gamut.
static void mix_gray(const raw_develop *plan, const float rgb[3], float most, float found[3]) {
  const float *y = plan->luminance;
  const float gray = y[0] * rgb[0] + y[1] * rgb[1] + y[2] * rgb[2];
  float share = gray > 0 && gray < most ? 1 : 0;
  for (int k = 0; k < 3 && share > 0; k++) {
    if (rgb[k] < 0) share = least(share, gray / (gray - rgb[k]));
    if (rgb[k] > most) share = least(share, (most - gray) / (rgb[k] - gray));
  }
  const float end = least(greatest(gray, 0), most);
  for (int k = 0; k < 3; k++) found[k] = end + share * (rgb[k] - end);
}

// How far linear light is blue, by its place between cyan and magenta: 1 within 15 degrees of the primary, 0
// from 40 degrees on. Oklab's own hue says nothing of light that eyes' long cones would take negatively.
static inline float blueness(const float rgb[3]) {
  const float range = rgb[2] - least(rgb[0], rgb[1]);
  if (rgb[2] <= greatest(rgb[0], rgb[1]) || range <= 0) return 0;
  const float x = clamp01((40 - 60 * fabsf(rgb[1] - rgb[0]) / range) / 25);
  return x * x * (3 - 2 * x);
}

void raw_map_gamut(const raw_develop *plan, float *restrict r, float *restrict g, float *restrict b,
                   size_t count) {
  const float most = plan->is_overrange ? INFINITY : 1;
  for (size_t i = 0; i < count; i++) {
    const float rgb[3] = {r[i], g[i], b[i]};
    if (is_inside(rgb, most)) continue;
    float lms[3], lab[3], pale[3], mixed[3];
    product(plan->to_lms, rgb, lms);
    for (int k = 0; k < 3; k++) lms[k] = cbrtf(greatest(lms[k], 0));
    product(lms_to_lab, lms, lab);
    if (lab[0] <= 0) {
      r[i] = g[i] = b[i] = 0;
      continue;
    }
    const float blue = blueness(rgb);
    // Colors above the cusp have light beyond white: others need no search for it.
    const int is_bright = greatest(rgb[0], greatest(rgb[1], rgb[2])) > most;
    if (blue < 1) take_chroma(plan, lab, is_bright, most, pale);
    if (blue > 0) mix_gray(plan, rgb, most, mixed);
    for (int k = 0; k < 3; k++) {
      if (blue >= 1) pale[k] = mixed[k];
      if (blue > 0) pale[k] += blue * (mixed[k] - pale[k]);
    }
    r[i] = pale[0], g[i] = pale[1], b[i] = pale[2];
  }
}
