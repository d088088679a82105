#include "CRawKernels.h"

#include <math.h>
#include <string.h>

void raw_cell_means(const raw_frame *frame, size_t width, size_t first, size_t last,
                    float *cells) {
  size_t columns = width / 2;
  const float *black = frame->black;
  for (size_t y = first; y < last; y++) {
    const uint16_t *top = frame->codes + 2 * y * width, *bottom = top + width;
    float *out = cells + y * columns;
    float offset = 0.25f * (black[0] + black[1] + black[2] + black[3]);
    for (size_t x = 0; x < columns; x++) {
      float sum = (float)((uint32_t)top[2 * x] + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1]);
      out[x] = (0.25f * sum - offset) * frame->scale;
    }
  }
}

void raw_halve(const float *source, size_t width, size_t height, float *half) {
  size_t columns = width / 2, rows = height / 2;
  for (size_t y = 0; y < rows; y++) {
    const float *top = source + 2 * y * width, *bottom = top + width;
    for (size_t x = 0; x < columns; x++)
      half[y * columns + x] =
          0.25f * (top[2 * x] + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1]);
  }
}

float raw_tile_distance(const float *reference, const float *alternate, size_t width,
                        size_t height, long x, long y, long side, long dx, long dy,
                        float cap) {
  long right = x + side < (long)width ? x + side : (long)width;
  long bottom = y + side < (long)height ? y + side : (long)height;
  if (x + dx < 0 || y + dy < 0 || right + dx > (long)width || bottom + dy > (long)height)
    return INFINITY;
  float total = 0;
  for (long row = y; row < bottom; row++) {
    const float *a = reference + row * (long)width;
    const float *b = alternate + (row + dy) * (long)width + dx;
    float sum = 0;
    for (long column = x; column < right; column++) {
      float difference = fminf(a[column], cap) - fminf(b[column], cap);
      sum += difference * difference;
    }
    total += sum;
  }
  return total;
}

static inline long clamp(long value, long least, long most) {
  return value < least ? least : value > most ? most : value;
}

enum { WINDOW = 2 };

// How far an alternate's cells around (x, y) are from the reference's, in units of what noise alone
// would make of them: 1 where nothing moved. Saturated references do not count.
static float disagreement(const raw_frame *frames, const float *reference,
                          const float *alternate, size_t frame, long columns, long rows, long x,
                          long y, long dx, long dy) {
  const raw_frame *first = &frames[0], *other = &frames[frame];
  float sum = 0;
  int count = 0;
  for (long j = -WINDOW; j <= WINDOW; j++) {
    long ry = clamp(y + j, 0, rows - 1), ay = clamp(ry + dy, 0, rows - 1);
    for (long i = -WINDOW; i <= WINDOW; i++) {
      long rx = clamp(x + i, 0, columns - 1), ax = clamp(rx + dx, 0, columns - 1);
      float a = reference[ry * columns + rx], b = alternate[ay * columns + ax];
      // What is saturated in either says nothing.
      if (a > 0.85f * first->limit || a > 0.85f * other->limit) continue;
      float light = fmaxf(0.5f * (a + b), 0);
      float variance = 0.25f * ((first->slope + other->slope) * light + first->floor + other->floor);
      float difference = a - b;
      sum += difference * difference / variance;
      count++;
    }
  }
  return count > 0 ? sum / (float)count : 0;
}

void raw_merge(const raw_frame *frames, size_t count, const float *const *cells, size_t width,
               size_t height, const int16_t *shifts, size_t tile, size_t first, size_t last,
               float *light, float *weights) {
  long columns = (long)(width / 2), rows = (long)(height / 2);
  size_t tile_columns = ((size_t)columns + tile - 1) / tile;
  size_t tile_rows = ((size_t)rows + tile - 1) / tile;
  for (long y = (long)first; y < (long)last; y++)
    for (long x = 0; x < columns; x++) {
      size_t here = ((size_t)y / tile) * tile_columns + (size_t)x / tile;
      float total[4] = {0}, sum[4] = {0}, used = 0;
      // A signal that all frames agree on gives all weights the same opinion of the noise.
      float mean = cells[0][y * columns + x];
      int is_saturated = 0;
      float own[4];
      for (int k = 0; k < 4; k++) {
        uint16_t code = frames[0].codes[(size_t)(2 * y + k / 2) * width + (size_t)(2 * x + k % 2)];
        own[k] = ((float)code - frames[0].black[k]) * frames[0].scale;
        if (code >= frames[0].saturation) is_saturated |= 1 << k;
      }
      float signal = fmaxf(mean, 0);
      for (size_t f = 0; f < count; f++) {
        long dx = 0, dy = 0;
        float trust = 1;
        if (f > 0) {
          const int16_t *shift = shifts + 2 * ((f - 1) * tile_columns * tile_rows + here);
          dx = shift[0];
          dy = shift[1];
          if (x + dx < 0 || y + dy < 0 || x + dx >= columns || y + dy >= rows) continue;
          float d = disagreement(frames, cells[0], cells[f], f, columns, rows, x, y, dx, dy);
          trust = d <= 1.6f ? 1 : d >= 2.6f ? 0 : 2.6f - d;
          if (trust <= 0) continue;
        }
        const uint16_t *codes = frames[f].codes;
        float base = trust / (frames[f].slope * signal + frames[f].floor);
        int joins = 0;
        for (int k = 0; k < 4; k++) {
          uint16_t code = codes[(size_t)(2 * (y + dy) + k / 2) * width + (size_t)(2 * (x + dx) + k % 2)];
          if (code >= frames[f].saturation) continue;
          float value = ((float)code - frames[f].black[k]) * frames[f].scale;
          // Where the reference is saturated another frame must be brighter than that, or it shows
          // something else.
          if ((is_saturated >> k & 1) != 0 && value < 0.9f * own[k]) continue;
          total[k] += base * value;
          sum[k] += base;
          joins = 1;
        }
        used += joins ? trust : 0;
      }
      for (int k = 0; k < 4; k++)
        light[(size_t)(2 * y + k / 2) * width + (size_t)(2 * x + k % 2)] =
            sum[k] > 0 ? total[k] / sum[k] : own[k];
      if (weights) weights[y * columns + x] = used;
    }
}
