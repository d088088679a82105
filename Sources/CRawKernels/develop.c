#include "CRawDevelop.h"

#include <math.h>
#include <string.h>

#include "gamut.h"
#include "vectors.h"

// A curve's interpolated value; `x` is 0 to 1.
static inline float curve_at(const float *table, float x) {
  const float place = x * (float)RAW_CURVE_STEPS;
  const int32_t index = (int32_t)place;
  const float part = place - (float)index;
  return table[index] * (1 - part) + table[index + 1] * part;
}

// Compresses light of any level to below 1, and expands it: if output may exceed white, tables and
// curves are applied in between. See chapter 6 of the specification.
static inline float folded(float x) { return x * (256 + x) / (256 * (1 + x)); }
static inline float unfolded(float x) {
  return 16 * (8 * x - 8 + sqrtf(64 * x * x - 127 * x + 64));
}

typedef struct run {
  float *restrict r;
  float *restrict g;
  float *restrict b;
  size_t count;
} run;

RAW_VECTORS
static void multiply(const float *restrict m, float *restrict r, float *restrict g,
                     float *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float x = r[i], y = g[i], z = b[i];
    r[i] = m[0] * x + m[1] * y + m[2] * z;
    g[i] = m[3] * x + m[4] * y + m[5] * z;
    b[i] = m[6] * x + m[7] * y + m[8] * z;
  }
}

RAW_VECTORS
static void clamp(float *restrict p, size_t count, float low, float high) {
  for (size_t i = 0; i < count; i++) p[i] = greatest(least(p[i], high), low);
}

// Light beyond this comes from a damaged file. NaN is replaced by it, too.
static const float most_light = 1e6f;

// MARK: Hue, saturation and value

static inline void to_hsv(float r, float g, float b, float *h, float *s, float *v) {
  *v = greatest(r, greatest(g, b));
  const float gap = *v - least(r, least(g, b));
  if (gap <= 0) {
    *h = 0;
    *s = 0;
    return;
  }
  if (r == *v) {
    *h = (g - b) / gap;
    if (*h < 0) *h += 6;
  } else if (g == *v) {
    *h = 2 + (b - r) / gap;
  } else {
    *h = 4 + (r - g) / gap;
  }
  *s = gap / *v;
}

static inline void from_hsv(float h, float s, float v, float *r, float *g, float *b) {
  if (s <= 0) {
    *r = *g = *b = v;
    return;
  }
  h -= 6 * floorf(h / 6);
  const int sector = (int)bounded(h, 0, 5);
  const float part = h - (float)sector;
  const float p = v * (1 - s), q = v * (1 - s * part), t = v * (1 - s * (1 - part));
  switch (sector) {
    case 0: *r = v, *g = t, *b = p; break;
    case 1: *r = q, *g = v, *b = p; break;
    case 2: *r = p, *g = v, *b = t; break;
    case 3: *r = p, *g = q, *b = v; break;
    case 4: *r = t, *g = p, *b = v; break;
    default: *r = v, *g = p, *b = q; break;
  }
}

