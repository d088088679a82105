#include <math.h>
#include <string.h>

#include "CRawKernels.h"
#include "vectors.h"

// Cells of 2 by 2: the same as the general loop, without testing each pixel's color.
RAW_VECTORS
static void bin_cells(const float *restrict top, const float *restrict bottom, size_t red_column,
                      size_t count, float *restrict own, float *restrict green,
                      float *restrict other) {
  const size_t green_column = red_column ^ 1;
  for (size_t i = 0; i < count; i++) {
    own[i] = top[2 * i + red_column];
    green[i] = (top[2 * i + green_column] + bottom[2 * i + red_column]) * 0.5f;
    other[i] = bottom[2 * i + green_column];
  }
}

void raw_bin_mosaic(const float *light, size_t width, size_t rows, size_t reduction,
                    uint32_t red_row, uint32_t red_column, size_t columns, float *red,
                    float *green, float *blue) {
  size_t whole = 0;
  if (reduction == 2 && rows == 2) {
    whole = columns < width / 2 ? columns : width / 2;
    // The first row has red or blue at the column where red has its own.
    const size_t column = red_row == 0 ? red_column : red_column ^ 1;
    bin_cells(light, light + width, column, whole, red_row == 0 ? red : blue, green,
              red_row == 0 ? blue : red);
  }
  for (size_t block = whole; block < columns; block++) {
    float sums[3] = {0, 0, 0};
    unsigned counts[3] = {0, 0, 0};
    size_t last = (block + 1) * reduction;
    if (last > width) last = width;
    for (size_t y = 0; y < rows; y++)
      for (size_t x = block * reduction; x < last; x++) {
        const int is_green = (((uint32_t)(x + y) ^ red_row ^ red_column) & 1) != 0;
        const int color = is_green ? 1 : ((uint32_t)y & 1) == red_row ? 0 : 2;
        sums[color] += light[y * width + x];
        counts[color]++;
      }
    // A picture of odd size may lack a color in its last block.
    red[block] = sums[0] / (float)(counts[0] ? counts[0] : 1);
    green[block] = sums[1] / (float)(counts[1] ? counts[1] : 1);
    blue[block] = sums[2] / (float)(counts[2] ? counts[2] : 1);
  }
}

void raw_average(const float *light, size_t width, size_t components, size_t component, size_t rows,
                 size_t reduction, size_t columns, float *target) {
  if (reduction == 1) {
    for (size_t i = 0; i < columns; i++) target[i] = light[i * components + component];
    return;
  }
  for (size_t block = 0; block < columns; block++) {
    size_t last = (block + 1) * reduction;
    if (last > width) last = width;
    float sum = 0;
    for (size_t y = 0; y < rows; y++)
      for (size_t x = block * reduction; x < last; x++)
        sum += light[(y * width + x) * components + component];
    target[block] = sum / (float)(rows * (last - block * reduction));
  }
}

// The curve is a cube root with a linear part near zero. Of the curves tried, it gives the smallest
// error on photographs: docs/raw.md.
static const float foot = 0.001f;        // Added to light, to bound the root's slope.
static const float start = 0.1f;         // The cube root of that.
static const float slope = 33.3333333f;  // The slope there.

// By Halley's method, starting from a third of the exponent; operations have a fixed order, so
// results are exactly reproducible.
static inline float cube_root(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = bits / 3 + 709921077u;
  float y;
  memcpy(&y, &bits, sizeof y);
  for (int i = 0; i < 2; i++) {
    const float cube = y * y * y;
    y = y * (cube + 2 * x) / (2 * cube + x);
  }
  return y;
}

static inline float perceived(float x) {
  const float root = cube_root((x > 0 ? x : 0) + foot);
  return x > 0 ? root : start + x * slope;
}

static inline float unperceived(float y) {
  return y > start ? y * y * y - foot : (y - start) * (1 / slope);
}

static size_t mirrored(long index, size_t count) {
  if (index >= 0 && index < (long)count) return (size_t)index;
  if (count < 2) return 0;
  const long period = 2 * ((long)count - 1);
  const long place = ((index % period) + period) % period;
  return (size_t)(place < (long)count ? place : period - place);
}

