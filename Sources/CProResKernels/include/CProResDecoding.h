#pragma once

// The hot loops of the ProRes decoder, one function table per instruction set. All tables give the
// same coefficients and pictures; Sources/ProRes/Reference defines their results in plain Swift.
//
// Levels are in bitstream order: a component's DC levels, one per block, then those of the next
// index in the scan. As in the encoder, each lane is a block.

#include "CProResKernels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  // Bytes after a component's last byte that may be read.
  PRORES_CODED_MARGIN = 32,
  // Words of a component's levels; with fewer blocks than lanes, the last words may be read, too.
  PRORES_LEVELS = 64 * PRORES_LANES,
  // Words after them that may be written.
  PRORES_LEVELS_MARGIN = 2048,
};

// The code words of a slice's component.
typedef struct prores_coded {
  const uint8_t *bytes;
  size_t size;
  // 32, 16, 8, 4 or 2.
  int32_t blocks;
  // Room for PRORES_LEVELS and the margin, all zero: level i in bitstream order is stored in
  // levels[i], truncated to 16 bits, which valid levels never exceed. NULL to validate without
  // storing.
  int16_t *levels;

  // Set by reading: the zero bits between the last code word and the end of the bytes, or -1 if
  // these are not valid code words for that many blocks.
  int64_t padding;
  // The index in the scan of the last nonzero level, 0 to 63.
  int32_t last;
  // The length of the longest code word in bits; less if none is longer than 8 bits.
  int32_t longest;
} prores_coded;

// The multiplier of each position of a block in raster order, weight times scale, so that products
// are quarters of a 10-bit step of the orthonormal DCT; and each position's index in the scan.
typedef struct prores_dequantizer {
  uint16_t step[64];
  uint8_t index[64];
} prores_dequantizer;

// The inverse transform of a slice's component, or of a 4:2:2 slice's Cb and Cr together.
typedef struct prores_inversion {
  // The levels of Cr if Cb and Cr share lanes, otherwise NULL.
  const int16_t *levels, *second_levels;
  const prores_dequantizer *dequantizer;
  // The number of blocks in a component, as read.
  int32_t blocks;
  // Levels at and above this horizontal frequency are zero; at least 1.
  int32_t columns;
  prores_arrangement arrangement;
  // 10 or 12.
  int32_t depth;
  // The targets of the first sample, and of Cr's. Eight macroblocks and sixteen rows are written,
  // whatever the slice's size.
  uint16_t *first, *second;
  // Words from one row to the next.
  ptrdiff_t stride;
} prores_inversion;

typedef struct prores_decoder_kernels {
  const char *name;

  // Reads components. It never reads outside their bytes and the margin, whatever they contain.
  void (*read)(prores_coded *components, size_t count);

  // Dequantizes and transforms levels, and writes samples limited to 4 steps from either end of the
  // range.
  void (*inverse)(const prores_inversion *inversion);
} prores_decoder_kernels;

// The portable table, and those of the instruction sets; NULL if the processor or the build lacks
// it.
const prores_decoder_kernels *prores_decoder_kernels_portable(void);
const prores_decoder_kernels *prores_decoder_kernels_avx2(void);
const prores_decoder_kernels *prores_decoder_kernels_avx512(void);
const prores_decoder_kernels *prores_decoder_kernels_neon(void);

// The fastest table for this processor.
const prores_decoder_kernels *prores_decoder_kernels_best(void);

// Reads a slice's alpha of `depth` bits (8 or 16), row by row over the slice's width: `count`
// samples within the picture and up to `most` including those below it. Samples are stored in
// `samples`, if not NULL, which has room for `most`. Returns the zero bits after the last code
// word, or -1; `end` is set to the number of coded samples.
int64_t prores_read_alpha(const uint8_t *bytes, size_t size, int32_t depth, size_t count,
                          size_t most, uint16_t *samples, size_t *end);

// Scales alpha of `depth` bits to `to_depth`, rounded (RDD 36, 7.5.2): `rows` rows of `width`
// samples that are `from_stride` words apart.
void prores_scale_alpha(const uint16_t *from, ptrdiff_t from_stride, int32_t depth, int32_t width,
                        int32_t rows, uint16_t *to, ptrdiff_t to_stride, int32_t to_depth);

// Reads only the DC levels of a component, the means of its blocks. Returns 0 if these bytes do not
// contain them.
int prores_read_dc(const uint8_t *bytes, size_t size, int32_t blocks, int16_t *levels);

#ifdef __cplusplus
}
#endif