static void look_up_hues(const raw_hue_table *t, int overrange, float *restrict r,
                         float *restrict g, float *restrict b, size_t count) {
  const float hue_scale = t->hues < 2 ? 0 : (float)t->hues / 6;
  const float saturation_scale = (float)(t->saturations - 1);
  const float value_scale = (float)(t->values - 1);
  const int32_t last_hue = (int32_t)t->hues - 1, last_saturation = (int32_t)t->saturations - 2;
  const int32_t last_value = t->values < 2 ? 0 : (int32_t)t->values - 2;
  const size_t hue_step = 3 * t->saturations, value_step = hue_step * t->hues;
  const int folds = overrange && t->values > 1;
  for (size_t i = 0; i < count; i++) {
    float x = r[i], y = g[i], z = b[i];
    if (overrange) {
      x = greatest(x, 0), y = greatest(y, 0), z = greatest(z, 0);
      if (folds) x = folded(x), y = folded(y), z = folded(z);
    }
    float h, s, v;
    to_hsv(x, y, z, &h, &s, &v);
    // Negative, infinite and NaN values are not in the table.
    h = bounded(h, 0, 6), s = bounded(s, 0, 1);
    const float coded = t->encode && t->values > 1 ? curve_at(t->encode, clamp01(v)) : v;
    const float hp = h * hue_scale, sp = s * saturation_scale;
    const float vp = bounded(coded * value_scale, 0, value_scale);
    int32_t h0 = (int32_t)hp, s0 = (int32_t)sp, v0 = (int32_t)vp;
    if (s0 > last_saturation) s0 = last_saturation;
    if (v0 > last_value) v0 = last_value;
    int32_t h1 = h0 + 1;
    if (h0 >= last_hue) h0 = last_hue, h1 = 0;
    const float hf = hp - (float)h0, sf = sp - (float)s0;
    const float vf = t->values < 2 ? 0 : vp - (float)v0;
    const float *low = t->entries + (size_t)v0 * value_step + 3 * (size_t)s0;
    const float *high = t->values < 2 ? low : low + value_step;
    const size_t a = (size_t)h0 * hue_step, c = (size_t)h1 * hue_step;
    float change[3];
    for (int k = 0; k < 3; k++) {
      const float near = (1 - vf) * ((1 - hf) * low[a + k] + hf * low[c + k]) +
                         vf * ((1 - hf) * high[a + k] + hf * high[c + k]);
      const float far = (1 - vf) * ((1 - hf) * low[a + 3 + k] + hf * low[c + 3 + k]) +
                        vf * ((1 - hf) * high[a + 3 + k] + hf * high[c + 3 + k]);
      change[k] = (1 - sf) * near + sf * far;
    }
    // Without divisions of value, a value that was not compressed may exceed 1.
    float value = coded * change[2];
    if (!overrange || folds) value = clamp01(value);
    if (t->decode && t->values > 1) value = curve_at(t->decode, clamp01(value));
    from_hsv(h + change[0], least(s * change[1], 1), value, &x, &y, &z);
    if (folds) x = unfolded(x), y = unfolded(y), z = unfolded(z);
    r[i] = x, g[i] = y, b[i] = z;
  }
}

// MARK: Gain map

static void gain(const raw_gain_table *t, int clips, float x, float y, float step,
                 float *restrict r, float *restrict g, float *restrict b, size_t count) {
  const float last_x = (float)(t->columns - 1), last_y = (float)(t->rows - 1);
  const float row = greatest(least(y * t->scale_y + t->offset_y, last_y), 0);
  const size_t y0 = (size_t)row, y1 = y0 + 1 < t->rows ? y0 + 1 : y0;
  const float v = row - (float)y0;
  const float *top = t->gains + y0 * t->columns * t->count;
  const float *bottom = t->gains + y1 * t->columns * t->count;
  const int32_t last = (int32_t)t->count - 1;
  const float *w = t->weights;
  for (size_t i = 0; i < count; i++) {
    const float column = greatest(least((x + step * (float)i) * t->scale_x + t->offset_x, last_x), 0);
    const size_t x0 = (size_t)column, x1 = x0 + 1 < t->columns ? x0 + 1 : x0;
    const float u = column - (float)x0;
    const float low = least(r[i], least(g[i], b[i])), high = greatest(r[i], greatest(g[i], b[i]));
    float input = clamp01(w[0] * r[i] + w[1] * g[i] + w[2] * b[i] + w[3] * low + w[4] * high);
    if (t->gamma != 1) input = powf(input, t->gamma);
    const float place = input * (float)t->count;
    int32_t n0 = (int32_t)place;
    if (n0 > last) n0 = last;
    const int32_t n1 = n0 + 1 < last ? n0 + 1 : last;
    const float part = place - (float)n0;
    const float *a = top + x0 * t->count, *c = top + x1 * t->count;
    const float *d = bottom + x0 * t->count, *e = bottom + x1 * t->count;
    const float ga = a[n0] + part * (a[n1] - a[n0]), gc = c[n0] + part * (c[n1] - c[n0]);
    const float gd = d[n0] + part * (d[n1] - d[n0]), ge = e[n0] + part * (e[n1] - e[n0]);
    const float above = ga + u * (gc - ga), below = gd + u * (ge - gd);
    const float factor = above + v * (below - above);
    r[i] *= factor, g[i] *= factor, b[i] *= factor;
  }
  if (clips) clamp(r, count, 0, 1), clamp(g, count, 0, 1), clamp(b, count, 0, 1);
}

