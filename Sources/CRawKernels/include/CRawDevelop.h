#pragma once

// Development: from linear light of a camera to a rendered picture. A run is a piece of a row of at
// most RAW_RUN pixels in three planes; its steps happen in place, in the order of the DNG
// specification 1.7.1, chapter 6. All light is float; 1 is white.

#include <stddef.h>
#include <stdint.h>

enum {
  RAW_RUN = 384,
  // Intervals of a curve that is looked up. Its table has one value more at 1, and one beyond.
  RAW_CURVE_STEPS = 4096,
  // Masks that a run has at most.
  RAW_MASKS = 20,
};

// Changes of hue, saturation and value: value outermost, then hue, then saturation. An entry has
// sixths of the circle to add to hue, and factors of saturation and value.
typedef struct raw_hue_table {
  // Null for no table.
  const float *entries;
  // Saturations are at least two.
  size_t hues;
  size_t saturations;
  size_t values;
  // Curves of value and back; null for linear.
  const float *encode;
  const float *decode;
} raw_hue_table;

// ProfileGainTableMap of either version.
typedef struct raw_gain_table {
  // Null for none: rows outermost, brightness innermost.
  const float *gains;
  size_t rows;
  size_t columns;
  size_t count;
  // Point = pixel * scale + offset.
  float scale_x;
  float scale_y;
  float offset_x;
  float offset_y;
  // Of red, green, blue, the least and the greatest of them.
  float weights[5];
  float gamma;
} raw_gain_table;

// A table of colors for colors.
typedef struct raw_rgb_table {
  // Red outermost, three numbers each.
  const float *entries;
  size_t divisions;
  // To the table's primaries and back.
  float to_primaries[9];
  float from_primaries[9];
  // False where both are the same.
  int has_primaries;
  // True where what lies beyond the primaries is added again afterwards.
  int extends_gamut;
  const float *encode;
  const float *decode;
  // 0 to 1.
  float amount;
  // The mask that says where it counts; negative for wherever no other does.
  int mask;
} raw_rgb_table;

typedef struct raw_develop {
  // Camera colors of the scene's white; light is cut off there unless it is open.
  float white[3];
  // Camera colors to linear RIMM.
  float matrix[9];
  // True to keep light below 0 and above 1 from the camera on.
  int is_open;
  // True for output beyond 1, as profiles for high dynamic range have it.
  int is_overrange;
  // True to bring what is beyond white to white by losing color, not by clipping it.
  int rolls_off;
  raw_hue_table hue;
  raw_gain_table gain;
  // Exposure and shadows: slope beyond black, a parabola of this radius around it.
  float black;
  float radius;
  float slope;
  raw_hue_table look;
  // The tone curve; null for none. Beyond 1 it goes on from its end, up to a limit.
  const float *tone;
  float tone_end;
  float tone_slope;
  float tone_limit;
  const raw_rgb_table *tables;
  size_t table_count;
  int tables_in_sequence;
  // Curves of points: of all colors at once, of red, green and blue; null for none. Light beyond 1 is
  // multiplied by their ends.
  const float *points[4];
  // Linear RIMM to linear output colors.
  float output[9];
  // True to map colors beyond the output's gamut at the same hue, not by clipping.
  int maps_gamut;
  // Linear output colors to LMS of Oklab, and back.
  float to_lms[9];
  float from_lms[9];
  // What red, green and blue of the output have of luminance.
  float luminance[3];
  // What chroma is multiplied by, less one; and the same of pale colors, which fades out towards
  // strong ones. Both -1 to 1.
  float saturation;
  float vibrance;
  // The transfer curve; null for linear.
  const float *encode;
} raw_develop;

// The two halves of raw_develop_run: up to linear light as it is exposed, in RIMM's colors, and from
// there on.
void raw_develop_light(const raw_develop *plan, size_t count, float x, float y, float step,
                       float *red, float *green, float *blue);
void raw_develop_look(const raw_develop *plan, size_t count, const float *const *masks, float *red,
                      float *green, float *blue);

