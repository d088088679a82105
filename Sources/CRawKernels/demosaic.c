#include "CRawKernels.h"

#include <math.h>

#include "vectors.h"

// Color differences are interpolated along rows and along columns, and the two are mixed by how
// little the differences change around the pixel in four directions. Where differences change
// nearly as much as light itself, colors are assumed to be proportional, with a slope found there
// from second differences. See docs/raw.md.
//
// All steps are computed for all pixels, and results for other colors are discarded at the end:
// loops without branches can be vectorized.

enum { S = RAW_TILE_STRIDE };

// Alternating 1 and 0: from the first or second element on, it is 1 where a row's pixels are green.
static const float turns[] = {
#define TWO 1, 0
#define EIGHT TWO, TWO, TWO, TWO
#define THIRTY_TWO EIGHT, EIGHT, EIGHT, EIGHT
    THIRTY_TWO, THIRTY_TWO, THIRTY_TWO, THIRTY_TWO, 1};
_Static_assert(sizeof turns == (S + 1) * sizeof(float), "a row's turns");

static const float *greens(int y, uint32_t red_row, uint32_t red_column) {
  return turns + (((uint32_t)y ^ red_row ^ red_column ^ 1) & 1);
}

// Green minus the pixel's own color (at red and blue pixels), or green minus the row's or column's
// other color (at green pixels), by the mean of neighbors corrected by the second difference.
RAW_VECTORS
static void differences(const float *restrict m, uint32_t red_row, uint32_t red_column,
                        float *restrict across, float *restrict down) {
  for (int y = 2; y < S - 2; y++) {
    const float *is_green = greens(y, red_row, red_column);
    for (int x = 2; x < S - 2; x++) {
      const float *p = m + y * S + x;
      const float h = 0.5f * (p[-1] + p[1]) + 0.25f * (2 * p[0] - p[-2] - p[2]) - p[0];
      const float v = 0.5f * (p[-S] + p[S]) + 0.25f * (2 * p[0] - p[-2 * S] - p[2 * S]) - p[0];
      const float sign = 1 - 2 * is_green[x];
      across[y * S + x] = sign * h;
      down[y * S + x] = sign * v;
    }
  }
}

// How much the difference changes across a pixel; `step` is the distance between neighbors.
RAW_VECTORS
static void gradients(const float *restrict differences, int step, float *restrict change) {
  for (int y = 3; y < S - 3; y++)
    for (int x = 3; x < S - 3; x++) {
      const int i = y * S + x;
      change[i] = fabsf(differences[i - step] - differences[i + step]);
    }
}

// Second differences of one color; `step` is the distance between neighbors.
static inline float bend(const float *p, int step) {
  return 2 * p[0] - p[-2 * step] - p[2 * step];
}

// The same for the other color, halfway between neighbors.
static inline float bend_between(const float *p, int step) {
  return p[-step] + p[step] - p[-3 * step] - p[3 * step];
}

// The second difference of light, and the terms for a slope from one color to the other: the
// product of both colors' second differences, and the square of the pixel's own.
RAW_VECTORS
static void bends(const float *restrict mosaic, float *restrict amount, float *restrict product,
                  float *restrict square) {
  for (int y = 3; y < S - 3; y++)
    for (int x = 3; x < S - 3; x++) {
      const int i = y * S + x;
      const float *p = mosaic + i;
      const float h = bend(p, 1), v = bend(p, S);
      amount[i] = fabsf(h) + fabsf(v);
      product[i] = bend_between(p, 1) * h + bend_between(p, S) * v;
      square[i] = h * h + v * v;
    }
}

// Sums over 5 by 5 pixels, first along rows, then along columns.
RAW_VECTORS
static void sums(const float *restrict source, float *restrict rows, float *restrict result) {
  for (int y = 3; y < S - 3; y++)
    for (int x = 5; x < S - 5; x++) {
      const float *p = source + y * S + x;
      rows[y * S + x] = p[-2] + p[-1] + p[0] + p[1] + p[2];
    }
  for (int y = 5; y < S - 5; y++)
    for (int x = 5; x < S - 5; x++) {
      const float *p = rows + y * S + x;
      result[y * S + x] = p[-2 * S] + p[-S] + p[0] + p[S] + p[2 * S];
    }
}

// Replaces products by slopes from sums over the nine neighboring pixels of the same color. In low
// light the slope stays at one.
RAW_VECTORS
static void slopes(float *restrict product, const float *restrict square, int margin, float prior,
                   float limit, float *restrict product_rows, float *restrict square_rows) {
  for (int y = margin; y < S - margin; y++)
    for (int x = margin + 2; x < S - margin - 2; x++) {
      const int i = y * S + x;
      product_rows[i] = product[i - 2] + product[i] + product[i + 2];
      square_rows[i] = square[i - 2] + square[i] + square[i + 2];
    }
  for (int y = margin + 2; y < S - margin - 2; y++)
    for (int x = margin + 2; x < S - margin - 2; x++) {
      const int i = y * S + x;
      const float *p = product_rows + i, *q = square_rows + i;
      const float slope =
          (p[-2 * S] + p[0] + p[2 * S] + prior) / (q[-2 * S] + q[0] + q[2 * S] + prior);
      product[i] = least(slope > 0 ? slope : 0, limit);
    }
}