// MARK: Exposure and tone

RAW_VECTORS
static void expose(const raw_develop *plan, int clips, float *restrict p, size_t count) {
  const float black = plan->black, radius = plan->radius, slope = plan->slope;
  const float bend = radius > 0 ? slope / (4 * radius) : 0;
  const float low = black - radius, high = black + radius;
  const float limit = clips ? 1 : INFINITY, floor = clips || black > 0 ? 0 : -INFINITY;
  for (size_t i = 0; i < count; i++) {
    const float x = clips ? clamp01(p[i]) : p[i];
    const float line = (x - black) * slope;
    const float toe = (x - low) * (x - low) * bend;
    const float y = x >= high ? line : x <= low ? (black > 0 ? 0 : line) : toe;
    p[i] = greatest(least(y, limit), floor);
  }
}

RAW_VECTORS
static void roll_off(float *restrict r, float *restrict g, float *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float high = greatest(r[i], greatest(g[i], b[i]));
    const float inverse = high > 1 ? 1 / high : 1;
    // At twice white, half of the color is left.
    r[i] = greatest(1 - (1 - r[i] * inverse) * inverse, 0) ;
    g[i] = greatest(1 - (1 - g[i] * inverse) * inverse, 0);
    b[i] = greatest(1 - (1 - b[i] * inverse) * inverse, 0);
  }
}

// The curve is applied to the least and the greatest color; the one between keeps its relative
// position.
RAW_VECTORS
static void tone(const float *restrict table, float *restrict r, float *restrict g,
                 float *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float x = clamp01(r[i]), y = clamp01(g[i]), z = clamp01(b[i]);
    const float high = greatest(x, greatest(y, z)), low = least(x, least(y, z));
    const float top = curve_at(table, high), bottom = curve_at(table, low);
    const float gap = high - low;
    const float scale = gap > 0 ? (top - bottom) / gap : 0;
    r[i] = x == high ? top : bottom + (x - low) * scale;
    g[i] = y == high ? top : bottom + (y - low) * scale;
    b[i] = z == high ? top : bottom + (z - low) * scale;
  }
}

static inline float extended(const raw_develop *plan, float x) {
  return x <= 1 ? curve_at(plan->tone, greatest(x, 0))
                : least(plan->tone_end + (x - 1) * plan->tone_slope, plan->tone_limit);
}

static void tone_overrange(const raw_develop *plan, int folds, float *restrict r,
                           float *restrict g, float *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    float c[3] = {greatest(r[i], 0), greatest(g[i], 0), greatest(b[i], 0)};
    if (folds)
      for (int k = 0; k < 3; k++) c[k] = folded(c[k]);
    const float high = greatest(c[0], greatest(c[1], c[2])), low = least(c[0], least(c[1], c[2]));
    const float top = extended(plan, high), bottom = extended(plan, low);
    const float gap = high - low;
    const float scale = gap > 0 ? (top - bottom) / gap : 0;
    for (int k = 0; k < 3; k++) {
      const float value = c[k] == high ? top : bottom + (c[k] - low) * scale;
      c[k] = folds ? unfolded(least(greatest(value, 0), 1)) : value;
    }
    r[i] = c[0], g[i] = c[1], b[i] = c[2];
  }
}

// MARK: Point curves

static inline float pointed(const float *table, float x) {
  return x < 1 ? curve_at(table, greatest(x, 0)) : x * table[RAW_CURVE_STEPS];
}

// As in the tone curve, the color between the least and the greatest keeps its relative position.
static void tone_points(const float *restrict table, float *restrict r, float *restrict g,
                        float *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float x = greatest(r[i], 0), y = greatest(g[i], 0), z = greatest(b[i], 0);
    const float high = greatest(x, greatest(y, z)), low = least(x, least(y, z));
    const float top = pointed(table, high), bottom = pointed(table, low);
    const float gap = high - low;
    const float scale = gap > 0 ? (top - bottom) / gap : 0;
    r[i] = x == high ? top : bottom + (x - low) * scale;
    g[i] = y == high ? top : bottom + (y - low) * scale;
    b[i] = z == high ? top : bottom + (z - low) * scale;
  }
}

