#pragma once

#include "CProResDecoding.h"

// The inverse transform's basis: 16384 cos(k pi / 16). The column pass turns quarters of a 10-bit
// step into sixteenths, the row pass those into samples. Intermediate values are saturated to 16
// bits, which valid pictures never exceed, so that white stays white.
enum {
  INVERSE_1 = 16069, INVERSE_2 = 15137, INVERSE_3 = 13623, INVERSE_4 = 11585, INVERSE_5 = 9102,
  INVERSE_6 = 6270, INVERSE_7 = 3196,
  INVERSE_COLUMN_SHIFT = 13,
  INVERSE_COLUMN_ROUND = 1 << 12,
  // For 10 bits; two less for 12.
  INVERSE_ROW_SHIFT = 19,
  // Codes at either end of the range that no sample may have.
  INVERSE_MARGIN = 4,
};

// The rounding and range of a row pass's output.
typedef struct prores_rounding {
  // Half of the last place, plus the middle of the range.
  int32_t added;
  int32_t shift;
  int32_t least, most;
} prores_rounding;

static inline prores_rounding prores_rounding_of(int32_t depth) {
  const int32_t shift = INVERSE_ROW_SHIFT - (depth - 10);
  return (prores_rounding){(1 << (shift - 1)) + (1 << (depth - 1 + shift)), shift, INVERSE_MARGIN,
                           (1 << depth) - 1 - INVERSE_MARGIN};
}

// The target of a lane's block.
static inline __attribute__((always_inline)) uint16_t *prores_block(
    const prores_inversion *target, int lane) {
  switch (target->arrangement) {
    case PRORES_ARRANGEMENT_CHROMA_422:
      return (lane < 16 ? target->first : target->second) + (lane >> 1 & 7) * 8 +
             (lane & 1) * 8 * target->stride;
    case PRORES_ARRANGEMENT_CHROMA_444:
      return target->first + (lane >> 2) * 16 + (lane >> 1 & 1) * 8 +
             (lane & 1) * 8 * target->stride;
    default:
      return target->first + (lane >> 2) * 16 + (lane & 1) * 8 +
             (lane >> 1 & 1) * 8 * target->stride;
  }
}