// Develops a run whose first pixel's center lies at a place of the picture, in pixels of the active
// area. `masks` has the run's weights of each mask, or is null.
void raw_develop_run(const raw_develop *plan, size_t count, float x, float y, float step,
                     const float *const *masks, float *red, float *green, float *blue);

// Runs stored as interleaved pixels. Integers are rounded to the nearest, 0 to 1 to their range.
void raw_store_bytes(const float *red, const float *green, const float *blue, size_t count,
                     uint8_t *pixels);
void raw_store_words(const float *red, const float *green, const float *blue, size_t count,
                     uint16_t *pixels);
void raw_store_halves(const float *red, const float *green, const float *blue, size_t count,
                      uint16_t *pixels);
void raw_store_floats(const float *red, const float *green, const float *blue, size_t count,
                      float *pixels);

// Where a turned picture's pixels come from: the place of its first one, and the ways to the next in
// its row and in its column, in pixels of the source. A pixel's center is its whole number.
typedef struct raw_turn {
  double x;
  double y;
  double x_by_column;
  double y_by_column;
  double x_by_row;
  double y_by_row;
} raw_turn;

// Rows [first, last) of a turned picture of interleaved pixels, by bicubic interpolation; beyond its
// edges the source goes on as it ends.
void raw_turn_bytes(const raw_turn *turn, const uint8_t *source, size_t source_width,
                    size_t source_height, size_t width, size_t first, size_t last, uint8_t *target);
void raw_turn_words(const raw_turn *turn, const uint16_t *source, size_t source_width,
                    size_t source_height, size_t width, size_t first, size_t last,
                    uint16_t *target);
void raw_turn_floats(const raw_turn *turn, const float *source, size_t source_width,
                     size_t source_height, size_t width, size_t first, size_t last, float *target);

// Pixels of so many components taken apart, columns [first, last) of a row.
void raw_split(const float *pixels, size_t components, size_t first, size_t last, float *const *planes);

// Opcodes on one plane of light.

// Where the pixels of a plane lie that an opcode changes.
typedef struct raw_opcode_area {
  size_t first_column;
  size_t last_column;
  size_t column_pitch;
} raw_opcode_area;

// Brightens by a polynomial of even powers of the radius. The center and the reciprocal radius are
// in pixels; `rows` are counted from `first_row` of the picture.
void raw_fix_vignette(float *plane, size_t width, size_t first_row, size_t last_row,
                      double center_x, double center_y, double radius, double pixel_height,
                      const double coefficients[5]);

// How a plane is warped: the source of each pixel, as chapter 7 of the specification has it.
typedef struct raw_warp {
  double center_x;
  double center_y;
  // Pixels from the center to the farthest corner; and how high a pixel is for its width.
  double radius;
  double pixel_height;
  // Radial factor by the squared radius, at `factor_count` even steps up to 1.
  const double *factors;
  size_t factor_count;
  double tangential[2];
} raw_warp;

// Warps rows of a plane by bicubic interpolation.
void raw_warp_rows(const raw_warp *warp, const float *source, size_t width, size_t height,
                   size_t first_row, size_t last_row, float *target);

// Blocks of `reduction` pixels a side of a mosaic's rows, which begin a block, as one pixel of three
// colors each; `columns` blocks.
void raw_bin_mosaic(const float *light, size_t width, size_t rows, size_t reduction,
                    uint32_t red_row, uint32_t red_column, size_t columns, float *red,
                    float *green, float *blue);

// The same of one component of interleaved pixels.
void raw_average(const float *light, size_t width, size_t components, size_t component, size_t rows,
                 size_t reduction, size_t columns, float *target);

// A tile for raw_demosaic_tile, margins among it: its corner lies at a place of the mosaic, beyond
// which it is mirrored. Light is multiplied by its color's factor, cut off at `limit` and put into a
// perceptual curve, unless it is to stay linear.
void raw_fill_tile(const float *mosaic, size_t width, size_t height, long x, long y,
                   uint32_t red_row, uint32_t red_column, const float balance[3], float limit,
                   int is_linear, float *tile);

// Out of that curve, and divided by the factor.
void raw_decode_run(const float *coded, size_t count, float balance, float *light);

