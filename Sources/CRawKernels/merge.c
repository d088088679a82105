#include "CRawKernels.h"
#include "vectors.h"

#include <math.h>

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

RAW_VECTORS float raw_tile_distance(const float *reference, const float *alternate, size_t width,
                                    size_t height, long x, long y, long dx, long dy, float cap) {
  long right = x + RAW_ALIGN_TILE < (long)width ? x + RAW_ALIGN_TILE : (long)width;
  long bottom = y + RAW_ALIGN_TILE < (long)height ? y + RAW_ALIGN_TILE : (long)height;
  if (x + dx < 0 || y + dy < 0 || right + dx > (long)width || bottom + dy > (long)height)
    return INFINITY;
  // One sum per column, so that columns can be processed in parallel.
  float sums[RAW_ALIGN_TILE] = {0};
  long columns = right - x;
  for (long row = y; row < bottom; row++) {
    const float *a = reference + row * (long)width + x;
    const float *b = alternate + (row + dy) * (long)width + x + dx;
    if (columns == RAW_ALIGN_TILE)
      for (long i = 0; i < RAW_ALIGN_TILE; i++) {
        float difference = least(a[i], cap) - least(b[i], cap);
        sums[i] += difference * difference;
      }
    else
      for (long i = 0; i < columns; i++) {
        float difference = least(a[i], cap) - least(b[i], cap);
        sums[i] += difference * difference;
      }
  }
  float total = 0;
  for (long i = 0; i < columns; i++) total += sums[i];
  return total;
}

static inline long clamp(long value, long least, long most) {
  return value < least ? least : value > most ? most : value;
}

enum { SIDE = RAW_ALIGN_TILE, WINDOW = 2, WIDE = SIDE + 2 * WINDOW };

// The cells of a tile within the picture and the requested rows.
typedef struct area {
  long x, y, columns, rows;
} area;

// The trust in a frame for each cell of a tile: 1 if its difference from the reference is what
// noise alone would cause, 0 if something moved. The squared difference in units of its expected
// variance is averaged over the window; saturated samples do not count.
RAW_VECTORS static void measure_trust(const raw_frame *first, const raw_frame *other,
                                      const float *reference, const float *alternate, long columns,
                                      long rows, area tile, long dx, long dy,
                                      float trust[SIDE][SIDE]) {
  float cap = 0.85f * least(first->limit, other->limit);
  float slope = 0.25f * (first->slope + other->slope);
  float floor = 0.25f * (first->floor + other->floor);
  float distance[WIDE][WIDE], counts[WIDE][WIDE];
  long wide = tile.columns + 2 * WINDOW, high = tile.rows + 2 * WINDOW;
  for (long j = 0; j < high; j++) {
    long ry = clamp(tile.y + j - WINDOW, 0, rows - 1), ay = clamp(ry + dy, 0, rows - 1);
    float a[WIDE] = {0}, b[WIDE] = {0};
    for (long i = 0; i < wide; i++) {
      long rx = clamp(tile.x + i - WINDOW, 0, columns - 1);
      a[i] = reference[ry * columns + rx];
      b[i] = alternate[ay * columns + clamp(rx + dx, 0, columns - 1)];
    }
    for (long i = 0; i < WIDE; i++) {
      float light = 0.5f * (a[i] + b[i]), difference = a[i] - b[i];
      float variance = slope * (light > 0 ? light : 0) + floor;
      float counted = a[i] > cap ? 0.0f : 1.0f;
      distance[j][i] = counted * difference * difference / variance;
      counts[j][i] = counted;
    }
  }
  for (long j = 0; j < tile.rows; j++) {
    float sums[WIDE] = {0}, numbers[WIDE] = {0};
    for (long k = 0; k <= 2 * WINDOW; k++)
      for (long i = 0; i < WIDE; i++) {
        sums[i] += distance[j + k][i];
        numbers[i] += counts[j + k][i];
      }
    for (long i = 0; i < SIDE; i++) {
      float sum = sums[i] + sums[i + 1] + sums[i + 2] + sums[i + 3] + sums[i + 4];
      float number = numbers[i] + numbers[i + 1] + numbers[i + 2] + numbers[i + 3] + numbers[i + 4];
      float mean = number > 0 ? sum / number : 0;
      trust[j][i] = mean <= 1.6f ? 1 : mean >= 2.6f ? 0 : 2.6f - mean;
    }
  }
}

// The weighted sums of a tile: each cell has two samples in each of two rows.
typedef struct sums {
  float own[2 * SIDE][2 * SIDE];
  float total[2 * SIDE][2 * SIDE];
  float weight[2 * SIDE][2 * SIDE];
  uint8_t is_saturated[2 * SIDE][2 * SIDE];
  // The number of frames used in each cell.
  float used[SIDE][SIDE];
} sums;

// Begins with the reference alone.
static void begin(sums *sums, const raw_frame *frame, size_t width, area tile) {
  for (long row = 0; row < 2 * tile.rows; row++) {
    const uint16_t *codes = frame->codes + (size_t)(2 * tile.y + row) * width + 2 * tile.x;
    const float *black = frame->black + 2 * (row & 1);
    for (long i = 0; i < 2 * tile.columns; i++) {
      sums->own[row][i] = ((float)codes[i] - black[i & 1]) * frame->scale;
      sums->is_saturated[row][i] = codes[i] >= frame->saturation;
      sums->total[row][i] = sums->weight[row][i] = 0;
    }
  }
  for (long y = 0; y < tile.rows; y++)
    for (long x = 0; x < tile.columns; x++) sums->used[y][x] = 0;
}