// Replaces sums of changes by weights for both directions, and sums of second differences by the
// doubt about differences, 0 to 1.
RAW_VECTORS
static void weights(float *restrict across, float *restrict down, float *restrict doubt) {
  for (int y = 5; y < S - 5; y++)
    for (int x = 5; x < S - 5; x++) {
      const int i = y * S + x;
      const float share = (across[i] + down[i]) / (doubt[i] + 0.04f);
      const float much = (share - 0.3f) * 2.5f;
      doubt[i] = least(much > 0 ? much : 0, 1);
      const float a = 1 / (across[i] + 1e-4f), d = 1 / (down[i] + 1e-4f);
      across[i] = a * a;
      down[i] = d * d;
    }
}

// The difference at red and blue pixels, mixed from north, south, west and east, and from rows and
// columns by the slope.
RAW_VECTORS
static void mix(const float *restrict mosaic, const float *restrict across,
                const float *restrict down, const float *restrict across_weight,
                const float *restrict down_weight, const float *restrict slope,
                const float *restrict doubt, float *restrict result) {
  for (int y = 8; y < S - 8; y++)
    for (int x = 8; x < S - 8; x++) {
      const int i = y * S + x;
      const float *p = mosaic + i;
      const float wn = down_weight[i - 2 * S], ws = down_weight[i + 2 * S];
      const float ww = across_weight[i - 2], we = across_weight[i + 2];
      const float north = 0.5f * down[i] + 0.25f * (down[i - S] + down[i - 2 * S]);
      const float south = 0.5f * down[i] + 0.25f * (down[i + S] + down[i + 2 * S]);
      const float west = 0.5f * across[i] + 0.25f * (across[i - 1] + across[i - 2]);
      const float east = 0.5f * across[i] + 0.25f * (across[i + 1] + across[i + 2]);
      // The full differences already contain a quarter of the second difference.
      const float part = 0.25f * (slope[i] - 1);
      const float row = across[i] + part * bend(p, 1), column = down[i] + part * bend(p, S);
      const float even = wn * north + ws * south + ww * west + we * east;
      const float sloped = (ww + we) * row + (wn + ws) * column;
      result[i] = (even + doubt[i] * (sloped - even)) / (wn + ws + ww + we);
    }
}

// The terms for the slopes of red and blue over green, where both are known.
RAW_VECTORS
static void known_bends(const float *restrict mosaic, const float *restrict mixed,
                        float *restrict green, float *restrict product, float *restrict square) {
  for (int y = 8; y < S - 8; y++)
    for (int x = 8; x < S - 8; x++) green[y * S + x] = mosaic[y * S + x] + mixed[y * S + x];
  for (int y = 10; y < S - 10; y++)
    for (int x = 10; x < S - 10; x++) {
      const int i = y * S + x;
      const float bent = bend(green + i, 1) + bend(green + i, S);
      product[i] = bent * (bend(mosaic + i, 1) + bend(mosaic + i, S));
      square[i] = bent * bent;
    }
}

// Red and blue as lines over green: slopes weighted by the distrust in differences, and the value
// where green is zero.
RAW_VECTORS
static void lines(const float *restrict mosaic, const float *restrict green,
                  const float *restrict doubt, float *restrict slope, float *restrict start) {
  for (int y = 12; y < S - 12; y++)
    for (int x = 12; x < S - 12; x++) {
      const int i = y * S + x;
      slope[i] = 1 + least(doubt[i] + 0.2f, 1) * (slope[i] - 1);
      start[i] = mosaic[i] - slope[i] * green[i];
    }
}

// The weighted mean of the left and right or upper and lower neighbors.
static inline float mean(const float *p, int step, float before, float after) {
  return (before * p[-step] + after * p[step]) / (before + after);
}

// The mean of the diagonal neighbors, corrected by those beyond.
static inline float diagonal(const float *p) {
  const float near = p[-S - 1] + p[-S + 1] + p[S - 1] + p[S + 1];
  const float beyond = p[-3 * S - 1] + p[-3 * S + 1] + p[3 * S - 1] + p[3 * S + 1] + p[-S - 3] +
                       p[-S + 3] + p[S - 3] + p[S + 3];
  return near * (10.0f / 32) - beyond * (1.0f / 32);
}

