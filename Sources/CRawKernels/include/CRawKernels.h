#pragma once

// The hot loops of RAW stills. No function allocates, and none reads or writes beyond the sizes
// it is given.

#include <stddef.h>
#include <stdint.h>

#include "CRawDevelop.h"

#ifdef __cplusplus
extern "C" {
#endif

// Lossless JPEG (ITU-T T.81, process 14): entropy coding of one scan.

enum {
  RAW_JPEG_CATEGORIES = 17,
  // The most components that a scan has.
  RAW_JPEG_COMPONENTS = 4,
  // Bits that the decoder looks up at once.
  RAW_JPEG_LOOKUP_BITS = 10,
};

// Code words of a component's categories; the length is 0 where a category has none.
typedef struct raw_jpeg_codes {
  uint32_t word[RAW_JPEG_CATEGORIES];
  uint8_t length[RAW_JPEG_CATEGORIES];
} raw_jpeg_codes;

// Differences by predictor 1 of `rows` rows of `columns` pixels with `components` samples each,
// in scan order, modulo 2^16; and how often each category occurs, a component at a time.
// `stride` is the distance of rows in samples.
void raw_jpeg_differences(const uint16_t *samples, size_t stride, size_t columns, size_t rows,
                          size_t components, unsigned precision, int16_t *differences,
                          uint32_t counts[RAW_JPEG_COMPONENTS][RAW_JPEG_CATEGORIES]);

// Bytes that raw_jpeg_encode may write for so many differences.
size_t raw_jpeg_bound(size_t count);

// Code words of all differences, stuffed and padded with ones. Returns the bytes written, or 0
// where `capacity` is less than raw_jpeg_bound(count) or a category has no code word.
// `scratch` is of the same capacity.
size_t raw_jpeg_encode(const int16_t *differences, size_t count, size_t components,
                       const raw_jpeg_codes codes[RAW_JPEG_COMPONENTS], uint8_t *scratch,
                       uint8_t *bytes, size_t capacity);

// A table for decoding.
typedef struct raw_jpeg_table {
  // Length in the upper byte (0: longer than the lookup), value in the lower one.
  uint16_t lookup[1 << RAW_JPEG_LOOKUP_BITS];
  // The greatest code of each length, left-aligned in 16 bits, plus one; and where its values
  // begin.
  uint32_t limit[18];
  int32_t offset[17];
  uint8_t values[256];
  uint32_t value_count;
} raw_jpeg_table;

// Makes a table from a DHT segment's counts and values. Returns 0, or -1 where the counts are
// those of no prefix code or a value is above the greatest: 16 for categories of lossless JPEG.
int raw_jpeg_make_table(const uint8_t counts[16], const uint8_t *values, size_t value_count,
                        uint8_t greatest, raw_jpeg_table *table);

typedef struct raw_jpeg_scan {
  size_t columns;
  size_t rows;
  size_t components;
  unsigned precision;
  unsigned predictor;
  unsigned point_transform;
  // Distance of rows in the output, in samples.
  size_t stride;
} raw_jpeg_scan;

// Decodes a scan; `tables` has one pointer a component. Returns the bytes of the scan, or -1
// where a code is invalid or the data ends too soon.
ptrdiff_t raw_jpeg_decode(const uint8_t *bytes, size_t count, const raw_jpeg_scan *scan,
                          const raw_jpeg_table *const *tables, uint16_t *samples);

// Sequential DCT JPEG (ITU-T T.81, processes 1, 2 and 4): entropy coding of one block at a time.

// Where a scan is read. All zero but for `next` at its beginning and behind a restart marker.
typedef struct raw_jpeg_reader {
  // The byte that is taken next.
  size_t next;
  // Bits that were taken, from the top on, and how many.
  uint64_t bits;
  unsigned count;
  // Of these, zero bits that were made up in front of a marker or behind the end.
  unsigned borrowed;
} raw_jpeg_reader;

// Takes bytes up to the next marker, but no more than a word of 64 bits holds.
void raw_jpeg_fill(raw_jpeg_reader *reader, const uint8_t *bytes, size_t count);

// Reads the coefficients of a block in zigzag order, steps not applied; the first one is the
// difference to that of the block before. Returns how many there are up to the last one that is
// coded, at least 1, or -1 where a code is invalid. The caller looks whether more bits were used
// than there are: `borrowed` is above `count` then.
int raw_jpeg_read_block(raw_jpeg_reader *reader, const uint8_t *bytes, size_t count,
                        const raw_jpeg_table *direct, const raw_jpeg_table *alternating,
                        int32_t coefficients[64]);

// Samples as TIFF stores them.

// Samples of so many bits (2 to 16) of rows that begin at whole bytes: bytes, 16-bit words of either
// order, else bits from the top of bytes on.
void raw_unpack(const uint8_t *bytes, size_t row_bytes, size_t samples_per_row, size_t rows,
                unsigned depth, int big_endian, uint16_t *samples);

// Undoes horizontal differences to the sample `step` before, modulo mask + 1.
void raw_undo_differences(uint16_t *samples, size_t samples_per_row, size_t rows, size_t step,
                          uint16_t mask);

// Undoes the floating-point predictor in place: afterwards samples are big-endian. `scratch` has
// the bytes of a row.
void raw_undo_float_differences(uint8_t *bytes, size_t samples_per_row, size_t rows,
                                size_t sample_bytes, size_t step, uint8_t *scratch);

// Floats of 2, 3 or 4 bytes.
void raw_floats(const uint8_t *bytes, size_t sample_bytes, size_t count, int big_endian,
                float *values);

// Puts fields of rows and of columns, stored one after the other, between each other.
void raw_deinterleave(const uint8_t *source, size_t width, size_t height,
                      size_t pixel_bytes, size_t column_factor, size_t row_factor,
                      uint8_t *target);

// Levels of an area of a picture.
typedef struct raw_levels {
  // The area within the picture.
  size_t left;
  size_t top;
  size_t columns;
  size_t components;
  // Codes beyond the table's end become its last entry; null for none.
  const uint16_t *table;
  size_t table_count;
  // Black of each component of a pattern that repeats, its rows outermost.
  const float *black;
  size_t black_rows;
  size_t black_columns;
  // Added to the black of a column or a row of the area; null for none.
  const float *delta_h;
  const float *delta_v;
  // One over white minus the greatest black.
  const float *scale;
  // Not 0 to keep light above 1 of floats.
  int keeps_light;
} raw_levels;

// Light of rows first up to last of the area, which `light` begins with: at most 1 unless floats keep theirs, below
// 0 where the code is below black. `codes` or `floats` has the whole picture.
void raw_linearize(const raw_levels *levels, const uint16_t *codes, const float *floats,
                   size_t stride, size_t first_row, size_t last_row, float *light);

// MD5 (RFC 1321): DNG's digest of pixels. A checksum, not a safeguard.
void raw_md5(const uint8_t *bytes, size_t count, uint8_t digest[16]);

// The same of RAW_MD5_LANES messages at once, one digest behind the other. Each message has `rows` rows of `row_bytes`
// bytes, a multiple of 64; `stride` is the distance of rows in bytes.
enum { RAW_MD5_LANES = 8 };
void raw_md5_lanes(const uint8_t *const *messages, size_t row_bytes, size_t stride, size_t rows,
                   uint8_t *digests);

// A scene of known light and a sensor that looks at it: the ground truth of everything measured.

typedef struct raw_scene {
  float width;
  float height;
  // The middle and the radius of an object that moves, in pixels; a radius of 0 for none.
  float object_x;
  float object_y;
  float object_radius;
} raw_scene;

// Linear light at a point, red, green and blue; 1 is a white surface in the scene's main light.
void raw_scene_light(const raw_scene *scene, float x, float y, float light[3]);

typedef struct raw_sensor {
  // Electrons of a white surface in the exposure, and the electrons that a pixel holds.
  float white_electrons;
  float full_well;
  // Standard deviation in electrons.
  float read_noise;
  // Electrons of one code.
  float electrons_per_code;
  float black_level;
  uint32_t greatest_code;
  // The parts of white light that red and blue filters pass, green passing all.
  float red_response;
  float blue_response;
  // Where red lies in the cell.
  uint32_t red_row;
  uint32_t red_column;
  // Where the sensor's first pixel lies in the scene.
  float offset_x;
  float offset_y;
  uint64_t seed;
} raw_sensor;

// Exposes rows first up to last of the sensor, `columns` wide.
void raw_sensor_expose(const raw_scene *scene, const raw_sensor *sensor, size_t columns,
                       size_t first_row, size_t last_row, uint16_t *codes, size_t stride);

// Demosaicking. A tile is RAW_TILE samples square with RAW_TILE_MARGIN more on each side.

enum {
  RAW_TILE = 96,
  RAW_TILE_MARGIN = 16,
  RAW_TILE_STRIDE = RAW_TILE + 2 * RAW_TILE_MARGIN,
};

// Planes that a thread works in.
typedef struct raw_demosaic_scratch {
  float plane[9][RAW_TILE_STRIDE * RAW_TILE_STRIDE];
} raw_demosaic_scratch;

// Interpolates a tile of balanced light. `mosaic` is RAW_TILE_STRIDE squared, margins filled; red
// lies where both coordinates have the parity given. Results are planes of the same stride, valid
// within the margins.
void raw_demosaic_tile(const float *mosaic, uint32_t red_row, uint32_t red_column,
                       raw_demosaic_scratch *scratch, float *red, float *green, float *blue);

// The same by fixed weights of five by five pixels: quick, with fringes at edges.
void raw_draft_tile(const float *mosaic, uint32_t red_row, uint32_t red_column, float *red,
                    float *green, float *blue);

// Merging of exposures.

// One frame, brought to the reference's exposure.
typedef struct raw_frame {
  const uint16_t *codes;
  // Light of a code: (code - black) * scale; 1 is where the reference saturates.
  float black[4];
  float scale;
  // Codes from here on are saturated.
  uint32_t saturation;
  // The light where it saturates.
  float limit;
  // Noise of light x: variance slope * x + floor.
  float slope;
  float floor;
} raw_frame;

// Gray of each cell of two by two, and its half sizes: alignment works on them.
void raw_cell_means(const raw_frame *frame, size_t width, size_t first_cell_row,
                    size_t last_cell_row, float *cells);
void raw_halve(const float *source, size_t width, size_t height, float *half);

// Cells of a side of the tiles that are aligned.
enum { RAW_ALIGN_TILE = 16 };

// Sum of squared differences of a tile, `alternate` displaced; infinite where the displaced tile
// leaves the picture. Light beyond `cap` counts as that much.
float raw_tile_distance(const float *reference, const float *alternate, size_t width,
                        size_t height, long x, long y, long dx, long dy, float cap);

// Merges cells [first, last) of cell rows. `shifts` has a displacement, in cells, for each tile of
// each alternate frame (frames[0] is the reference): x and y in turn. `light` takes the mosaic;
// `weights`, if not null, the number of frames that each cell came from.
void raw_merge(const raw_frame *frames, size_t count, const float *const *cells, size_t width,
               size_t height, const int16_t *shifts, size_t first, size_t last, float *light,
               float *weights);

// Rendering.

// Gains that a row of the gain map's points may have in all.
enum { RAW_GAIN_LIMIT = 4096 };

typedef struct raw_render {
  // Balanced sensor light, 1 being white, to linear RIMM colors, the exposure in it; and from
  // there to linear output colors.
  float matrix[9];
  float output_matrix[9];
  // Factor of the light before anything else.
  float scale;
  // A curve for 0...1, of `curve_count` values, two or more; from there to output codes, 65535 at
  // most. What lies between two values is interpolated.
  const float *curve;
  size_t curve_count;
  const float *output;
  size_t output_count;
  // The gain map: points across and down, gains of each; null for none.
  const float *gains;
  size_t gain_columns;
  size_t gain_rows;
  size_t gain_count;
  float gain_weights[5];
} raw_render;

// Renders rows of interleaved red, green, blue light into codes of the same order.
void raw_render_rows(const raw_render *recipe, const float *light, size_t width, size_t height,
                     size_t first_row, size_t last_row, uint16_t *codes);

#ifdef __cplusplus
}
#endif
