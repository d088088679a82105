#pragma once

// Development: from a camera's linear light to a rendered picture. A run is part of a row, at most
// RAW_RUN pixels in three planes; it is processed in place, in the order of the DNG specification
// 1.7.1, chapter 6. All light is float; 1 is white.

#include <stddef.h>
#include <stdint.h>

enum {
  RAW_RUN = 384,
  // Intervals of a lookup curve. Its table has an additional value at 1, and one beyond.
  RAW_CURVE_STEPS = 4096,
  // The most masks for a run.
  RAW_MASKS = 20,
};

// Changes of hue, saturation and value: value outermost, then hue, then saturation. An entry has
// sixths of the circle to add to hue, and factors for saturation and value.
typedef struct raw_hue_table {
  // NULL if there is no table.
  const float *entries;
  // At least two saturations.
  size_t hues;
  size_t saturations;
  size_t values;
  // Encoding and decoding curves for value; NULL if linear.
  const float *encode;
  const float *decode;
} raw_hue_table;

// ProfileGainTableMap of either version.
typedef struct raw_gain_table {
  // NULL if there is none: rows outermost, brightness innermost.
  const float *gains;
  size_t rows;
  size_t columns;
  size_t count;
  // Point = pixel * scale + offset.
  float scale_x;
  float scale_y;
  float offset_x;
  float offset_y;
  // The weights of red, green, blue, their minimum and their maximum.
  float weights[5];
  float gamma;
} raw_gain_table;

// A color lookup table.
typedef struct raw_rgb_table {
  // Red outermost, three numbers per entry.
  const float *entries;
  size_t divisions;
  // To the table's primaries and back.
  float to_primaries[9];
  float from_primaries[9];
  // False if both are the same.
  int has_primaries;
  // True if what is outside the primaries' gamut is added again afterwards.
  int extends_gamut;
  const float *encode;
  const float *decode;
  // The strength, 0 to 1.
  float amount;
  // The index of the mask to which it applies; negative for everything that no mask covers.
  int mask;
} raw_rgb_table;

typedef struct raw_develop {
  // Camera colors of the scene's white; light is clipped there unless is_open is set.
  float white[3];
  // Camera colors to linear RIMM.
  float matrix[9];
  // True to keep light below 0 and above 1 from the camera onwards.
  int is_open;
  // True for output beyond 1, as for high-dynamic-range profiles.
  int is_overrange;
  // True to desaturate light beyond white to white instead of clipping it.
  int rolls_off;
  raw_hue_table hue;
  raw_gain_table gain;
  // Exposure and shadows: a slope above black, with a parabola of this radius around black.
  float black;
  float radius;
  float slope;
  raw_hue_table look;
  // The tone curve; NULL if there is none. Beyond 1 it continues from its end, up to a limit.
  const float *tone;
  float tone_end;
  float tone_slope;
  float tone_limit;
  const raw_rgb_table *tables;
  size_t table_count;
  int tables_in_sequence;
  // Point curves: for all colors together, then for red, green and blue; NULL if there is none.
  // Light beyond 1 is multiplied by the curves' ends.
  const float *points[4];
  // Linear RIMM to linear output colors.
  float output[9];
  // True to map colors outside the output's gamut at the same hue instead of clipping.
  int maps_gamut;
  // Linear output colors to Oklab's LMS, and back.
  float to_lms[9];
  float from_lms[9];
  // The weights of the output's red, green and blue in luminance.
  float luminance[3];
  // The factor for chroma, minus one; and the same for pale colors, decreasing towards strong ones.
  // Both are -1 to 1.
  float saturation;
  float vibrance;
  // The transfer curve; NULL if linear.
  const float *encode;
} raw_develop;

// The two halves of raw_develop_run: up to exposed linear light in RIMM colors, and from there on.
void raw_develop_light(const raw_develop *plan, size_t count, float x, float y, float step,
                       float *red, float *green, float *blue);
void raw_develop_look(const raw_develop *plan, size_t count, const float *const *masks, float *red,
                      float *green, float *blue);