// A row of colors. At green pixels, the row's own color is on the left and right and the other one
// above and below; at the row's own color, the other one is on the diagonals.
RAW_VECTORS
static void color_row(const float *restrict mosaic, const float *restrict greens,
                      const float *restrict slope, const float *restrict start,
                      const float *restrict across_weight, const float *restrict down_weight,
                      const float *restrict is_green, int y, float *restrict own,
                      float *restrict green, float *restrict other) {
  for (int x = 16; x < S - 16; x++) {
    const int i = y * S + x;
    const float m = mosaic[i], here = greens[i];
    const float wn = down_weight[i - S], ws = down_weight[i + S];
    const float ww = across_weight[i - 1], we = across_weight[i + 1];
    const float beside = m * mean(slope + i, 1, ww, we) + mean(start + i, 1, ww, we);
    const float above = m * mean(slope + i, S, wn, ws) + mean(start + i, S, wn, ws);
    const float across = here * diagonal(slope + i) + diagonal(start + i);
    green[i] = is_green[x] != 0 ? m : here;
    own[i] = is_green[x] != 0 ? beside : m;
    other[i] = is_green[x] != 0 ? above : across;
  }
}

void raw_demosaic_tile(const float *mosaic, uint32_t red_row, uint32_t red_column,
                       raw_demosaic_scratch *scratch, float *red, float *green, float *blue) {
  float *across = scratch->plane[0], *down = scratch->plane[1];
  float *across_weight = scratch->plane[2], *down_weight = scratch->plane[3];
  float *doubt = scratch->plane[4], *slope = scratch->plane[5], *square = scratch->plane[6];
  float *rows = scratch->plane[7], *more_rows = scratch->plane[8];
  // Green minus red and green minus blue, each where it is known.
  differences(mosaic, red_row, red_column, across, down);
  gradients(across, 1, square);
  sums(square, rows, across_weight);
  gradients(down, S, square);
  sums(square, rows, down_weight);
  bends(mosaic, more_rows, slope, square);
  sums(more_rows, rows, doubt);
  weights(across_weight, down_weight, doubt);
  slopes(slope, square, 3, 2e-3f, 1.5f, rows, more_rows);
  float *mixed = square;
  mix(mosaic, across, down, across_weight, down_weight, slope, doubt, mixed);
  float *greens_there = across, *start = down;
  known_bends(mosaic, mixed, greens_there, slope, start);
  slopes(slope, start, 10, 5e-3f, 1.2f, rows, more_rows);
  lines(mosaic, greens_there, doubt, slope, start);
  for (int y = RAW_TILE_MARGIN; y < S - RAW_TILE_MARGIN; y++) {
    const int is_red_row = ((uint32_t)y & 1) == red_row;
    color_row(mosaic, greens_there, slope, start, across_weight, down_weight,
              greens(y, red_row, red_column), y, is_red_row ? red : blue, green,
              is_red_row ? blue : red);
  }
}

// A row of draft colors with the weights of Malvar, He and Cutler (2004): the mean of a color's
// neighbors, corrected by the second difference of the pixel's own color.
RAW_VECTORS
static void draft_row(const float *restrict mosaic, const float *restrict is_green, int y,
                      float *restrict own, float *restrict green, float *restrict other) {
  for (int x = RAW_TILE_MARGIN; x < S - RAW_TILE_MARGIN; x++) {
    const int i = y * S + x;
    const float *p = mosaic + i;
    const float sides = p[-1] + p[1], ends = p[-S] + p[S];
    const float far_sides = p[-2] + p[2], far_ends = p[-2 * S] + p[2 * S];
    const float corners = p[-S - 1] + p[-S + 1] + p[S - 1] + p[S + 1];
    const float far = far_sides + far_ends;
    const float cross = 0.125f * (4 * p[0] + 2 * (sides + ends) - far);
    const float diagonals = 0.125f * (6 * p[0] + 2 * corners - 1.5f * far);
    const float beside = 0.125f * (5 * p[0] + 4 * sides - far_sides - corners + 0.5f * far_ends);
    const float above = 0.125f * (5 * p[0] + 4 * ends - far_ends - corners + 0.5f * far_sides);
    green[i] = is_green[x] != 0 ? p[0] : cross;
    own[i] = is_green[x] != 0 ? beside : p[0];
    other[i] = is_green[x] != 0 ? above : diagonals;
  }
}

void raw_draft_tile(const float *mosaic, uint32_t red_row, uint32_t red_column, float *red,
                    float *green, float *blue) {
  for (int y = RAW_TILE_MARGIN; y < S - RAW_TILE_MARGIN; y++) {
    const int is_red_row = ((uint32_t)y & 1) == red_row;
    draft_row(mosaic, greens(y, red_row, red_column), y, is_red_row ? red : blue, green,
              is_red_row ? blue : red);
  }
}
