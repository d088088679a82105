#include "CRawKernels.h"

#include <string.h>

#include "vectors.h"

void raw_unpack(const uint8_t *bytes, size_t row_bytes, size_t samples_per_row, size_t rows,
                unsigned depth, int big_endian, uint16_t *samples) {
  for (size_t row = 0; row < rows; row++) {
    const uint8_t *source = bytes + row * row_bytes;
    uint16_t *target = samples + row * samples_per_row;
    if (depth == 8) {
      for (size_t i = 0; i < samples_per_row; i++) target[i] = source[i];
    } else if (depth == 16) {
      for (size_t i = 0; i < samples_per_row; i++) {
        const unsigned a = source[2 * i], b = source[2 * i + 1];
        target[i] = (uint16_t)(big_endian ? a << 8 | b : b << 8 | a);
      }
    } else {
      uint32_t bits = 0;
      unsigned held = 0;
      size_t next = 0;
      for (size_t i = 0; i < samples_per_row; i++) {
        while (held < depth) {
          bits = bits << 8 | source[next++];
          held += 8;
        }
        held -= depth;
        target[i] = (uint16_t)(bits >> held & ((1u << depth) - 1));
      }
    }
  }
}

void raw_undo_differences(uint16_t *samples, size_t samples_per_row, size_t rows, size_t step,
                          uint16_t mask) {
  for (size_t row = 0; row < rows; row++) {
    uint16_t *line = samples + row * samples_per_row;
    for (size_t i = step; i < samples_per_row; i++)
      line[i] = (uint16_t)((line[i] + line[i - step]) & mask);
  }
}

void raw_undo_float_differences(uint8_t *bytes, size_t samples_per_row, size_t rows,
                                size_t sample_bytes, size_t step, uint8_t *scratch) {
  const size_t row_bytes = samples_per_row * sample_bytes;
  for (size_t row = 0; row < rows; row++) {
    uint8_t *line = bytes + row * row_bytes;
    for (size_t i = step; i < row_bytes; i++) line[i] = (uint8_t)(line[i] + line[i - step]);
    memcpy(scratch, line, row_bytes);
    // The most significant bytes of all samples come first.
    for (size_t i = 0; i < samples_per_row; i++)
      for (size_t k = 0; k < sample_bytes; k++)
        line[i * sample_bytes + k] = scratch[k * samples_per_row + i];
  }
}

// A float with the given numbers of exponent and mantissa bits, and the sign above them.
static float widened(uint32_t bits, unsigned exponent_bits, unsigned mantissa_bits) {
  const uint32_t sign = bits >> (exponent_bits + mantissa_bits) & 1;
  const uint32_t greatest = (1u << exponent_bits) - 1;
  uint32_t exponent = bits >> mantissa_bits & greatest;
  uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
  // 15 for half floats, 63 for DNG's 24-bit floats.
  const uint32_t offset = greatest >> 1;
  uint32_t word;
  if (exponent == greatest) {
    word = 0x7F800000u | mantissa << (23 - mantissa_bits);
  } else if (exponent == 0 && mantissa == 0) {
    word = 0;
  } else {
    if (exponent == 0) {
      exponent = 1;
      while (!(mantissa >> mantissa_bits)) {
        mantissa <<= 1;
        exponent--;
      }
      mantissa &= (1u << mantissa_bits) - 1;
    }
    word = (exponent + 127 - offset) << 23 | mantissa << (23 - mantissa_bits);
  }
  word |= sign << 31;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

void raw_floats(const uint8_t *bytes, size_t sample_bytes, size_t count, int big_endian,
                float *values) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *source = bytes + i * sample_bytes;
    uint32_t word = 0;
    for (size_t k = 0; k < sample_bytes; k++)
      word = word << 8 | source[big_endian ? k : sample_bytes - 1 - k];
    if (sample_bytes == 4)
      memcpy(&values[i], &word, sizeof word);
    else
      values[i] = sample_bytes == 3 ? widened(word, 7, 16) : widened(word, 5, 10);
  }
}

