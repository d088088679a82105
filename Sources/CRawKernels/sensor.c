#include "CRawKernels.h"

#include <math.h>

static inline uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// A pseudorandom number from 0 to 1 for a grid point.
static inline float lattice(int32_t x, int32_t y, uint32_t layer) {
  uint64_t key = (uint64_t)(uint32_t)x << 32 | (uint32_t)y;
  return (float)(mix(key * 0x9E3779B97F4A7C15u + layer) >> 40) * (1.0f / 16777216.0f);
}

// Smooth noise with features of unit size.
static float texture(float x, float y, uint32_t layer) {
  float fx = floorf(x), fy = floorf(y);
  float u = x - fx, v = y - fy;
  u = u * u * (3 - 2 * u);
  v = v * v * (3 - 2 * v);
  int32_t ix = (int32_t)fx, iy = (int32_t)fy;
  float top = lattice(ix, iy, layer) * (1 - u) + lattice(ix + 1, iy, layer) * u;
  float bottom = lattice(ix, iy + 1, layer) * (1 - u) + lattice(ix + 1, iy + 1, layer) * u;
  return top * (1 - v) + bottom * v;
}

// Linear Rec. 709 colors of surfaces.
static const float surfaces[12][3] = {
    {0.17f, 0.08f, 0.05f}, {0.54f, 0.30f, 0.22f}, {0.11f, 0.19f, 0.34f}, {0.09f, 0.15f, 0.05f},
    {0.24f, 0.22f, 0.44f}, {0.12f, 0.51f, 0.41f}, {0.70f, 0.20f, 0.03f}, {0.06f, 0.10f, 0.39f},
    {0.55f, 0.08f, 0.12f}, {0.10f, 0.04f, 0.14f}, {0.34f, 0.50f, 0.05f}, {0.80f, 0.58f, 0.02f}};

// A step smoothed over a pixel, so that edges do not alias.
static inline float edge(float distance) {
  float t = distance + 0.5f;
  return t <= 0 ? 0 : t >= 1 ? 1 : t;
}

static void background(const raw_scene *scene, float x, float y, float light[3]) {
  float u = x / scene->width, v = y / scene->height;
  if (v > 0.875f) {
    // A wedge of sixteen grays, one stop apart: 2^-12 to 2^3.
    float step = fminf(fmaxf(floorf(u * 16), 0), 15);
    light[0] = light[1] = light[2] = exp2f(step - 12);
    return;
  }
  float level;
  if (u < 0.5f) {
    // A room that gets darker to the left, with a grainy surface and bars.
    level = exp2f(-8 + 12 * fmaxf(u, 0));
  } else {
    level = 0.6f + 1.2f * (u - 0.5f);
  }
  float grain = 0.6f * texture(x / 24, y / 24, 1) + 0.3f * texture(x / 7, y / 7, 2) +
                0.25f * texture(x / 2.6f, y / 2.6f, 3);
  float red = 0.75f + 0.5f * texture(x / 90, y / 90, 4);
  float blue = 0.75f + 0.5f * texture(x / 70, y / 110, 5);
  float gray = 0.15f + 0.7f * grain;
  light[0] = level * gray * red;
  light[1] = level * gray;
  light[2] = level * gray * blue;
  if (u > 0.56f && u < 0.94f && v > 0.08f && v < 0.42f) {
    // Colored surfaces with slanted edges.
    float a = (u - 0.56f) / 0.38f * 4 + 0.15f * (v - 0.25f);
    float b = (v - 0.08f) / 0.34f * 3 + 0.10f * (u - 0.75f);
    int column = (int)fminf(fmaxf(floorf(a), 0), 3), row = (int)fminf(fmaxf(floorf(b), 0), 2);
    const float *surface = surfaces[row * 4 + column];
    for (int c = 0; c < 3; c++) light[c] = surface[c] * (0.95f + 0.1f * grain);
  } else if (u > 0.56f && u < 0.94f && v > 0.5f && v < 0.8f) {
    // Rings that get finer outwards, up to 0.4 cycles per pixel.
    float dx = x - 0.75f * scene->width, dy = y - 0.65f * scene->height;
    float limit = 0.19f * scene->width;
    float ring = 0.5f + 0.4f * cosf(3.14159265f * 0.4f * (dx * dx + dy * dy) / limit);
    light[0] = level * ring;
    light[1] = level * ring;
    light[2] = level * ring;
  }
}

void raw_scene_light(const raw_scene *scene, float x, float y, float light[3]) {
  background(scene, x, y, light);
  if (scene->object_radius <= 0) return;
  float dx = x - scene->object_x, dy = y - scene->object_y;
  float cover = edge(scene->object_radius - sqrtf(dx * dx + dy * dy));
  if (cover <= 0) return;
  float grain = 0.3f + 0.4f * texture(dx / 3, dy / 3, 7);
  const float object[3] = {0.9f * grain, 0.35f * grain, 0.2f * grain};
  for (int c = 0; c < 3; c++) light[c] += cover * (object[c] - light[c]);
}

// An approximately normal deviate of variance 1: the sum of four uniform ones.
static inline float deviate(uint64_t bits) {
  float sum = (float)(bits & 0xFFFF) + (float)(bits >> 16 & 0xFFFF) +
              (float)(bits >> 32 & 0xFFFF) + (float)(bits >> 48);
  return (sum - 131070.0f) * (1.7320508f / 65535.0f);
}

void raw_sensor_expose(const raw_scene *scene, const raw_sensor *sensor, size_t columns,
                       size_t first_row, size_t last_row, uint16_t *codes, size_t stride) {
  const float response[3] = {sensor->red_response, 1, sensor->blue_response};
  // Mixed, because consecutive seeds must be far apart: pixels count up from here.
  uint64_t chance = mix(mix(sensor->seed + 0x9E3779B97F4A7C15u));
  for (size_t y = first_row; y < last_row; y++) {
    uint16_t *row = codes + (y - first_row) * stride;
    int is_red_row = (y & 1) == sensor->red_row;
    for (size_t x = 0; x < columns; x++) {
      int is_red_column = (x & 1) == sensor->red_column;
      int color = is_red_row ? (is_red_column ? 0 : 1) : (is_red_column ? 1 : 2);
      float light[3];
      raw_scene_light(scene, (float)x + sensor->offset_x, (float)y + sensor->offset_y, light);
      float electrons = light[color] * response[color] * sensor->white_electrons;
      uint64_t key = mix(chance + (y * columns + x + 1) * 0x9E3779B97F4A7C15u);
      float caught = electrons + sqrtf(electrons) * deviate(key);
      caught = fminf(fmaxf(caught, 0), sensor->full_well);
      float read = caught + sensor->read_noise * deviate(mix(key + 0x632BE59BD9B4E019u));
      float code = floorf(read / sensor->electrons_per_code + sensor->black_level + 0.5f);
      row[x] = (uint16_t)fminf(fmaxf(code, 0), (float)sensor->greatest_code);
    }
  }
}