// Develops a run; x and y are the center of its first pixel in the active area, in pixels. `masks`
// contains the run's weights for each mask, or is NULL.
void raw_develop_run(const raw_develop *plan, size_t count, float x, float y, float step,
                     const float *const *masks, float *red, float *green, float *blue);

// Stores runs as interleaved pixels. Integers are rounded; 0 to 1 is their full range.
void raw_store_bytes(const float *red, const float *green, const float *blue, size_t count,
                     uint8_t *pixels);
void raw_store_words(const float *red, const float *green, const float *blue, size_t count,
                     uint16_t *pixels);
void raw_store_halves(const float *red, const float *green, const float *blue, size_t count,
                      uint16_t *pixels);
void raw_store_floats(const float *red, const float *green, const float *blue, size_t count,
                      float *pixels);

// The source of a turned picture's pixels: the position of the first one, and the steps to the next
// in its row and in its column, in source pixels. Pixel centers are integers.
typedef struct raw_turn {
  double x;
  double y;
  double x_by_column;
  double y_by_column;
  double x_by_row;
  double y_by_row;
} raw_turn;

// Rows [first, last) of a turned picture of interleaved pixels, by bicubic interpolation; beyond
// its edges, the source's outermost pixels are repeated.
void raw_turn_bytes(const raw_turn *turn, const uint8_t *source, size_t source_width,
                    size_t source_height, size_t width, size_t first, size_t last, uint8_t *target);
void raw_turn_words(const raw_turn *turn, const uint16_t *source, size_t source_width,
                    size_t source_height, size_t width, size_t first, size_t last,
                    uint16_t *target);
void raw_turn_floats(const raw_turn *turn, const float *source, size_t source_width,
                     size_t source_height, size_t width, size_t first, size_t last, float *target);

// Splits interleaved pixels into planes; columns [first, last) of a row.
void raw_split(const float *pixels, size_t components, size_t first, size_t last, float *const *planes);

// Opcodes on one plane of light.

// The pixels of a plane that an opcode changes.
typedef struct raw_opcode_area {
  size_t first_column;
  size_t last_column;
  size_t column_pitch;
} raw_opcode_area;

// Corrects vignetting by a polynomial in even powers of the radius. The center and the reciprocal
// radius are in pixels; rows are those of the picture.
void raw_fix_vignette(float *plane, size_t width, size_t first_row, size_t last_row,
                      double center_x, double center_y, double radius, double pixel_height,
                      const double coefficients[5]);

// The source position of each pixel of a warped plane, as specified in chapter 7 of the
// specification.
typedef struct raw_warp {
  double center_x;
  double center_y;
  // Pixels from the center to the farthest corner; and a pixel's height relative to its width.
  double radius;
  double pixel_height;
  // The radial factor by squared radius, at `factor_count` even steps up to 1.
  const double *factors;
  size_t factor_count;
  double tangential[2];
} raw_warp;

// Warps rows of a plane by bicubic interpolation.
void raw_warp_rows(const raw_warp *warp, const float *source, size_t width, size_t height,
                   size_t first_row, size_t last_row, float *target);

// Reduces blocks of `reduction` by `reduction` mosaic pixels to one pixel with three colors; `rows`
// are those of one row of blocks.
void raw_bin_mosaic(const float *light, size_t width, size_t rows, size_t reduction,
                    uint32_t red_row, uint32_t red_column, size_t columns, float *red,
                    float *green, float *blue);

// The same for one component of interleaved pixels.
void raw_average(const float *light, size_t width, size_t components, size_t component, size_t rows,
                 size_t reduction, size_t columns, float *target);

// Fills a tile for raw_demosaic_tile, margins included. Its corner is at x and y of the mosaic,
// which is mirrored at its edges. Light is multiplied by its color's factor, clipped at `limit` and
// encoded with a perceptual curve, unless it is to stay linear.
void raw_fill_tile(const float *mosaic, size_t width, size_t height, long x, long y,
                   uint32_t red_row, uint32_t red_column, const float balance[3], float limit,
                   int is_linear, float *tile);

// Decodes light from that curve, and divides it by the factor.
void raw_decode_run(const float *coded, size_t count, float balance, float *light);

