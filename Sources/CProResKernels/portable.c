// The function table for any processor: plain C that compilers can vectorize.

#include "internal/bits.h"
#include "internal/constants.h"
#include "internal/components.h"
#include "internal/samples.h"

static void load_row(const prores_picture *picture, const uint8_t *const *rows, int x, int pixels,
                     int16_t *y, int16_t *cb, int16_t *cr) {
  prores_load_row_plain(picture, rows, x, pixels, y, cb, cr);
}

static void load(const prores_picture *picture, const prores_area *area, int16_t *samples,
                 prores_ahead *ahead) {
  prores_load_slice(picture, area, samples, ahead, load_row);
}

// The outputs of eight vertical transforms, with the low 16 bits dropped.
#define TRANSFORM(C, FIRST, ROUND, OUT)                                                        \
  for (int i = 0; i < PRORES_LANES; i++) {                                                     \
    int32_t s0 = in[0][i] + in[7][i], s1 = in[1][i] + in[6][i];                                \
    int32_t s2 = in[2][i] + in[5][i], s3 = in[3][i] + in[4][i];                                \
    int32_t d0 = in[0][i] - in[7][i], d1 = in[1][i] - in[6][i];                                \
    int32_t d2 = in[2][i] - in[5][i], d3 = in[3][i] - in[4][i];                                \
    int32_t e0 = s0 + s3, e1 = s1 + s2, o0 = s0 - s3, o1 = s1 - s2;                            \
    OUT(0) = (int16_t)((C##4 * (e0 + e1) + FIRST) >> 16);                                      \
    OUT(4) = (int16_t)((C##4 * (e0 - e1) + ROUND) >> 16);                                      \
    OUT(2) = (int16_t)((C##2 * o0 + C##6 * o1 + ROUND) >> 16);                                 \
    OUT(6) = (int16_t)((C##6 * o0 - C##2 * o1 + ROUND) >> 16);                                 \
    OUT(1) = (int16_t)((C##1 * d0 + C##3 * d1 + C##5 * d2 + C##7 * d3 + ROUND) >> 16);         \
    OUT(3) = (int16_t)((C##3 * d0 - C##7 * d1 - C##1 * d2 - C##5 * d3 + ROUND) >> 16);         \
    OUT(5) = (int16_t)((C##5 * d0 - C##1 * d1 + C##7 * d2 + C##3 * d3 + ROUND) >> 16);         \
    OUT(7) = (int16_t)((C##7 * d0 - C##5 * d1 + C##3 * d2 - C##1 * d3 + ROUND) >> 16);         \
  }

static void transform(const int16_t *samples, prores_arrangement arrangement,
                      int16_t *coefficients) {
  int16_t rows[8][8][PRORES_LANES];
  for (int lane = 0; lane < PRORES_LANES; lane++) {
    int column, down;
    if (arrangement == PRORES_ARRANGEMENT_CHROMA_422) {
      column = (lane >> 4) * PRORES_CHROMA_OFFSET + (lane >> 1 & 7) * 8;
      down = lane & 1;
    } else {
      int across = arrangement == PRORES_ARRANGEMENT_LUMA ? lane & 1 : lane >> 1 & 1;
      down = arrangement == PRORES_ARRANGEMENT_LUMA ? lane >> 1 & 1 : lane & 1;
      column = (lane >> 2) * 16 + across * 8;
    }
    const int16_t *block =
        samples + PRORES_SAMPLE_MARGIN + column + down * 8 * PRORES_SAMPLE_STRIDE;
    for (int y = 0; y < 8; y++) {
      for (int x = 0; x < 8; x++) rows[y][x][lane] = block[y * PRORES_SAMPLE_STRIDE + x];
    }
  }
  int16_t middle[8][8][PRORES_LANES];
  for (int y = 0; y < 8; y++) {
    int16_t(*in)[PRORES_LANES] = rows[y];
#define OUT(k) middle[k][y][i]
    TRANSFORM(ROW_, 0, 0, OUT)
#undef OUT
  }
  for (int x = 0; x < 8; x++) {
    int16_t(*in)[PRORES_LANES] = middle[x];
#define OUT(k) coefficients[((k) * 8 + x) * PRORES_LANES + i]
    TRANSFORM(COLUMN_, COLUMN_ROUND_FIRST, COLUMN_ROUND, OUT)
#undef OUT
  }
}

// The levels of a row as sign and magnitude.
static void quantize_row(const int16_t *restrict row, int32_t blocks, const prores_quantizer *q,
                         int32_t index, uint16_t *restrict levels) {
  const uint16_t reciprocal = (uint16_t)q->reciprocal[index];
  const uint16_t rounding = (uint16_t)q->rounding[index];
  for (int32_t i = 0; i < blocks; i++) {
    const uint16_t value = (uint16_t)row[i], sign = (uint16_t)(row[i] >> 15);
    const uint16_t magnitude = (uint16_t)((uint16_t)((value ^ sign) - sign) + rounding);
    levels[i] = (uint16_t)(((uint32_t)magnitude * reciprocal >> 16) | (value & 0x8000));
  }
}

static size_t quantize_component(const int16_t *coefficients, int32_t blocks,
                                 const prores_quantizer *q, int16_t *dc, uint32_t *symbols,
                                 const uint8_t *const *ahead) {
  for (int32_t i = 0; i < blocks; i++) {
    int32_t value = coefficients[i], sign = value >> 31;
    uint32_t magnitude = (uint32_t)((value ^ sign) - sign) + q->dc_step / 2;
    int32_t level = (int32_t)((uint64_t)magnitude * q->dc_reciprocal >> 32);
    dc[i] = (int16_t)((level ^ sign) - sign);
  }
  uint32_t *next = symbols;
  for (int32_t index = 1; index < 64; index++) {
    __builtin_prefetch(ahead[index / 2]);
    // Separate from the rest, because compilers vectorize it.
    uint16_t levels[PRORES_LANES];
    quantize_row(coefficients + q->position[index] * PRORES_LANES, blocks, q, index, levels);
    const uint32_t position = (uint32_t)(index * blocks) << 16;
    for (uint32_t i = 0; i < (uint32_t)blocks; i++) {
      *next = position + (i << 16) + levels[i];
      next += (levels[i] & 0x7FFF) != 0;
    }
  }
  return (size_t)(next - symbols);
}

static size_t code_component(const int16_t *dc, int32_t blocks, uint32_t *symbols, size_t count,
                             uint8_t *bytes, const uint8_t *const *ahead) {
  const uint8_t *const *const last_ahead = ahead + PRORES_AHEAD - 4;
  prores_bits bits = {0, 0, bytes};
  prores_code_dc(&bits, dc, blocks);
  uint32_t position = (uint32_t)(blocks - 1);
  uint32_t run = PRORES_INITIAL_RUN, magnitude = PRORES_INITIAL_LEVEL;
  for (size_t i = 0; i < count; i++) {
    if (i % 64 == 0) ahead = prores_ask(ahead, last_ahead);
    uint32_t symbol = symbols[i];
    const prores_codebook *run_book = &prores_run_codebooks[run < 15 ? run : 15];
    const prores_codebook *level_book = &prores_level_codebooks[magnitude < 9 ? magnitude : 9];
    run = (symbol >> 16) - position - 1;
    magnitude = symbol & 0x7FFF;
    position = symbol >> 16;
    prores_word_t first = prores_code_word(run_book, run);
    prores_word_t second = prores_code_word(level_book, magnitude - 1);
    uint64_t joined = (uint64_t)first.code << (second.length + 1) | second.code << 1 | (symbol >> 15 & 1);
    prores_append(&bits, joined, first.length + second.length + 1);
  }
  prores_ask_rest(ahead, last_ahead);
  return prores_finish(&bits, bytes);
}

static void quantize(prores_component *components, int32_t count, const uint8_t *const *ahead) {
  prores_quantize_each(components, count, ahead, quantize_component);
}

static size_t code(prores_component *components, int32_t count, uint8_t *bytes,
                   const uint8_t *const *ahead) {
  return prores_code_each(components, count, bytes, ahead, code_component);
}

static const prores_kernels table = {"c", load, transform, NULL, quantize, code};

const prores_kernels *prores_kernels_portable(void) { return &table; }
