#include "gamut.h"

#include <math.h>
#include <string.h>

#include "vectors.h"

static inline void product(const float *m, const float v[3], float result[3]) {
  for (int k = 0; k < 3; k++) result[k] = m[3 * k] * v[0] + m[3 * k + 1] * v[1] + m[3 * k + 2] * v[2];
}

// Björn Ottosson's Oklab, 2020: lightness, and two color axes.
static const float lms_to_lab[9] = {0.2104542553f, 0.7936177850f,  -0.0040720468f,
                                    1.9779984951f, -2.4285922050f, 0.4505937099f,
                                    0.0259040371f, 0.7827717662f,  -0.8086757660f};

static inline void lab_to_output(const float from_lms[9], float lightness, float a, float b,
                                 float result[3]) {
  const float root[3] = {lightness + 0.3963377774f * a + 0.2158037573f * b,
                         lightness - 0.1055613458f * a - 0.0638541728f * b,
                         lightness - 0.0894841775f * a - 1.2914855480f * b};
  const float lms[3] = {root[0] * root[0] * root[0], root[1] * root[1] * root[1],
                        root[2] * root[2] * root[2]};
  product(from_lms, lms, result);
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
    lab_to_output(plan->from_lms, lab[0], factor * lab[1], factor * lab[2], found);
    r[i] = found[0], g[i] = found[1], b[i] = found[2];
  }
}

static inline int is_inside(const float rgb[3], float most) {
  const float slack = 1e-4f;
  // Branch-free, so that loops can be vectorized.
  return (least(rgb[0], least(rgb[1], rgb[2])) >= -slack) &
         (greatest(rgb[0], greatest(rgb[1], rgb[2])) <= most + slack);
}

// Colors in Oklab that are mapped into the gamut together, so that each search step is vectorized.
enum { LANES = 16 };
typedef struct lanes {
  size_t count;
  size_t places[LANES];
  float lightness[LANES];
  float a[LANES];
  float b[LANES];
  float blueness[LANES];
} lanes;

// The gamut's colors of greatest chroma for hues given as unit directions (a, b). Oklab scales with
// the cube root of light, so what is nonnegative at a lightness of 1 is so at any lightness.
RAW_VECTORS
static void find_cusps(const raw_develop *plan, const float *restrict a, const float *restrict b,
                       float *restrict lightness, float *restrict chroma) {
  float matrix[9], inside[LANES], outside[LANES], brightest[LANES];
  memcpy(matrix, plan->from_lms, sizeof matrix);
  for (int i = 0; i < LANES; i++) inside[i] = 0, outside[i] = 1;
  for (int pass = 0; pass < 14; pass++)
    for (int i = 0; i < LANES; i++) {
      const float middle = 0.5f * (inside[i] + outside[i]);
      float rgb[3];
      lab_to_output(matrix, 1, middle * a[i], middle * b[i], rgb);
      const int is_light = least(rgb[0], least(rgb[1], rgb[2])) >= 0;
      inside[i] = is_light ? middle : inside[i];
      outside[i] = is_light ? outside[i] : middle;
    }
  for (int i = 0; i < LANES; i++) {
    float rgb[3];
    lab_to_output(matrix, 1, inside[i] * a[i], inside[i] * b[i], rgb);
    brightest[i] = greatest(rgb[0], greatest(rgb[1], rgb[2]));
  }
  for (int i = 0; i < LANES; i++) {
    lightness[i] = 1 / cbrtf(brightest[i]);
    chroma[i] = lightness[i] * inside[i];
  }
}

// The lightness of the grays towards which colors are moved until they are in the gamut. Up to the
// cusp's lightness, it is the color's own. Above it, reducing only chroma would go too far: the
// direction is the shortest one to the edge between cusp and white, or to the cusp if that is
// nearest.
static void find_grays(const raw_develop *plan, const lanes *colors, float *restrict grays) {
  float chroma[LANES], a[LANES], b[LANES], cusp_lightness[LANES], cusp_chroma[LANES];
  for (int i = 0; i < LANES; i++) {
    chroma[i] = sqrtf(colors->a[i] * colors->a[i] + colors->b[i] * colors->b[i]);
    a[i] = colors->a[i] / chroma[i], b[i] = colors->b[i] / chroma[i];
  }
  find_cusps(plan, a, b, cusp_lightness, cusp_chroma);
  for (size_t i = 0; i < colors->count; i++) {
    const float lightness = colors->lightness[i];
    const float above = lightness - cusp_lightness[i], beyond = chroma[i] - cusp_chroma[i];
    if (chroma[i] < 1e-6f) {
      grays[i] = least(lightness, 1);
    } else if (above <= 0) {
      grays[i] = lightness;
    } else {
      float slope = cusp_chroma[i] / greatest(1 - cusp_lightness[i], 1e-4f);
      if (beyond > 0) slope = least(slope, above / beyond);
      // Light above white may be beyond both; white is then nearest.
      grays[i] = clamp01(lightness - slope * chroma[i]);
    }
  }
}

