#include "CRawKernels.h"

#include <math.h>

#include "vectors.h"

// Color differences are interpolated along rows and along columns, and the two are mixed by how
// little each one's differences change around the pixel, in four directions. See docs/raw.md.
//
// All pixels take all steps, and what is not of their color is left out at the end: loops without
// branches are vectors.

enum { S = RAW_TILE_STRIDE };

// 1 and 0 in turn: from here on, or from the second one, it is 1 where a row's pixels are green.
static const float turns[] = {
#define TWO 1, 0
#define EIGHT TWO, TWO, TWO, TWO
#define THIRTY_TWO EIGHT, EIGHT, EIGHT, EIGHT
    THIRTY_TWO, THIRTY_TWO, THIRTY_TWO, THIRTY_TWO, 1};
_Static_assert(sizeof turns == (S + 1) * sizeof(float), "a row's turns");

static const float *greens(int y, uint32_t red_row, uint32_t red_column) {
  return turns + (((uint32_t)y ^ red_row ^ red_column ^ 1) & 1);
}

// Green minus the pixel's own color (red and blue pixels), or green minus the row's or column's
// other color (green pixels), by the mean of neighbors corrected by the second difference.
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

// How much the difference changes over a pixel, `step` being from one neighbor to the next.
RAW_VECTORS
static void gradients(const float *restrict differences, int step, float *restrict change) {
  for (int y = 3; y < S - 3; y++)
    for (int x = 3; x < S - 3; x++) {
      const int i = y * S + x;
      change[i] = fabsf(differences[i - step] - differences[i + step]);
    }
}

// The weight of a direction, from sums of changes over five by five, by rows and then columns.
RAW_VECTORS
static void weights(const float *restrict source, float *restrict rows, float *restrict result) {
  for (int y = 3; y < S - 3; y++)
    for (int x = 5; x < S - 5; x++) {
      const float *p = source + y * S + x;
      rows[y * S + x] = p[-2] + p[-1] + p[0] + p[1] + p[2];
    }
  for (int y = 5; y < S - 5; y++)
    for (int x = 5; x < S - 5; x++) {
      const float *p = rows + y * S + x;
      const float w = 1 / (p[-2 * S] + p[-S] + p[0] + p[S] + p[2 * S] + 1e-4f);
      result[y * S + x] = w * w;
    }
}

// The difference at red and blue pixels, mixed from north, south, west and east.
RAW_VECTORS
static void mix(const float *restrict across, const float *restrict down,
                const float *restrict across_weight, const float *restrict down_weight,
                float *restrict result) {
  for (int y = 8; y < S - 8; y++)
    for (int x = 8; x < S - 8; x++) {
      const int i = y * S + x;
      const float wn = down_weight[i - 2 * S], ws = down_weight[i + 2 * S];
      const float ww = across_weight[i - 2], we = across_weight[i + 2];
      const float north = 0.5f * down[i] + 0.25f * (down[i - S] + down[i - 2 * S]);
      const float south = 0.5f * down[i] + 0.25f * (down[i + S] + down[i + 2 * S]);
      const float west = 0.5f * across[i] + 0.25f * (across[i - 1] + across[i - 2]);
      const float east = 0.5f * across[i] + 0.25f * (across[i + 1] + across[i + 2]);
      result[i] = (wn * north + ws * south + ww * west + we * east) / (wn + ws + ww + we);
    }
}

// A row of colors. At green pixels the row's color lies left and right, the other one above and below;
// at the row's own ones the other lies on the diagonals: near ones, corrected by those beyond.
RAW_VECTORS
static void color_row(const float *restrict mosaic, const float *restrict mixed,
                      const float *restrict across_weight, const float *restrict down_weight,
                      const float *restrict is_green, int y, float *restrict own,
                      float *restrict green, float *restrict other) {
  for (int x = 12; x < S - 12; x++) {
    const int i = y * S + x;
    const float m = mosaic[i], here = m + mixed[i];
    const float wn = down_weight[i - S], ws = down_weight[i + S];
    const float ww = across_weight[i - 1], we = across_weight[i + 1];
    const float beside = (ww * mixed[i - 1] + we * mixed[i + 1]) / (ww + we);
    const float above = (wn * mixed[i - S] + ws * mixed[i + S]) / (wn + ws);
    const float near = mixed[i - S - 1] + mixed[i - S + 1] + mixed[i + S - 1] + mixed[i + S + 1];
    const float beyond = mixed[i - 3 * S - 1] + mixed[i - 3 * S + 1] + mixed[i + 3 * S - 1] +
                         mixed[i + 3 * S + 1] + mixed[i - S - 3] + mixed[i - S + 3] +
                         mixed[i + S - 3] + mixed[i + S + 3];
    const float diagonal = here - (near * (10.0f / 32) - beyond * (1.0f / 32));
    green[i] = is_green[x] != 0 ? m : here;
    own[i] = is_green[x] != 0 ? m - beside : m;
    other[i] = is_green[x] != 0 ? m - above : diagonal;
  }
}

void raw_demosaic_tile(const float *mosaic, uint32_t red_row, uint32_t red_column,
                       raw_demosaic_scratch *scratch, float *red, float *green, float *blue) {
  float *across = scratch->plane[0], *down = scratch->plane[1];
  float *change = scratch->plane[2], *rows = scratch->plane[3];
  float *across_weight = scratch->plane[4], *down_weight = scratch->plane[5];
  float *mixed = scratch->plane[6];
  // Green minus red and green minus blue, each where it is known.
  differences(mosaic, red_row, red_column, across, down);
  gradients(across, 1, change);
  weights(change, rows, across_weight);
  gradients(down, S, change);
  weights(change, rows, down_weight);
  mix(across, down, across_weight, down_weight, mixed);
  for (int y = 12; y < S - 12; y++) {
    const int is_red_row = ((uint32_t)y & 1) == red_row;
    color_row(mosaic, mixed, across_weight, down_weight, greens(y, red_row, red_column), y,
              is_red_row ? red : blue, green, is_red_row ? blue : red);
  }
}
