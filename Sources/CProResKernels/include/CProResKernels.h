#pragma once

// The hot loops of the ProRes encoder, one table of functions an instruction set.
//
// A slice is at most eight macroblocks: up to 32 blocks of a component. Its coefficients are kept
// position by position, one lane a block: all DC coefficients, then all of the next position. So
// the transform is vertical throughout, and walking the positions in scan order is the order of
// the bitstream. All tables give the same bytes; Sources/ProRes/Reference says in plain Swift
// what each function does.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  // Lanes of a coefficient row.
  PRORES_LANES = 32,
  // Samples from a row of a sample plane to the next one.
  PRORES_SAMPLE_STRIDE = 192,
  // Samples of a plane before the slice's first one, which loaders may write.
  PRORES_SAMPLE_MARGIN = 32,
  // Samples of a plane: sixteen rows and a margin after the last.
  PRORES_SAMPLE_PLANE = 16 * 192 + 32,
  // Samples from Cb to Cr where both share a plane (4:2:2).
  PRORES_CHROMA_OFFSET = 96,
  // Symbols that may be written before the first and read or written after the last one.
  PRORES_SYMBOL_MARGIN = 64,
  // Bytes that may be written after the last one of coded data.
  PRORES_CODE_MARGIN = 64,
  // Cache lines that quantizing asks for, and coding, for each component.
  PRORES_AHEAD = 32,
};

// How samples lie in memory.
typedef enum prores_layout {
  PRORES_LAYOUT_PLANAR_8,
  PRORES_LAYOUT_PLANAR_16,
  PRORES_LAYOUT_BIPLANAR_8,
  PRORES_LAYOUT_BIPLANAR_16,
  PRORES_LAYOUT_BIPLANAR_10_PACKED,
  PRORES_LAYOUT_YUYV_8,
  PRORES_LAYOUT_UYVY_8,
  PRORES_LAYOUT_YUYV_16,
  PRORES_LAYOUT_V210,
} prores_layout;

// Where the rows of chroma lie among those of luma. Two rows of 4:2:0 share one of chroma; distances
// are in rows of the same picture, below the first of the two (ISO/IEC 13818-2, 6.1.1.8).
typedef enum prores_chroma_rows {
  // On them: 4:2:2 and 4:4:4.
  PRORES_CHROMA_ROWS_ALL,
  // 4:2:0 of a frame: half a row.
  PRORES_CHROMA_ROWS_FRAME,
  // 4:2:0 of a top field: a quarter of a row.
  PRORES_CHROMA_ROWS_TOP_FIELD,
  // 4:2:0 of a bottom field: three quarters of a row.
  PRORES_CHROMA_ROWS_BOTTOM_FIELD,
} prores_chroma_rows;

// One picture (a frame, or a field of one) in the layout it came in.
typedef struct prores_picture {
  prores_layout layout;
  // Bits of a sample, and how far a stored word is shifted left to have them at the top.
  int32_t depth;
  int32_t shift;
  // Nonzero for 4:4:4.
  int32_t full_chroma;
  prores_chroma_rows chroma_rows;
  // Nonzero for full-range codes, which are brought to video range.
  int32_t full_range;
  int32_t width;
  int32_t height;
  // Rows of chroma, which does not follow from the height of a bottom field; at least 1, and read for
  // 4:2:0 alone.
  int32_t chroma_height;
  const uint8_t *planes[4];
  // Bytes from a row to the next one of the same picture.
  ptrdiff_t strides[4];
} prores_picture;

// The place of a slice in its picture, in macroblocks.
typedef struct prores_area {
  int32_t column;
  int32_t row;
  int32_t macroblocks;
} prores_area;

// Steps of a quantization index and matrix, in the order of the scan; entry 0 is the DC's. Words
// stand twice in each entry, since broadcasting 32 bits is free where 16 are not.
typedef struct prores_quantizer {
  uint32_t reciprocal[64];
  uint32_t rounding[64];
  uint8_t position[64];
  uint32_t dc_step;
  uint32_t dc_reciprocal;
} prores_quantizer;