static void color_points(const float *restrict table, float *restrict p, size_t count) {
  for (size_t i = 0; i < count; i++) p[i] = pointed(table, p[i]);
}

// MARK: Color tables

static void look_up_color(const raw_rgb_table *t, int overrange, float c[3]) {
  float beyond[3] = {0, 0, 0};
  const int moves = t->has_primaries || overrange;
  if (moves) {
    float p[3];
    for (int k = 0; k < 3; k++) {
      const float *m = t->to_primaries + 3 * k;
      p[k] = c[0] * m[0] + c[1] * m[1] + c[2] * m[2];
      if (overrange) p[k] = folded(greatest(p[k], 0));
    }
    for (int k = 0; k < 3; k++) {
      c[k] = clamp01(p[k]);
      if (t->extends_gamut || (overrange && !t->has_primaries)) beyond[k] = p[k] - c[k];
    }
  }
  if (t->encode)
    for (int k = 0; k < 3; k++) c[k] = curve_at(t->encode, clamp01(c[k]));
  // Interpolates between the corners of a tetrahedron: from the least corner, along the colors in
  // order of their fractions.
  const float scale = (float)(t->divisions - 1);
  const size_t steps[3] = {3 * t->divisions * t->divisions, 3 * t->divisions, 3};
  const int32_t last = (int32_t)t->divisions - 2;
  const float *corner = t->entries;
  float part[3];
  for (int k = 0; k < 3; k++) {
    const float place = clamp01(c[k]) * scale;
    int32_t index = (int32_t)place;
    if (index > last) index = last;
    part[k] = place - (float)index;
    corner += (size_t)index * steps[k];
  }
  int order[3] = {0, 1, 2};
  if (part[order[0]] < part[order[1]]) { int s = order[0]; order[0] = order[1]; order[1] = s; }
  if (part[order[1]] < part[order[2]]) { int s = order[1]; order[1] = order[2]; order[2] = s; }
  if (part[order[0]] < part[order[1]]) { int s = order[0]; order[0] = order[1]; order[1] = s; }
  const float *second = corner + steps[order[0]], *third = second + steps[order[1]];
  const float *fourth = third + steps[order[2]];
  const float w0 = 1 - part[order[0]], w1 = part[order[0]] - part[order[1]];
  const float w2 = part[order[1]] - part[order[2]], w3 = part[order[2]];
  for (int k = 0; k < 3; k++) {
    const float found = w0 * corner[k] + w1 * second[k] + w2 * third[k] + w3 * fourth[k];
    c[k] = t->amount == 1 ? found : clamp01(c[k] + t->amount * (found - c[k]));
    if (t->decode) c[k] = curve_at(t->decode, clamp01(c[k]));
  }
  if (!moves) return;
  float p[3];
  for (int k = 0; k < 3; k++) {
    p[k] = c[k] + beyond[k];
    if (overrange) p[k] = unfolded(greatest(p[k], 0));
  }
  for (int k = 0; k < 3; k++) {
    const float *m = t->from_primaries + 3 * k;
    c[k] = p[0] * m[0] + p[1] * m[1] + p[2] * m[2];
    if (!overrange) c[k] = clamp01(c[k]);
  }
}

// The weight of everything that no mask claims.
static inline float unclaimed(const raw_develop *plan, const float *const *masks, size_t i) {
  float sum = 0;
  for (size_t n = 0; n < plan->table_count; n++)
    if (plan->tables[n].mask >= 0) sum += masks[plan->tables[n].mask][i];
  return 1 - least(sum, 1);
}

