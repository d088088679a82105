#include <math.h>

#include "CRawDevelop.h"

// Catmull-Rom weights of four adjacent pixels for a position between the second and the third.
static inline void weigh(float t, float w[4]) {
  const float u = 1 - t;
  w[0] = -0.5f * t * u * u;
  w[1] = 1 + t * t * (1.5f * t - 2.5f);
  w[2] = 1 + u * u * (1.5f * u - 2.5f);
  w[3] = -0.5f * u * t * t;
}

static inline size_t inside(double place, size_t count) {
  return place <= 0 ? 0 : place >= (double)(count - 1) ? count - 1 : (size_t)place;
}

// The source of a pixel's color: the columns and rows of sixteen pixels, and their weights.
typedef struct source {
  size_t columns[4];
  size_t rows[4];
  float across[4];
  float down[4];
} source;

static source find(const raw_turn *turn, size_t column, size_t row, size_t width, size_t height) {
  const double x = turn->x + (double)column * turn->x_by_column + (double)row * turn->x_by_row;
  const double y = turn->y + (double)column * turn->y_by_column + (double)row * turn->y_by_row;
  const double left = floor(x), top = floor(y);
  source s;
  weigh((float)(x - left), s.across);
  weigh((float)(y - top), s.down);
  for (int k = 0; k < 4; k++) {
    s.columns[k] = inside(left + k - 1, width);
    s.rows[k] = inside(top + k - 1, height);
  }
  return s;
}

#define TURN(name, sample, stored)                                                               \
  void name(const raw_turn *turn, const sample *pixels, size_t source_width,                     \
            size_t source_height, size_t width, size_t first, size_t last, sample *target) {     \
    for (size_t row = first; row < last; row++)                                                  \
      for (size_t column = 0; column < width; column++) {                                        \
        const source s = find(turn, column, row, source_width, source_height);                   \
        for (size_t color = 0; color < 3; color++) {                                             \
          float sum = 0;                                                                         \
          for (int j = 0; j < 4; j++) {                                                          \
            const sample *line = pixels + 3 * s.rows[j] * source_width + color;                  \
            float part = 0;                                                                      \
            for (int i = 0; i < 4; i++) part += s.across[i] * (float)line[3 * s.columns[i]];     \
            sum += s.down[j] * part;                                                             \
          }                                                                                      \
          target[3 * (row * width + column) + color] = stored;                                   \
        }                                                                                        \
      }                                                                                          \
  }

static inline float code(float value, float most) {
  return value <= 0 ? 0 : value >= most ? most : value + 0.5f;
}

TURN(raw_turn_bytes, uint8_t, (uint8_t)code(sum, 255))
TURN(raw_turn_words, uint16_t, (uint16_t)code(sum, 65535))
TURN(raw_turn_floats, float, sum)
