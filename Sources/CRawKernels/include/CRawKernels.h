#pragma once

// The hot loops of RAW stills. No function allocates memory, or reads or writes beyond the given
// sizes.

#include <stddef.h>
#include <stdint.h>

#include "CRawDevelop.h"

#ifdef __cplusplus
extern "C" {
#endif

// Lossless JPEG (ITU-T T.81, process 14): entropy coding of one scan.

enum {
  RAW_JPEG_CATEGORIES = 17,
  // The most components in a scan.
  RAW_JPEG_COMPONENTS = 4,
  // The number of bits that the decoder looks up at a time.
  RAW_JPEG_LOOKUP_BITS = 10,
};

// Code words of a component's categories; the length is 0 for a category without one.
typedef struct raw_jpeg_codes {
  uint32_t word[RAW_JPEG_CATEGORIES];
  uint8_t length[RAW_JPEG_CATEGORIES];
} raw_jpeg_codes;

// Differences by predictor 1 for `rows` rows of `columns` pixels with `components` samples each, in
// scan order, modulo 2^16; and the count of each category, by component. `stride` is the distance
// between rows in samples.
void raw_jpeg_differences(const uint16_t *samples, size_t stride, size_t columns, size_t rows,
                          size_t components, unsigned precision, int16_t *differences,
                          uint32_t counts[RAW_JPEG_COMPONENTS][RAW_JPEG_CATEGORIES]);

// The most bytes that raw_jpeg_encode writes for this many differences.
size_t raw_jpeg_bound(size_t count);

// Writes the code words of all differences, stuffed, and padded with ones. Returns the number of
// bytes written, or 0 if `capacity` is less than raw_jpeg_bound(count) or a category has no code
// word. `scratch` has the same capacity.
size_t raw_jpeg_encode(const int16_t *differences, size_t count, size_t components,
                       const raw_jpeg_codes codes[RAW_JPEG_COMPONENTS], uint8_t *scratch,
                       uint8_t *bytes, size_t capacity);

// A decoding table.
typedef struct raw_jpeg_table {
  // The length in the upper byte (0 if longer than the lookup), the value in the lower byte.
  uint16_t lookup[1 << RAW_JPEG_LOOKUP_BITS];
  // The greatest code of each length plus one, left-aligned in 16 bits; and the offset of its
  // values.
  uint32_t limit[18];
  int32_t offset[17];
  uint8_t values[256];
  uint32_t value_count;
} raw_jpeg_table;

// Makes a table from the counts and values of a DHT segment. Returns 0, or -1 if the counts form no
// prefix code or a value exceeds `greatest`, which is 16 for the categories of lossless JPEG.
int raw_jpeg_make_table(const uint8_t counts[16], const uint8_t *values, size_t value_count,
                        uint8_t greatest, raw_jpeg_table *table);

typedef struct raw_jpeg_scan {
  size_t columns;
  size_t rows;
  size_t components;
  unsigned precision;
  unsigned predictor;
  unsigned point_transform;
  // The distance between rows of the output in samples.
  size_t stride;
} raw_jpeg_scan;

// Decodes a scan; `tables` has a pointer for each component. Returns the size of the scan in bytes,
// or -1 if a code is invalid or the data end too soon.
ptrdiff_t raw_jpeg_decode(const uint8_t *bytes, size_t count, const raw_jpeg_scan *scan,
                          const raw_jpeg_table *const *tables, uint16_t *samples);

// Sequential DCT JPEG (ITU-T T.81, processes 1, 2 and 4): entropy coding of one block at a time.

// The position in a scan. All fields but `next` are zero at its beginning and after a restart
// marker.
typedef struct raw_jpeg_reader {
  // The next byte to be loaded.
  size_t next;
  // Loaded bits, aligned to the top, and their number.
  uint64_t bits;
  unsigned count;
  // How many of these are zero bits added at a marker or at the end.
  unsigned borrowed;
} raw_jpeg_reader;

// Loads bytes up to the next marker, but no more than a 64-bit word holds.
void raw_jpeg_fill(raw_jpeg_reader *reader, const uint8_t *bytes, size_t count);

// Reads a block's coefficients in zigzag order, without dequantizing; the first one is the
// difference from the previous block's. Returns the number of coefficients up to the last coded
// one, at least 1, or -1 if a code is invalid. The caller checks whether more bits were used than
// available: `borrowed` is then above `count`.
int raw_jpeg_read_block(raw_jpeg_reader *reader, const uint8_t *bytes, size_t count,
                        const raw_jpeg_table *direct, const raw_jpeg_table *alternating,
                        int32_t coefficients[64]);

// Samples as stored by TIFF.

// Unpacks samples of `depth` bits (2 to 16) from rows that begin at byte boundaries: bytes, 16-bit
// words of either byte order, or otherwise bits, most significant first.
void raw_unpack(const uint8_t *bytes, size_t row_bytes, size_t samples_per_row, size_t rows,
                unsigned depth, int big_endian, uint16_t *samples);

// Undoes the differences from the sample `step` before in a row, modulo mask + 1.
void raw_undo_differences(uint16_t *samples, size_t samples_per_row, size_t rows, size_t step,
                          uint16_t mask);

// Undoes the floating-point predictor in place; the resulting samples are big-endian. `scratch` has
// room for a row of bytes.
void raw_undo_float_differences(uint8_t *bytes, size_t samples_per_row, size_t rows,
                                size_t sample_bytes, size_t step, uint8_t *scratch);

// Converts floats of 2, 3 or 4 bytes.
void raw_floats(const uint8_t *bytes, size_t sample_bytes, size_t count, int big_endian,
                float *values);

// Interleaves fields of rows and of columns that are stored one after the other.
void raw_deinterleave(const uint8_t *source, size_t width, size_t height,
                      size_t pixel_bytes, size_t column_factor, size_t row_factor,
                      uint8_t *target);

// The levels of an area of a picture.
typedef struct raw_levels {
  // The position of the area in the picture.
  size_t left;
  size_t top;
  size_t columns;
  size_t components;
  // Codes beyond the table's end become its last entry; NULL if there is none.
  const uint16_t *table;
  size_t table_count;
  // The black level of each component in a repeating pattern, rows outermost.
  const float *black;
  size_t black_rows;
  size_t black_columns;
  // Added to the black of each column or row of the area; NULL if there are none.
  const float *delta_h;
  const float *delta_v;
  // 1 / (white - greatest black).
  const float *scale;
  // Nonzero to keep floats above 1.
  int keeps_light;
} raw_levels;

// Linearizes rows [first_row, last_row) of the area, with which `light` begins: at most 1 unless
// floats are kept, below 0 for codes below black. `codes` or `floats` is the whole picture.
void raw_linearize(const raw_levels *levels, const uint16_t *codes, const float *floats,
                   size_t stride, size_t first_row, size_t last_row, float *light);

// MD5 (RFC 1321), which DNG uses as digest of pixels. It serves as a checksum, not for security.
void raw_md5(const uint8_t *bytes, size_t count, uint8_t digest[16]);

// The same for RAW_MD5_LANES messages in parallel, with digests in order. Each message has `rows`
// rows of `row_bytes` bytes, a multiple of 64; `stride` is the distance between rows in bytes.
enum { RAW_MD5_LANES = 8 };
void raw_md5_lanes(const uint8_t *const *messages, size_t row_bytes, size_t stride, size_t rows,
                   uint8_t *digests);

// A scene of known light and a sensor that records it: the ground truth for all measurements.

typedef struct raw_scene {
  float width;
  float height;
  // The center and radius of a moving object, in pixels; a radius of 0 for none.
  float object_x;
  float object_y;
  float object_radius;
} raw_scene;

// The linear light at a point, red, green and blue; 1 is a white surface in the scene's main light.
void raw_scene_light(const raw_scene *scene, float x, float y, float light[3]);

typedef struct raw_sensor {
  // The electrons that a white surface produces in the exposure, and a pixel's capacity.
  float white_electrons;
  float full_well;
  // Standard deviation in electrons.
  float read_noise;
  // Electrons per code.
  float electrons_per_code;
  float black_level;
  uint32_t greatest_code;
  // The fractions of white light that the red and blue filters transmit, relative to green.
  float red_response;
  float blue_response;
  // The position of red in the cell.
  uint32_t red_row;
  uint32_t red_column;
  // The position of the sensor's first pixel in the scene.
  float offset_x;
  float offset_y;
  uint64_t seed;
} raw_sensor;

// Exposes rows [first_row, last_row) of the sensor, `columns` wide.
void raw_sensor_expose(const raw_scene *scene, const raw_sensor *sensor, size_t columns,
                       size_t first_row, size_t last_row, uint16_t *codes, size_t stride);

// Demosaicking. A tile has RAW_TILE by RAW_TILE samples, with RAW_TILE_MARGIN more on each side.

enum {
  RAW_TILE = 96,
  RAW_TILE_MARGIN = 16,
  RAW_TILE_STRIDE = RAW_TILE + 2 * RAW_TILE_MARGIN,
};

// A thread's planes.
typedef struct raw_demosaic_scratch {
  float plane[9][RAW_TILE_STRIDE * RAW_TILE_STRIDE];
} raw_demosaic_scratch;

// Interpolates a tile of balanced light. `mosaic` has RAW_TILE_STRIDE by RAW_TILE_STRIDE samples,
// margins filled; red is where both coordinates have the given parity. Results are planes of the
// same stride, valid within the margins.
void raw_demosaic_tile(const float *mosaic, uint32_t red_row, uint32_t red_column,
                       raw_demosaic_scratch *scratch, float *red, float *green, float *blue);

// The same with fixed weights for 5 by 5 pixels: fast, but with fringes at edges.
void raw_draft_tile(const float *mosaic, uint32_t red_row, uint32_t red_column, float *red,
                    float *green, float *blue);

// Merging of exposures.

// A frame, scaled to the reference's exposure.
typedef struct raw_frame {
  const uint16_t *codes;
  // The light of a code: (code - black) * scale; the reference saturates at 1.
  float black[4];
  float scale;
  // Codes from here up are saturated.
  uint32_t saturation;
  // The light at saturation.
  float limit;
  // The noise of light x: variance slope * x + floor.
  float slope;
  float floor;
} raw_frame;

// The gray of each cell of 2 by 2, and half-size versions, used for alignment.
void raw_cell_means(const raw_frame *frame, size_t width, size_t first_cell_row,
                    size_t last_cell_row, float *cells);
void raw_halve(const float *source, size_t width, size_t height, float *half);

// The side of an alignment tile in cells.
enum { RAW_ALIGN_TILE = 16 };

// The sum of squared differences of a tile, with `alternate` displaced; infinite if the displaced
// tile leaves the picture. Light beyond `cap` counts as `cap`.
float raw_tile_distance(const float *reference, const float *alternate, size_t width,
                        size_t height, long x, long y, long dx, long dy, float cap);

// Merges rows [first, last) of cells. `shifts` has a displacement in cells, x and y, for each tile
// of each frame except frames[0], the reference. `light` receives the mosaic; `weights`, if not
// NULL, the number of frames used in each cell.
void raw_merge(const raw_frame *frames, size_t count, const float *const *cells, size_t width,
               size_t height, const int16_t *shifts, size_t first, size_t last, float *light,
               float *weights);

// Rendering.

// The most gains in a row of the gain map's points.
enum { RAW_GAIN_LIMIT = 4096 };

typedef struct raw_render {
  // Balanced sensor light, where 1 is white, to linear RIMM colors, including the exposure; and
  // from there to linear output colors.
  float matrix[9];
  float output_matrix[9];
  // A factor applied to light first.
  float scale;
  // A curve over 0...1 with `curve_count` values, at least two; and another to output codes, 65535
  // at most. Values in between are interpolated.
  const float *curve;
  size_t curve_count;
  const float *output;
  size_t output_count;
  // The gain map: points across and down, gains per point; NULL if there is none.
  const float *gains;
  size_t gain_columns;
  size_t gain_rows;
  size_t gain_count;
  float gain_weights[5];
} raw_render;

// Renders rows of interleaved red, green and blue light to codes in the same order.
void raw_render_rows(const raw_render *recipe, const float *light, size_t width, size_t height,
                     size_t first_row, size_t last_row, uint16_t *codes);

#ifdef __cplusplus
}
#endif