// Where the blocks of a sample plane belong.
typedef enum prores_arrangement {
  // Luma: left to right, then down.
  PRORES_ARRANGEMENT_LUMA,
  // 4:4:4 chroma: down, then left to right.
  PRORES_ARRANGEMENT_CHROMA_444,
  // 4:2:2 chroma: Cb in lanes 0 to 15, Cr in lanes 16 to 31.
  PRORES_ARRANGEMENT_CHROMA_422,
} prores_arrangement;

// Cache lines of the slice to the right, which is loaded next. Loaders list them; quantizing and
// coding ask for their part, so that memory works while the processor does, and at no time is asked
// for more than it can take. Hardware does not follow so many rows, and loses them at page
// boundaries.
typedef struct prores_ahead {
  // Of three components: first all that quantizing asks for, then those of coding.
  const uint8_t *lines[2 * 3 * PRORES_AHEAD];
} prores_ahead;

// A component of a slice on its way from coefficients to code words.
typedef struct prores_component {
  // Read by quantizing: coefficients[position * PRORES_LANES + block].
  const int16_t *coefficients;
  const prores_quantizer *quantizer;
  // 32, 16, 8, 4 or 2.
  int32_t blocks;
  // Written by quantizing and read by coding: room for PRORES_LANES DC levels, of which all may be
  // read; and `count` symbols, one for each other level that is not zero: index in the scan times
  // blocks plus block (16 bits), sign (1 bit), magnitude (15 bits).
  int16_t *dc;
  uint32_t *symbols;
  size_t count;
  // Written by coding: the bytes of its code words.
  size_t bytes;
} prores_component;

typedef struct prores_kernels {
  const char *name;

  // Reads a slice's samples into planes of PRORES_SAMPLE_PLANE values (luma, Cb and Cr; 4:2:2
  // chroma shares the second): sixteenths of a 10-bit step, 512 taken away. Edges are repeated.
  // Fills all of `ahead`.
  void (*load)(const prores_picture *picture, const prores_area *area, int16_t *samples,
               prores_ahead *ahead);

  // Transforms a plane's 32 blocks: coefficients[position * PRORES_LANES + lane], eight times the
  // orthonormal DCT of 10-bit samples.
  void (*transform)(const int16_t *samples, prores_arrangement arrangement, int16_t *coefficients);

  // Loads and transforms a slice at once, component after component, without samples in between:
  // slices of eight macroblocks inside a picture of words, planar or 4:2:2 biplanar, or of v210
  // where a table can. Does nothing and returns 0 for others. NULL where a table lacks it.
  int (*transform_words)(const prores_picture *picture, const prores_area *area,
                         int16_t *coefficients, prores_ahead *ahead);

  // Quantizes components. Asks for PRORES_AHEAD lines for each.
  void (*quantize)(prores_component *components, int32_t count, const uint8_t *const *ahead);

  // Writes the code words of components one after another, each from a byte on, and returns how
  // many bytes these are together. Asks for PRORES_AHEAD lines for each.
  size_t (*code)(prores_component *components, int32_t count, uint8_t *bytes,
                 const uint8_t *const *ahead);
} prores_kernels;

// The portable table, and those of the instruction sets; NULL where the processor, or the build,
// lacks it.
const prores_kernels *prores_kernels_portable(void);
const prores_kernels *prores_kernels_avx2(void);
const prores_kernels *prores_kernels_avx512(void);
const prores_kernels *prores_kernels_neon(void);

// The fastest table that this processor can run.
const prores_kernels *prores_kernels_best(void);

// Writes the code words of a slice's alpha, `bits` (8 or 16) a sample, and returns its bytes.
size_t prores_code_alpha(const uint16_t *alpha, size_t count, int32_t bits, uint8_t *bytes);

#ifdef __cplusplus
}
#endif

#include "CProResDecoding.h"
