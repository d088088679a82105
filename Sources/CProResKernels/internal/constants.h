#pragma once

#include "CProResKernels.h"

// The transform's basis, rounded: 16384 cos(k pi / 16) for rows, twice that for columns. After 16
// bits are dropped, a row pass thus halves the scale, and a column pass keeps the orthonormal
// scale.
enum {
  ROW_1 = 16069, ROW_2 = 15137, ROW_3 = 13623, ROW_4 = 11585, ROW_5 = 9102, ROW_6 = 6270,
  ROW_7 = 3196,
  COLUMN_1 = 32138, COLUMN_2 = 30274, COLUMN_3 = 27246, COLUMN_4 = 23170, COLUMN_5 = 18205,
  COLUMN_6 = 12540, COLUMN_7 = 6393,
  // Half of the last place; for the first row it also compensates for bits dropped by the row pass.
  COLUMN_ROUND = 32768,
  COLUMN_ROUND_FIRST = 32768 + 92682,
};

// A codebook in the form that the code writers need: values below `limit` are Rice codes.
typedef struct prores_codebook {
  uint8_t limit;
  uint8_t rice;
  // The addend for exponential Golomb codes: 2^order - limit.
  int8_t addend;
  // Leading zeros in addition to the exponent: quotients - order.
  int8_t zeros;
} prores_codebook;

#define PRORES_CODEBOOK(quotients, rice, exp) \
  { (quotients) << (rice), (rice), (1 << (exp)) - ((quotients) << (rice)), (quotients) - (exp) }

static const prores_codebook prores_first_dc_codebook = PRORES_CODEBOOK(1, 5, 6);

static const prores_codebook prores_dc_codebooks[4] = {
    PRORES_CODEBOOK(1, 0, 1), PRORES_CODEBOOK(1, 1, 2), PRORES_CODEBOOK(2, 2, 3),
    PRORES_CODEBOOK(1, 3, 4),
};

static const prores_codebook prores_run_codebooks[16] = {
    PRORES_CODEBOOK(3, 0, 1), PRORES_CODEBOOK(3, 0, 1), PRORES_CODEBOOK(2, 0, 1),
    PRORES_CODEBOOK(2, 0, 1), PRORES_CODEBOOK(1, 0, 1), PRORES_CODEBOOK(2, 1, 2),
    PRORES_CODEBOOK(2, 1, 2), PRORES_CODEBOOK(2, 1, 2), PRORES_CODEBOOK(2, 1, 2),
    PRORES_CODEBOOK(1, 1, 2), PRORES_CODEBOOK(1, 1, 2), PRORES_CODEBOOK(1, 1, 2),
    PRORES_CODEBOOK(1, 1, 2), PRORES_CODEBOOK(1, 1, 2), PRORES_CODEBOOK(1, 1, 2),
    PRORES_CODEBOOK(1, 2, 3),
};

static const prores_codebook prores_level_codebooks[10] = {
    PRORES_CODEBOOK(1, 0, 1), PRORES_CODEBOOK(3, 0, 2), PRORES_CODEBOOK(2, 0, 1),
    PRORES_CODEBOOK(3, 0, 1), PRORES_CODEBOOK(1, 0, 1), PRORES_CODEBOOK(1, 1, 2),
    PRORES_CODEBOOK(1, 1, 2), PRORES_CODEBOOK(1, 1, 2), PRORES_CODEBOOK(1, 1, 2),
    PRORES_CODEBOOK(1, 2, 3),
};

// The assumed previous run and level at the start of a component: a run of 4, a level of 2.
enum { PRORES_INITIAL_RUN = 4, PRORES_INITIAL_LEVEL = 2 };

// Writes symbols before the first one, so that it has predecessors like any other.
static inline void prores_write_predecessors(uint32_t *symbols, int32_t blocks) {
  uint32_t last = (uint32_t)(blocks - 1);
  symbols[-1] = last << 16 | PRORES_INITIAL_LEVEL;
  symbols[-2] = (last - PRORES_INITIAL_RUN - 1) << 16;
}