RAW_VECTORS
static void fill_line(const float *restrict source, const float factors[2], float limit,
                      float *restrict target) {
  for (int i = 0; i < RAW_TILE_STRIDE; i += 2) {
    target[i] = perceived(least(source[i] * factors[0], limit));
    target[i + 1] = perceived(least(source[i + 1] * factors[1], limit));
  }
}

RAW_VECTORS
static void fill_linear(const float *restrict source, const float factors[2], float limit,
                        float *restrict target) {
  for (int i = 0; i < RAW_TILE_STRIDE; i += 2) {
    target[i] = least(source[i] * factors[0], limit);
    target[i + 1] = least(source[i + 1] * factors[1], limit);
  }
}

void raw_fill_tile(const float *mosaic, size_t width, size_t height, long x, long y,
                   uint32_t red_row, uint32_t red_column, const float balance[3], float limit,
                   int is_linear, float *tile) {
  for (long row = 0; row < RAW_TILE_STRIDE; row++) {
    const float *source = mosaic + mirrored(y + row, height) * width;
    float copy[RAW_TILE_STRIDE];
    if (x >= 0 && x + RAW_TILE_STRIDE <= (long)width) {
      source += x;
    } else {
      for (long i = 0; i < RAW_TILE_STRIDE; i++) copy[i] = source[mirrored(x + i, width)];
      source = copy;
    }
    float factors[2];
    for (uint32_t i = 0; i < 2; i++) {
      const uint32_t py = (uint32_t)(y + row) & 1, px = (uint32_t)(x + (long)i) & 1;
      const int is_green = ((py ^ px ^ red_row ^ red_column) & 1) != 0;
      factors[i] = balance[is_green ? 1 : py == red_row ? 0 : 2];
    }
    float *line = tile + row * RAW_TILE_STRIDE;
    if (is_linear)
      fill_linear(source, factors, limit, line);
    else
      fill_line(source, factors, limit, line);
  }
}

RAW_VECTORS
void raw_decode_run(const float *restrict coded, size_t count, float balance,
                    float *restrict light) {
  const float factor = 1 / balance;
  for (size_t i = 0; i < count; i++) light[i] = unperceived(coded[i]) * factor;
}

RAW_VECTORS
void raw_unbalance_run(const float *restrict balanced, size_t count, float balance,
                       float *restrict light) {
  const float factor = 1 / balance;
  for (size_t i = 0; i < count; i++) light[i] = balanced[i] * factor;
}

void raw_place_run(const void *run, size_t count, size_t pixel_bytes, void *pixels, ptrdiff_t first,
                   ptrdiff_t step) {
  const uint8_t *source = run;
  uint8_t *target = (uint8_t *)pixels + first * (ptrdiff_t)pixel_bytes;
  if (step == 1) {
    memcpy(target, source, count * pixel_bytes);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    memcpy(target, source, pixel_bytes);
    source += pixel_bytes;
    target += step * (ptrdiff_t)pixel_bytes;
  }
}

// Mitchell and Netravali's cubic (1988) with B = C = 1/3, which neither rings nor blurs much.
static inline float cubic(float x) {
  x = fabsf(x);
  const float near = (7 * x * x * x - 12 * x * x + 16.0f / 3) / 6;
  const float far = (-7.0f / 3 * x * x * x + 12 * x * x - 20 * x + 32.0f / 3) / 6;
  return x < 1 ? near : x < 2 ? far : 0;
}

// The samples that a sample of the shrunk line covers: the first one, their number, and their
// weights. The first weights are stored; further ones, for strong reductions, are computed when
// needed.
enum { TAPS = 16 };
typedef struct taps {
  long first;
  long count;
  float middle;
  float reach;
  float sum;
  float weights[TAPS];
} taps;

static inline float covered(long first, long i, float middle, float reach) {
  return cubic(((float)(first + i) - middle) * 2 / reach);
}

RAW_VECTORS
static void cover(size_t index, size_t size, size_t source_size, taps *result) {
  const float scale = (float)source_size / (float)size;
  const float reach = 2 * (scale > 1 ? scale : 1);
  const float middle = ((float)index + 0.5f) * scale - 0.5f;
  const long first = (long)ceilf(middle - reach);
  const long count = (long)(floorf(middle + reach) - (float)first) + 1;
  float weights[TAPS], sum = 0;
  for (int i = 0; i < TAPS; i++) weights[i] = covered(first, i, middle, reach);
  for (long i = 0; i < count; i++) sum += i < TAPS ? weights[i] : covered(first, i, middle, reach);
  for (int i = 0; i < TAPS; i++) result->weights[i] = weights[i] / sum;
  result->first = first, result->count = count;
  result->middle = middle, result->reach = reach, result->sum = sum;
}