// Divides linear light by the factor.
void raw_unbalance_run(const float *balanced, size_t count, float balance, float *light);

// Stores a run's pixels at their positions in a turned picture, `step` pixels apart.
void raw_place_run(const void *run, size_t count, size_t pixel_bytes, void *pixels, ptrdiff_t first,
                   ptrdiff_t step);

// Shrinks a plane, or keeps its size: each sample becomes the mean of those it covers, weighted by
// a cubic of twice that width.
typedef struct raw_shrinking {
  size_t source_width;
  size_t source_height;
  size_t width;
  size_t height;
} raw_shrinking;

// The rows of the source that rows [first, last) need.
void raw_shrink_reach(const raw_shrinking *way, size_t first, size_t last, size_t *begin,
                      size_t *end);

// Rows [first, last), of a `target` that begins with row 0. `source` begins with row `source_first`
// and has `stride` samples from one row to the next; it may lack rows that are not needed. `lines`
// has RAW_SHRINK_ROWS times `source_width` floats.
enum { RAW_SHRINK_ROWS = 16 };
void raw_shrink(const raw_shrinking *way, const float *source, size_t source_first, size_t stride,
                size_t first, size_t last, float *lines, float *target);

// Whether any sample is at least `threshold`.
int raw_has_light(const float *light, size_t count, float threshold);

// Guesses clipped colors for rows of three planes: balanced light, estimated from the other two
// colors, or 0 far from clipped positions. `sums` receives, for each color, the sum of differences
// from the guess next to clipped positions, and their number. `marks` is scratch memory for a row
// of bytes.
void raw_guess_highlights(const float *red, const float *green, const float *blue, size_t width,
                          size_t height, size_t first, size_t last, const float white[3],
                          float threshold, uint8_t *marks, float *red_guess, float *green_guess,
                          float *blue_guess, double sums[6]);

// Replaces light in a row by guesses where it is clipped and less than the guess. Even and odd
// pixels have separate guesses, offsets and white levels, as in a mosaic; a cell of guesses covers
// `cell_pixels` pixels.
void raw_rebuild_highlights(float *light, size_t width, const float *const guesses[2], size_t cells,
                            const float offsets[2], const float whites[2], size_t cell_pixels,
                            float threshold);

// Noise, edges and structure, in tiles with RAW_DETAIL_SIDE samples per side, margins included.

enum {
  RAW_DETAIL_SIDE = 384,
  // The margins that the wavelets and sharpening need around their result.
  RAW_WAVELET_MARGIN = 32,
  RAW_SHARPEN_MARGIN = 28,
};

// A thread's planes; the first three contain the tile's light before and after.
typedef struct raw_detail_scratch {
  float plane[9][RAW_DETAIL_SIDE * RAW_DETAIL_SIDE];
} raw_detail_scratch;

typedef struct raw_detail {
  // Camera colors of white.
  float white[3];
  // The noise of camera light x in each color: variance slope * x + floor.
  float noise_slope[3];
  float noise_floor[3];
  // True for demosaicked light, whose noise has been spread: less of it is fine, and little of that
  // is in color.
  int is_interpolated;
  // Strengths: 0 to 1, for structure 0 to 3. Zero skips the step.
  float luminance_noise;
  float color_noise;
  float moire;
  float structure;
  float sharpness;
} raw_detail;

// Processes a tile in place; the result is valid within the margins.
void raw_detail_tile(const raw_detail *detail, raw_detail_scratch *scratch);

// Local contrast: moves each pixel away from the mean brightness around it.
typedef struct raw_local_contrast {
  // Mean brightness of cells with `cell` by `cell` pixels of the file.
  const float *means;
  size_t columns;
  size_t rows;
  float cell;
  // Camera colors of white.
  float white[3];
  float amount;
} raw_local_contrast;

// x, y: the center of the run's first pixel, in pixels of the file relative to the first cell's
// corner; step is horizontal.
void raw_local_contrast_run(const raw_local_contrast *contrast, size_t count, float x, float y,
                            float step, float *red, float *green, float *blue);
