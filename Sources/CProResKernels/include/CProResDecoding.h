#pragma once

// The hot loops of the ProRes decoder, one table of functions an instruction set. All tables give
// the same coefficients and pictures; Sources/ProRes/Reference says in plain Swift what they do.
//
// Levels lie in the order of the bitstream: a component's DC levels, one a block, then those of the
// next index in the scan. Blocks are lanes here as they are in the encoder.

#include "CProResKernels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  // Bytes behind a component's last one that may be read.
  PRORES_CODED_MARGIN = 32,
  // Words of a component's levels; where there are fewer blocks than lanes, the last may be read.
  PRORES_LEVELS = 64 * PRORES_LANES,
  // Words behind them that may be written.
  PRORES_LEVELS_MARGIN = 2048,
};

// The code words of a component of a slice.
typedef struct prores_coded {
  const uint8_t *bytes;
  size_t size;
  // 32, 16, 8, 4 or 2.
  int32_t blocks;
  // Room for PRORES_LEVELS and a margin, all zero: level i of the bitstream's order goes to
  // levels[i], cut to 16 bits, which no picture's levels pass. NULL where they are only judged.
  int16_t *levels;

  // Written by reading: zero bits between the last code word and the end of the bytes, or -1 where
  // these are not code words of so many blocks.
  int64_t padding;
  // The index in the scan of the last level that is not zero, 0 to 63.
  int32_t last;
  // Bits of the longest code word; less where none has more than 8.
  int32_t longest;
} prores_coded;

// What levels are multiplied by, for positions of a block in raster order: weight times scale, so
// that products are quarters of a 10-bit step of the orthonormal DCT; and their index in the scan.
typedef struct prores_dequantizer {
  uint16_t step[64];
  uint8_t index[64];
} prores_dequantizer;

// A component of a slice, or Cb and Cr of a 4:2:2 slice, on its way from levels to samples.
typedef struct prores_inversion {
  // Those of Cr where both share lanes, else NULL.
  const int16_t *levels, *second_levels;
  const prores_dequantizer *dequantizer;
  // Blocks of a component, as they were read.
  int32_t blocks;
  // Levels of this horizontal frequency and above are zero; at least 1.
  int32_t columns;
  prores_arrangement arrangement;
  // 10 or 12.
  int32_t depth;
  // Where the first sample goes, and of Cr. Eight macroblocks and sixteen rows are written, whatever
  // the slice has.
  uint16_t *first, *second;
  // Words from a row to the next one.
  ptrdiff_t stride;
} prores_inversion;

typedef struct prores_decoder_kernels {
  const char *name;

  // Reads components. Nothing outside their bytes and margin is read, whatever they are.
  void (*read)(prores_coded *components, size_t count);

  // Multiplies and transforms levels, and writes samples, cut to 4 steps from either end of the range.
  void (*inverse)(const prores_inversion *inversion);
} prores_decoder_kernels;

// The portable table, and those of the instruction sets; NULL where the processor, or the build,
// lacks it.
const prores_decoder_kernels *prores_decoder_kernels_portable(void);
const prores_decoder_kernels *prores_decoder_kernels_avx2(void);
const prores_decoder_kernels *prores_decoder_kernels_avx512(void);
const prores_decoder_kernels *prores_decoder_kernels_neon(void);

// The fastest table that this processor can run.
const prores_decoder_kernels *prores_decoder_kernels_best(void);

// Reads a slice's alpha of `depth` bits (8 or 16): row by row over the slice's width, `count`
// samples in the picture and up to `most` with those below it. Samples go to `samples`, if not NULL,
// which has room for `most`. Returns the zero bits after the last code word, or -1; `end` receives
// the number of samples that are coded.
int64_t prores_read_alpha(const uint8_t *bytes, size_t size, int32_t depth, size_t count,
                          size_t most, uint16_t *samples, size_t *end);

// Brings alpha of `depth` bits to `to_depth`, rounded (RDD 36, 7.5.2): `width` samples of `rows` rows
// that lie `from_stride` words apart.
void prores_scale_alpha(const uint16_t *from, ptrdiff_t from_stride, int32_t depth, int32_t width,
                        int32_t rows, uint16_t *to, ptrdiff_t to_stride, int32_t to_depth);

// Reads the DC levels of a component and no more: the means of its blocks. Returns 0 where these
// bytes hold none.
int prores_read_dc(const uint8_t *bytes, size_t size, int32_t blocks, int16_t *levels);

#ifdef __cplusplus
}
#endif
