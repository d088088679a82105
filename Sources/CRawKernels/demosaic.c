#include "CRawKernels.h"

#include <math.h>

// Color differences are interpolated along rows and along columns, and the two are mixed by how
// little each one's differences change around the pixel, in four directions. See docs/raw.md.

enum { S = RAW_TILE_STRIDE };

// Green minus the pixel's own color (red and blue pixels), or green minus the row's or column's
// other color (green pixels), by the mean of neighbors corrected by the second difference.
static void differences(const float *m, uint32_t red_row, uint32_t red_column, float *across,
                        float *down) {
  for (int y = 2; y < S - 2; y++)
    for (int x = 2; x < S - 2; x++) {
      const float *p = m + y * S + x;
      float h = 0.5f * (p[-1] + p[1]) + 0.25f * (2 * p[0] - p[-2] - p[2]);
      float v = 0.5f * (p[-S] + p[S]) + 0.25f * (2 * p[0] - p[-2 * S] - p[2 * S]);
      int is_green = (((uint32_t)(x + y) ^ red_row ^ red_column) & 1) != 0;
      float sign = is_green ? -1.0f : 1.0f;
      across[y * S + x] = sign * (h - p[0]);
      down[y * S + x] = sign * (v - p[0]);
    }
}

static void gradients(const float *across, const float *down, float *across_change,
                      float *down_change) {
  for (int y = 3; y < S - 3; y++)
    for (int x = 3; x < S - 3; x++) {
      int i = y * S + x;
      across_change[i] = fabsf(across[i - 1] - across[i + 1]);
      down_change[i] = fabsf(down[i - S] - down[i + S]);
    }
}

// Sums over five by five, by rows and then columns.
static void sums(const float *source, float *rows, float *result) {
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

static inline float weight(float change) {
  float w = 1 / (change + 1e-4f);
  return w * w;
}

// The difference at red and blue pixels, mixed from north, south, west and east.
static void mix(const float *across, const float *down, const float *across_sum,
                const float *down_sum, uint32_t red_row, uint32_t red_column, float *result) {
  for (int y = 8; y < S - 8; y++)
    for (int x = 8 + (int)(((uint32_t)y ^ red_row ^ red_column ^ 8u) & 1u); x < S - 8; x += 2) {
      int i = y * S + x;
      float wn = weight(down_sum[i - 2 * S]), ws = weight(down_sum[i + 2 * S]);
      float ww = weight(across_sum[i - 2]), we = weight(across_sum[i + 2]);
      float north = 0.5f * down[i] + 0.25f * (down[i - S] + down[i - 2 * S]);
      float south = 0.5f * down[i] + 0.25f * (down[i + S] + down[i + 2 * S]);
      float west = 0.5f * across[i] + 0.25f * (across[i - 1] + across[i - 2]);
      float east = 0.5f * across[i] + 0.25f * (across[i + 1] + across[i + 2]);
      result[i] = (wn * north + ws * south + ww * west + we * east) / (wn + ws + ww + we);
    }
}

void raw_demosaic_tile(const float *mosaic, uint32_t red_row, uint32_t red_column,
                       raw_demosaic_scratch *scratch, float *red, float *green, float *blue) {
  float *across = scratch->plane[0], *down = scratch->plane[1];
  float *across_change = scratch->plane[2], *down_change = scratch->plane[3];
  float *rows = scratch->plane[4], *across_sum = scratch->plane[5], *down_sum = scratch->plane[6];
  float *mixed = scratch->plane[7];
  // Green minus red and green minus blue, each where it is known.
  differences(mosaic, red_row, red_column, across, down);
  gradients(across, down, across_change, down_change);
  sums(across_change, rows, across_sum);
  sums(down_change, rows, down_sum);
  mix(across, down, across_sum, down_sum, red_row, red_column, mixed);

  for (int y = 12; y < S - 12; y++) {
    int is_red_row = ((uint32_t)y & 1) == red_row;
    float *own = is_red_row ? red : blue, *other = is_red_row ? blue : red;
    for (int x = 12; x < S - 12; x++) {
      int i = y * S + x;
      int is_green = (((uint32_t)(x + y) ^ red_row ^ red_column) & 1) != 0;
      if (is_green) {
        green[i] = mosaic[i];
        // The row's color lies left and right, the other one above and below.
        float wn = weight(down_sum[i - S]), ws = weight(down_sum[i + S]);
        float ww = weight(across_sum[i - 1]), we = weight(across_sum[i + 1]);
        float beside = (ww * mixed[i - 1] + we * mixed[i + 1]) / (ww + we);
        float above = (wn * mixed[i - S] + ws * mixed[i + S]) / (wn + ws);
        own[i] = mosaic[i] - beside;
        other[i] = mosaic[i] - above;
      } else {
        green[i] = mosaic[i] + mixed[i];
        own[i] = mosaic[i];
        // The other color lies on the diagonals: near ones, corrected by those beyond.
        float near = mixed[i - S - 1] + mixed[i - S + 1] + mixed[i + S - 1] + mixed[i + S + 1];
        float beyond = mixed[i - 3 * S - 1] + mixed[i - 3 * S + 1] + mixed[i + 3 * S - 1] +
                       mixed[i + 3 * S + 1] + mixed[i - S - 3] + mixed[i - S + 3] +
                       mixed[i + S - 3] + mixed[i + S + 3];
        other[i] = green[i] - (near * (10.0f / 32) - beyond * (1.0f / 32));
      }
    }
  }
}