// Reduces chroma at the same hue in Oklab, and lightness in bright colors, until the colors are in
// the gamut.
RAW_VECTORS
static void take_chroma(const raw_develop *plan, const lanes *colors, const float *restrict grays,
                        float most, float found[3][LANES]) {
  float matrix[9], inside[LANES], outside[LANES];
  memcpy(matrix, plan->from_lms, sizeof matrix);
  for (int i = 0; i < LANES; i++) inside[i] = 0, outside[i] = 1;
  // The fifteenth pass evaluates the last position inside.
  for (int pass = 0; pass < 15; pass++)
    for (int i = 0; i < LANES; i++) {
      const float share = pass < 14 ? 0.5f * (inside[i] + outside[i]) : inside[i];
      const float above = colors->lightness[i] - grays[i];
      float rgb[3];
      lab_to_output(matrix, grays[i] + share * above, share * colors->a[i], share * colors->b[i],
                    rgb);
      const int fits = is_inside(rgb, most);
      inside[i] = fits ? share : inside[i];
      outside[i] = fits ? outside[i] : share;
      for (int k = 0; k < 3; k++) found[k][i] = rgb[k];
    }
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

// How blue linear light is, by its position between cyan and magenta: 1 within 15 degrees of the
// primary, 0 from 40 degrees on. Oklab's own hue is meaningless for light that is negative for the
// eye's long cones.
static inline float blueness(const float rgb[3]) {
  const float range = rgb[2] - least(rgb[0], rgb[1]);
  if (rgb[2] <= greatest(rgb[0], rgb[1]) || range <= 0) return 0;
  const float x = clamp01((40 - 60 * fabsf(rgb[1] - rgb[0]) / range) / 25);
  return x * x * (3 - 2 * x);
}

// Maps colors, and blends those that are somewhat blue with the result of mixing gray.
static void map_lanes(const raw_develop *plan, lanes *colors, int are_bright, float most,
                      float *const planes[3]) {
  float grays[LANES], found[3][LANES];
  if (are_bright)
    find_grays(plan, colors, grays);
  else
    memcpy(grays, colors->lightness, sizeof grays);
  take_chroma(plan, colors, grays, most, found);
  for (size_t i = 0; i < colors->count; i++) {
    const size_t place = colors->places[i];
    const float blue = colors->blueness[i];
    float mixed[3], rgb[3];
    for (int k = 0; k < 3; k++) rgb[k] = planes[k][place];
    if (blue > 0) mix_gray(plan, rgb, most, mixed);
    for (int k = 0; k < 3; k++) {
      float pale = found[k][i];
      if (blue > 0) pale += blue * (mixed[k] - pale);
      planes[k][place] = pale;
    }
  }
  colors->count = 0;
}

// Pixels examined together; usually most are in the gamut.
enum { MARKED = 64 };

// Marks colors outside the gamut; true if there are any.
RAW_VECTORS
static int mark_outside(const float *restrict r, const float *restrict g, const float *restrict b,
                        size_t count, float most, uint8_t *restrict marks) {
  int found = 0;
  for (size_t i = 0; i < count; i++) {
    const float rgb[3] = {r[i], g[i], b[i]};
    const int is_outside = !is_inside(rgb, most);
    marks[i] = (uint8_t)is_outside;
    found |= is_outside;
  }
  return found;
}

void raw_map_gamut(const raw_develop *plan, float *restrict r, float *restrict g, float *restrict b,
                   size_t count) {
  float *const planes[3] = {r, g, b};
  const float most = plan->is_overrange ? INFINITY : 1;
  // Dim and bright colors: only those above the cusp may exceed white and have to be tested for it.
  lanes waiting[2];
  memset(waiting, 0, sizeof waiting);
  uint8_t marks[MARKED];
  int is_marked = 0;
  for (size_t i = 0; i < count; i++) {
    if (i % MARKED == 0) {
      const size_t left = count - i;
      is_marked = mark_outside(r + i, g + i, b + i, left < MARKED ? left : MARKED, most, marks);
    }
    if (!is_marked) {
      i += MARKED - 1;
      continue;
    }
    if (!marks[i % MARKED]) continue;
    const float rgb[3] = {r[i], g[i], b[i]};
    float lms[3], lab[3], mixed[3];
    product(plan->to_lms, rgb, lms);
    for (int k = 0; k < 3; k++) lms[k] = cbrtf(greatest(lms[k], 0));
    product(lms_to_lab, lms, lab);
    if (lab[0] <= 0) {
      r[i] = g[i] = b[i] = 0;
      continue;
    }
    const float blue = blueness(rgb);
    if (blue >= 1) {
      mix_gray(plan, rgb, most, mixed);
      r[i] = mixed[0], g[i] = mixed[1], b[i] = mixed[2];
      continue;
    }
    const int is_bright = greatest(rgb[0], greatest(rgb[1], rgb[2])) > most;
    lanes *colors = waiting + is_bright;
    colors->places[colors->count] = i;
    colors->lightness[colors->count] = lab[0];
    colors->a[colors->count] = lab[1];
    colors->b[colors->count] = lab[2];
    colors->blueness[colors->count] = blue;
    if (++colors->count == LANES) map_lanes(plan, colors, is_bright, most, planes);
  }
  for (int is_bright = 0; is_bright < 2; is_bright++)
    if (waiting[is_bright].count > 0)
      map_lanes(plan, waiting + is_bright, is_bright, most, planes);
}
