#pragma once

// The hot loops of the ProRes encoder, one function table per instruction set.
//
// A slice has at most eight macroblocks: up to 32 blocks per component. Its coefficients are stored
// position by position, with each block in a lane: all DC coefficients, then all of the next
// position. Thus the transform is vertical throughout, and walking the positions in scan order
// gives bitstream order. All tables give the same bytes; Sources/ProRes/Reference defines the
// functions in plain Swift.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  // Lanes in a row of coefficients.
  PRORES_LANES = 32,
  // Samples from one row of a sample plane to the next.
  PRORES_SAMPLE_STRIDE = 192,
  // Samples before a plane's first one, which loaders may write.
  PRORES_SAMPLE_MARGIN = 32,
  // Samples in a plane: sixteen rows and a margin after the last.
  PRORES_SAMPLE_PLANE = 16 * 192 + 32,
  // Samples from Cb to Cr if they share a plane (4:2:2).
  PRORES_CHROMA_OFFSET = 96,
  // Symbols before the first one that may be written, and after the last one that may be read or
  // written.
  PRORES_SYMBOL_MARGIN = 64,
  // Bytes after the coded data that may be written.
  PRORES_CODE_MARGIN = 64,
  // Cache lines per component prefetched by quantizing, and as many by coding.
  PRORES_AHEAD = 32,
};

// The memory layout of samples.
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

// The position of chroma rows relative to luma rows. In 4:2:0 two rows share one chroma row;
// distances are in rows of the same picture, below the first of the two (ISO/IEC 13818-2, 6.1.1.8).
typedef enum prores_chroma_rows {
  // At the luma rows: 4:2:2 and 4:4:4.
  PRORES_CHROMA_ROWS_ALL,
  // 4:2:0 in a frame: half a row.
  PRORES_CHROMA_ROWS_FRAME,
  // 4:2:0 in a top field: a quarter of a row.
  PRORES_CHROMA_ROWS_TOP_FIELD,
  // 4:2:0 in a bottom field: three quarters of a row.
  PRORES_CHROMA_ROWS_BOTTOM_FIELD,
} prores_chroma_rows;

// A picture (a frame, or a field of one) in its original layout.
typedef struct prores_picture {
  prores_layout layout;
  // Bits per sample, and by how much a stored word is shifted left to move them to the top.
  int32_t depth;
  int32_t shift;
  // Nonzero for 4:4:4.
  int32_t full_chroma;
  prores_chroma_rows chroma_rows;
  // Nonzero for full-range codes, which are converted to video range.
  int32_t full_range;
  int32_t width;
  int32_t height;
  // The number of chroma rows, which in a bottom field does not follow from the height; at least 1,
  // and used only for 4:2:0.
  int32_t chroma_height;
  const uint8_t *planes[4];
  // Bytes from one row to the next of the same picture.
  ptrdiff_t strides[4];
} prores_picture;

// The position of a slice in its picture, in macroblocks.
typedef struct prores_area {
  int32_t column;
  int32_t row;
  int32_t macroblocks;
} prores_area;

// The steps for a quantization index and matrix, in scan order; entry 0 is the DC's. Each entry
// contains its word twice, because broadcasting 32 bits is free but broadcasting 16 is not.
typedef struct prores_quantizer {
  uint32_t reciprocal[64];
  uint32_t rounding[64];
  uint8_t position[64];
  uint32_t dc_step;
  uint32_t dc_reciprocal;
} prores_quantizer;

// The order of the blocks of a sample plane.
typedef enum prores_arrangement {
  // Luma: left to right, then down.
  PRORES_ARRANGEMENT_LUMA,
  // 4:4:4 chroma: down, then left to right.
  PRORES_ARRANGEMENT_CHROMA_444,
  // 4:2:2 chroma: Cb in lanes 0 to 15, Cr in lanes 16 to 31.
  PRORES_ARRANGEMENT_CHROMA_422,
} prores_arrangement;

// Cache lines of the slice to the right, which is loaded next. Loaders list them, and quantizing
// and coding prefetch their share, so that memory accesses are spread over time without exceeding
// the processor's limit of pending requests. Hardware prefetching does not follow so many rows, and
// stops at page boundaries.
typedef struct prores_ahead {
  // For three components: first the lines that quantizing prefetches, then those for coding.
  const uint8_t *lines[2 * 3 * PRORES_AHEAD];
} prores_ahead;

// A slice's component, from coefficients to code words.
typedef struct prores_component {
  // Input of quantizing: coefficients[position * PRORES_LANES + block].
  const int16_t *coefficients;
  const prores_quantizer *quantizer;
  // 32, 16, 8, 4 or 2.
  int32_t blocks;
  // Output of quantizing and input of coding: room for PRORES_LANES DC levels, all of which may be
  // read; and `count` symbols, one for each other nonzero level: index in the scan times blocks
  // plus block (16 bits), sign (1 bit), magnitude (15 bits).
  int16_t *dc;
  uint32_t *symbols;
  size_t count;
  // Output of coding: the size of its code words in bytes.
  size_t bytes;
} prores_component;

typedef struct prores_kernels {
  const char *name;

  // Loads a slice's samples into planes of PRORES_SAMPLE_PLANE values (luma, Cb and Cr; 4:2:2
  // chroma shares the second one): sixteenths of a 10-bit step, minus 512 steps. Edges are
  // repeated. Fills `ahead` completely.
  void (*load)(const prores_picture *picture, const prores_area *area, int16_t *samples,
               prores_ahead *ahead);

  // Transforms a plane's 32 blocks: coefficients[position * PRORES_LANES + lane] is eight times the
  // orthonormal DCT of 10-bit samples.
  void (*transform)(const int16_t *samples, prores_arrangement arrangement, int16_t *coefficients);

  // Loads and transforms a slice in one step, component by component, without storing samples: for
  // slices of eight macroblocks within a picture of words, planar or 4:2:2 biplanar, or of v210 if
  // the table supports it. Otherwise does nothing and returns 0. NULL if a table lacks it.
  int (*transform_words)(const prores_picture *picture, const prores_area *area,
                         int16_t *coefficients, prores_ahead *ahead);

  // Quantizes components. Prefetches PRORES_AHEAD lines for each.
  void (*quantize)(prores_component *components, int32_t count, const uint8_t *const *ahead);

  // Writes the code words of components one after another, each beginning at a byte boundary, and
  // returns their total size in bytes. Prefetches PRORES_AHEAD lines for each.
  size_t (*code)(prores_component *components, int32_t count, uint8_t *bytes,
                 const uint8_t *const *ahead);
} prores_kernels;

// The portable table, and those of the instruction sets; NULL if the processor or the build lacks
// it.
const prores_kernels *prores_kernels_portable(void);
const prores_kernels *prores_kernels_avx2(void);
const prores_kernels *prores_kernels_avx512(void);
const prores_kernels *prores_kernels_neon(void);

// The fastest table for this processor.
const prores_kernels *prores_kernels_best(void);

// Writes the code words of a slice's alpha with `bits` (8 or 16) per sample, and returns their size
// in bytes.
size_t prores_code_alpha(const uint16_t *alpha, size_t count, int32_t bits, uint8_t *bytes);

#ifdef __cplusplus
}
#endif

#include "CProResDecoding.h"