static void look_up_colors(const raw_develop *plan, const float *const *masks, float *restrict r,
                           float *restrict g, float *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    float c[3] = {r[i], g[i], b[i]};
    const float rest = unclaimed(plan, masks, i);
    if (plan->tables_in_sequence) {
      for (size_t n = 0; n < plan->table_count; n++) {
        const raw_rgb_table *t = plan->tables + n;
        const float weight = t->mask >= 0 ? masks[t->mask][i] : rest;
        float mapped[3] = {c[0], c[1], c[2]};
        look_up_color(t, plan->is_overrange, mapped);
        for (int k = 0; k < 3; k++) c[k] += weight * (mapped[k] - c[k]);
      }
    } else {
      float sum[3] = {0, 0, 0}, weights = rest, other[3] = {c[0], c[1], c[2]};
      for (size_t n = 0; n < plan->table_count; n++) {
        const raw_rgb_table *t = plan->tables + n;
        float mapped[3] = {c[0], c[1], c[2]};
        look_up_color(t, plan->is_overrange, mapped);
        if (t->mask < 0) {
          memcpy(other, mapped, sizeof other);
          continue;
        }
        weights += masks[t->mask][i];
        for (int k = 0; k < 3; k++) sum[k] += masks[t->mask][i] * mapped[k];
      }
      for (int k = 0; k < 3; k++) c[k] = (sum[k] + rest * other[k]) / weights;
    }
    r[i] = c[0], g[i] = c[1], b[i] = c[2];
  }
}

// MARK: Output

RAW_VECTORS
static void encode(const float *restrict table, float *restrict p, size_t count) {
  for (size_t i = 0; i < count; i++) p[i] = curve_at(table, clamp01(p[i]));
}

void raw_develop_light(const raw_develop *plan, size_t count, float x, float y, float step,
                       float *red, float *green, float *blue) {
  float *planes[3] = {red, green, blue};
  const int clips = !plan->is_open && !plan->is_overrange && !plan->rolls_off;
  for (int k = 0; k < 3; k++)
    if (!plan->is_open)
      clamp(planes[k], count, 0, plan->rolls_off ? most_light : plan->white[k]);
  multiply(plan->matrix, red, green, blue, count);
  if (!plan->is_open)
    for (int k = 0; k < 3; k++) clamp(planes[k], count, 0, plan->rolls_off ? most_light : 1);
  const int beyond = plan->is_overrange || plan->rolls_off;
  if (plan->hue.entries) look_up_hues(&plan->hue, beyond, red, green, blue, count);
  if (plan->gain.gains) {
    gain(&plan->gain, clips, x, y, step, red, green, blue, count);
    if (!plan->is_open)
      for (int k = 0; k < 3; k++) clamp(planes[k], count, 0, most_light);
  }
  for (int k = 0; k < 3; k++) expose(plan, clips, planes[k], count);
}

void raw_develop_look(const raw_develop *plan, size_t count, const float *const *masks, float *red,
                      float *green, float *blue) {
  float *planes[3] = {red, green, blue};
  // A large exposure may produce infinite light, and a filter any value.
  if (!plan->is_open)
    for (int k = 0; k < 3; k++) clamp(planes[k], count, 0, most_light);
  if (plan->rolls_off && !plan->is_overrange) roll_off(red, green, blue, count);
  if (plan->look.entries) look_up_hues(&plan->look, plan->is_overrange, red, green, blue, count);
  if (plan->tone) {
    if (plan->is_overrange)
      tone_overrange(plan, plan->tone_limit <= 0, red, green, blue, count);
    else
      tone(plan->tone, red, green, blue, count);
  }
  if (plan->table_count) look_up_colors(plan, masks, red, green, blue, count);
  if (plan->points[0]) tone_points(plan->points[0], red, green, blue, count);
  for (int k = 0; k < 3; k++)
    if (plan->points[k + 1]) color_points(plan->points[k + 1], planes[k], count);
  multiply(plan->output, red, green, blue, count);
  if (plan->saturation != 0 || plan->vibrance != 0) raw_saturate(plan, red, green, blue, count);
  if (plan->maps_gamut) raw_map_gamut(plan, red, green, blue, count);
  if (!plan->is_open && !plan->is_overrange)
    for (int k = 0; k < 3; k++) clamp(planes[k], count, 0, 1);
  if (plan->encode)
    for (int k = 0; k < 3; k++) encode(plan->encode, planes[k], count);
}

void raw_develop_run(const raw_develop *plan, size_t count, float x, float y, float step,
                     const float *const *masks, float *red, float *green, float *blue) {
  raw_develop_light(plan, count, x, y, step, red, green, blue);
  raw_develop_look(plan, count, masks, red, green, blue);
}