// Adds a displaced frame, weighted by its noise and by the trust in it. Saturated samples are left
// out unless no frame can record brighter light: the light is then at least that bright.
RAW_VECTORS static void add(sums *sums, const raw_frame *frame, float headroom,
                            const float *reference, size_t width, size_t height, area tile, long dx,
                            long dy, float trust[SIDE][SIDE]) {
  uint32_t saturation = frame->limit < headroom ? frame->saturation : UINT32_MAX;
  long columns = (long)(width / 2), rows = (long)(height / 2);
  long left = clamp(-(tile.x + dx), 0, tile.columns);
  long right = clamp(columns - (tile.x + dx), 0, tile.columns);
  for (long y = 0; y < tile.rows; y++) {
    if (tile.y + y + dy < 0 || tile.y + y + dy >= rows) continue;
    float base[2 * SIDE], joins[2 * SIDE] = {0};
    for (long x = left; x < right; x++) {
      // Using one signal for all frames gives all weights the same estimate of noise.
      float signal = reference[(tile.y + y) * columns + tile.x + x];
      base[2 * x] = base[2 * x + 1] =
          trust[y][x] / (frame->slope * (signal > 0 ? signal : 0) + frame->floor);
    }
    for (long line = 0; line < 2; line++) {
      long row = 2 * y + line;
      const uint16_t *codes = frame->codes + (size_t)(2 * (tile.y + y + dy) + line) * width;
      codes += 2 * (tile.x + dx);
      float black[2] = {frame->black[2 * line], frame->black[2 * line + 1]};
      for (long i = 2 * left; i < 2 * right; i++) {
        float value = ((float)codes[i] - black[i & 1]) * frame->scale;
        // If the reference is saturated, another frame must be brighter, or else it shows something
        // different.
        int is_out = codes[i] >= saturation;
        is_out |= sums->is_saturated[row][i] & (value < 0.9f * sums->own[row][i]);
        float weight = is_out ? 0.0f : base[i];
        sums->total[row][i] += weight * value;
        sums->weight[row][i] += weight;
        joins[i] = is_out ? joins[i] : 1.0f;
      }
    }
    for (long x = left; x < right; x++)
      sums->used[y][x] += joins[2 * x] + joins[2 * x + 1] > 0 ? trust[y][x] : 0;
  }
}

static void finish(const sums *sums, size_t width, area tile, float *light, float *weights) {
  for (long row = 0; row < 2 * tile.rows; row++) {
    float *out = light + (size_t)(2 * tile.y + row) * width + 2 * tile.x;
    for (long i = 0; i < 2 * tile.columns; i++)
      out[i] = sums->weight[row][i] > 0 ? sums->total[row][i] / sums->weight[row][i]
                                        : sums->own[row][i];
  }
  if (!weights) return;
  for (long y = 0; y < tile.rows; y++)
    for (long x = 0; x < tile.columns; x++)
      weights[(tile.y + y) * (long)(width / 2) + tile.x + x] = sums->used[y][x];
}

void raw_merge(const raw_frame *frames, size_t count, const float *const *cells, size_t width,
               size_t height, const int16_t *shifts, size_t first, size_t last, float *light,
               float *weights) {
  long columns = (long)(width / 2), rows = (long)(height / 2);
  size_t tile_columns = ((size_t)columns + SIDE - 1) / SIDE;
  size_t tile_rows = ((size_t)rows + SIDE - 1) / SIDE;
  float headroom = 0;
  for (size_t f = 0; f < count; f++) headroom = fmaxf(headroom, frames[f].limit);
  area tile = {.y = (long)first};
  for (; tile.y < (long)last; tile.y += tile.rows) {
    long next = (tile.y / SIDE + 1) * SIDE;
    tile.rows = (next < (long)last ? next : (long)last) - tile.y;
    for (tile.x = 0; tile.x < columns; tile.x += tile.columns) {
      tile.columns = columns - tile.x < SIDE ? columns - tile.x : SIDE;
      size_t here = (size_t)(tile.y / SIDE) * tile_columns + (size_t)(tile.x / SIDE);
      sums sums;
      float trust[SIDE][SIDE];
      for (int i = 0; i < SIDE * SIDE; i++) trust[i / SIDE][i % SIDE] = 1;
      begin(&sums, &frames[0], width, tile);
      add(&sums, &frames[0], headroom, cells[0], width, height, tile, 0, 0, trust);
      for (size_t f = 1; f < count; f++) {
        const int16_t *shift = shifts + 2 * ((f - 1) * tile_columns * tile_rows + here);
        measure_trust(&frames[0], &frames[f], cells[0], cells[f], columns, rows, tile, shift[0],
                      shift[1], trust);
        add(&sums, &frames[f], headroom, cells[0], width, height, tile, shift[0], shift[1], trust);
      }
      finish(&sums, width, tile, light, weights);
    }
  }
}