// Linear light divided by the factor.
void raw_unbalance_run(const float *balanced, size_t count, float balance, float *light);

// Pixels of a run put where a turned picture has them: one after the other by `step` pixels.
void raw_place_run(const void *run, size_t count, size_t pixel_bytes, void *pixels, ptrdiff_t first,
                   ptrdiff_t step);

// A plane that is made smaller, or stays as it is: each sample becomes the mean of those that it covers, weighed by a
// cubic of twice that width.
typedef struct raw_shrinking {
  size_t source_width;
  size_t source_height;
  size_t width;
  size_t height;
} raw_shrinking;

// The rows of the source that rows [first, last) look at.
void raw_shrink_reach(const raw_shrinking *way, size_t first, size_t last, size_t *begin,
                      size_t *end);

// Rows [first, last), of a `target` that begins with row 0. `source` begins with row `source_first`, and has `stride`
// samples from a row to the next one; it need not have rows that are not looked at. `lines` has RAW_SHRINK_ROWS times
// `source_width` floats.
enum { RAW_SHRINK_ROWS = 16 };
void raw_shrink(const raw_shrinking *way, const float *source, size_t source_first, size_t stride,
                size_t first, size_t last, float *lines, float *target);

// Whether any sample is at least `threshold`.
int raw_has_light(const float *light, size_t count, float threshold);

// What clipped colors may have been, for rows of three planes: balanced light, guessed from the other
// two colors, and 0 far from clipped places. `sums` takes, for each color, how far it lies from its
// guess beside clipped places, and the number of those. `marks` has the bytes of a row to work in.
void raw_guess_highlights(const float *red, const float *green, const float *blue, size_t width,
                          size_t height, size_t first, size_t last, const float white[3],
                          float threshold, uint8_t *marks, float *red_guess, float *green_guess,
                          float *blue_guess, double sums[6]);

// Puts guesses where a row's light is clipped and less. Even and odd pixels have guesses, offsets and
// levels of white of their own, as a mosaic's do; a cell of guesses stands for `cell_pixels` of them.
void raw_rebuild_highlights(float *light, size_t width, const float *const guesses[2], size_t cells,
                            const float offsets[2], const float whites[2], size_t cell_pixels,
                            float threshold);

// Noise, edges and structure, in tiles of RAW_DETAIL_SIDE samples a side, margins among them.

enum {
  RAW_DETAIL_SIDE = 384,
  // What the wavelets, and what sharpening, reach over the edge of what they make.
  RAW_WAVELET_MARGIN = 32,
  RAW_SHARPEN_MARGIN = 28,
};

// Planes that a thread works in; the first three hold the tile's light before and after.
typedef struct raw_detail_scratch {
  float plane[9][RAW_DETAIL_SIDE * RAW_DETAIL_SIDE];
} raw_detail_scratch;

typedef struct raw_detail {
  // Camera colors of white.
  float white[3];
  // Noise of camera light x of each color: variance slope * x + floor.
  float noise_slope[3];
  float noise_floor[3];
  // True for light of a mosaic, whose noise demosaicking has spread: less of it is fine, and little of
  // that is color.
  int is_interpolated;
  // Strengths: 0 to 1, and structure 0 to 3. Zero leaves out the step.
  float luminance_noise;
  float color_noise;
  float moire;
  float structure;
  float sharpness;
} raw_detail;

// Works on a tile in place; what lies within the margins of the steps is valid.
void raw_detail_tile(const raw_detail *detail, raw_detail_scratch *scratch);

// Local contrast: each pixel is brought away from the mean brightness around it.
typedef struct raw_local_contrast {
  // Mean brightness of cells of so many pixels of the file a side.
  const float *means;
  size_t columns;
  size_t rows;
  float cell;
  // Camera colors of white.
  float white[3];
  float amount;
} raw_local_contrast;

// x, y: the center of the run's first pixel, in the file's pixels from the first cell's corner; step is across.
void raw_local_contrast_run(const raw_local_contrast *contrast, size_t count, float x, float y,
                            float step, float *red, float *green, float *blue);