// A row of codes without a table, with black levels that repeat after `period` samples.
RAW_VECTORS
static void linearize_codes(const uint16_t *restrict codes, size_t count, size_t period,
                            const float *restrict black, const float *restrict scale,
                            float *restrict light) {
  size_t i = 0;
  for (; i + period <= count; i += period)
    for (size_t k = 0; k < period; k++) {
      const float value = ((float)codes[i + k] - black[k]) * scale[k];
      light[i + k] = least(value, 1);
    }
  for (size_t k = 0; i + k < count; k++) {
    const float value = ((float)codes[i + k] - black[k]) * scale[k];
    light[i + k] = least(value, 1);
  }
}

// Whole periods of levels in a row, at most `LEVEL_RUN` samples.
enum { LEVEL_RUN = 192 };

static size_t repeated_levels(const raw_levels *levels, const float *black, float blacks[LEVEL_RUN],
                              float scales[LEVEL_RUN]) {
  const size_t components = levels->components, cell = levels->black_columns * components;
  if (levels->table || levels->delta_h || levels->delta_v || cell > LEVEL_RUN) return 0;
  const size_t period = LEVEL_RUN / cell * cell;
  for (size_t i = 0; i < period; i += components)
    for (size_t k = 0; k < components; k++) scales[i + k] = levels->scale[k];
  for (size_t i = 0; i < period; i += cell)
    for (size_t k = 0; k < cell; k++) blacks[i + k] = black[k];
  return period;
}

void raw_linearize(const raw_levels *levels, const uint16_t *codes, const float *floats,
                   size_t stride, size_t first_row, size_t last_row, float *light) {
  const size_t count = levels->columns * levels->components;
  // Infinite light would become NaN when multiplied by 0.
  const float limit = floats && levels->keeps_light ? 1e6f : 1;
  for (size_t row = first_row; row < last_row; row++) {
    const size_t start = (levels->top + row) * stride + levels->left * levels->components;
    const float *black =
        levels->black + row % levels->black_rows * levels->black_columns * levels->components;
    const float vertical = levels->delta_v ? levels->delta_v[row] : 0;
    float *target = light + (row - first_row) * count;
    float blacks[LEVEL_RUN], scales[LEVEL_RUN];
    const size_t period = floats ? 0 : repeated_levels(levels, black, blacks, scales);
    if (period) {
      linearize_codes(codes + start, count, period, blacks, scales, target);
      continue;
    }
    for (size_t column = 0; column < levels->columns; column++) {
      const float *cell = black + column % levels->black_columns * levels->components;
      const float delta = vertical + (levels->delta_h ? levels->delta_h[column] : 0);
      for (size_t k = 0; k < levels->components; k++) {
        const size_t place = start + column * levels->components + k;
        float value;
        if (floats) {
          value = floats[place];
        } else if (levels->table) {
          const size_t code = codes[place];
          value = levels->table[code < levels->table_count ? code : levels->table_count - 1];
        } else {
          value = codes[place];
        }
        value = (value - cell[k] - delta) * levels->scale[k];
        // NaN becomes black, and so does light below -1,000,000: minus infinity would spread
        // through averages and curves.
        target[column * levels->components + k] = value >= limit ? limit : value > -1e6f ? value : 0;
      }
    }
  }
}

void raw_deinterleave(const uint8_t *source, size_t width, size_t height,
                      size_t pixel_bytes, size_t column_factor, size_t row_factor,
                      uint8_t *target) {
  size_t stored_row = 0;
  for (size_t field = 0; field < row_factor; field++) {
    for (size_t row = field; row < height; row += row_factor, stored_row++) {
      const uint8_t *from = source + stored_row * width * pixel_bytes;
      uint8_t *to = target + row * width * pixel_bytes;
      size_t stored = 0;
      for (size_t part = 0; part < column_factor; part++)
        for (size_t column = part; column < width; column += column_factor, stored++)
          memcpy(to + column * pixel_bytes, from + stored * pixel_bytes, pixel_bytes);
    }
  }
}