static inline float weight_of(const taps *t, long i) {
  return i < TAPS ? t->weights[i] : covered(t->first, i, t->middle, t->reach) / t->sum;
}

static inline size_t inside(long index, size_t count) {
  return index < 0 ? 0 : index >= (long)count ? count - 1 : (size_t)index;
}

void raw_shrink_reach(const raw_shrinking *way, size_t first, size_t last, size_t *begin,
                      size_t *end) {
  taps above, below;
  cover(first, way->height, way->source_height, &above);
  cover(last - 1, way->height, way->source_height, &below);
  *begin = inside(above.first, way->source_height);
  *end = inside(below.first + below.count - 1, way->source_height) + 1;
}

// Columns processed at a time, before and after shrinking along rows.
enum { SHRINK_BLOCK = 64, SHRINK_COLUMNS = 16 };

// What some rows cover in each column; `lines` stores the rows of a column consecutively.
RAW_VECTORS
static void shrink_down(const raw_shrinking *way, const float *restrict source, size_t source_first,
                        size_t stride, const taps *down, size_t rows, float *restrict lines) {
  for (size_t column = 0; column < way->source_width; column += SHRINK_BLOCK) {
    const size_t left = way->source_width - column;
    const size_t count = left < SHRINK_BLOCK ? left : SHRINK_BLOCK;
    float sums[RAW_SHRINK_ROWS][SHRINK_BLOCK] = {{0}};
    for (size_t row = 0; row < rows; row++)
      for (long j = 0; j < down[row].count; j++) {
        const size_t place = inside(down[row].first + j, way->source_height) - source_first;
        const float *line = source + place * stride + column;
        const float weight = weight_of(&down[row], j);
        for (size_t i = 0; i < count; i++) sums[row][i] += weight * line[i];
      }
    for (size_t i = 0; i < count; i++)
      for (size_t row = 0; row < RAW_SHRINK_ROWS; row++)
        lines[(column + i) * RAW_SHRINK_ROWS + row] = sums[row][i];
  }
}

// The coverage of a column is the same in each row.
RAW_VECTORS
static void shrink_across(const taps *across, const float *restrict lines, size_t source_width,
                          float sums[RAW_SHRINK_ROWS]) {
  float found[RAW_SHRINK_ROWS] = {0};
  for (long i = 0; i < across->count; i++) {
    const float *line = lines + inside(across->first + i, source_width) * RAW_SHRINK_ROWS;
    const float weight = weight_of(across, i);
    for (int row = 0; row < RAW_SHRINK_ROWS; row++) found[row] += weight * line[row];
  }
  memcpy(sums, found, sizeof found);
}

void raw_shrink(const raw_shrinking *way, const float *source, size_t source_first, size_t stride,
                size_t first, size_t last, float *lines, float *target) {
  for (size_t top = first; top < last; top += RAW_SHRINK_ROWS) {
    const size_t rows = last - top < RAW_SHRINK_ROWS ? last - top : RAW_SHRINK_ROWS;
    taps down[RAW_SHRINK_ROWS];
    for (size_t row = 0; row < rows; row++)
      cover(top + row, way->height, way->source_height, &down[row]);
    shrink_down(way, source, source_first, stride, down, rows, lines);
    for (size_t column = 0; column < way->width; column += SHRINK_COLUMNS) {
      const size_t left = way->width - column;
      const size_t count = left < SHRINK_COLUMNS ? left : SHRINK_COLUMNS;
      float sums[SHRINK_COLUMNS][RAW_SHRINK_ROWS];
      for (size_t i = 0; i < count; i++) {
        taps across;
        cover(column + i, way->width, way->source_width, &across);
        shrink_across(&across, lines, way->source_width, sums[i]);
      }
      for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < count; i++)
          target[(top + row) * way->width + column + i] = sums[i][row];
    }
  }
}
