// The decoder's function table for any processor, and functions fast enough to be shared by all.

#include "internal/code_reader.h"
#include "internal/inverse.h"

static void read(prores_coded *components, size_t count) { prores_read_each(components, count); }

// The inverse transform of eight values, in unsigned integers so that overflow wraps.
#define EVEN(ROUND)                                                                         \
  const uint32_t t0 = INVERSE_4 * (i0 + i4) + (ROUND), t1 = INVERSE_4 * (i0 - i4) + (ROUND); \
  const uint32_t t2 = INVERSE_2 * i2 + INVERSE_6 * i6, t3 = INVERSE_6 * i2 - INVERSE_2 * i6; \
  const uint32_t e[4] = {t0 + t2, t1 + t3, t1 - t3, t0 - t2}
#define ODD                                                                         \
  const uint32_t o[4] = {                                                           \
      INVERSE_1 * i1 + INVERSE_3 * i3 + INVERSE_5 * i5 + INVERSE_7 * i7,            \
      INVERSE_3 * i1 - INVERSE_7 * i3 - INVERSE_1 * i5 - INVERSE_5 * i7,            \
      INVERSE_5 * i1 - INVERSE_1 * i3 + INVERSE_7 * i5 + INVERSE_3 * i7,            \
      INVERSE_7 * i1 - INVERSE_5 * i3 + INVERSE_3 * i5 - INVERSE_1 * i7,            \
  }
#define INPUTS(AT)                                                                        \
  const uint32_t i0 = (uint32_t)AT(0), i1 = (uint32_t)AT(1), i2 = (uint32_t)AT(2),        \
                 i3 = (uint32_t)AT(3), i4 = (uint32_t)AT(4), i5 = (uint32_t)AT(5),        \
                 i6 = (uint32_t)AT(6), i7 = (uint32_t)AT(7)

static inline int16_t middle(uint32_t sum) {
  const int32_t value = (int32_t)sum >> INVERSE_COLUMN_SHIFT;
  return (int16_t)(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
}

static void transform_column(const prores_inversion *n, const int16_t *levels, int u, int count,
                             int16_t *restrict middles) {
  const int16_t *in[8];
  uint16_t steps[8];
  for (int v = 0; v < 8; v++) {
    in[v] = levels + n->dequantizer->index[v * 8 + u] * n->blocks;
    steps[v] = n->dequantizer->step[v * 8 + u];
  }
  for (int lane = 0; lane < count; lane++) {
#define AT(v) (int16_t)(uint16_t)((uint32_t)(uint16_t)in[v][lane] * steps[v])
    INPUTS(AT);
#undef AT
    EVEN(INVERSE_COLUMN_ROUND);
    ODD;
    for (int y = 0; y < 4; y++) {
      middles[(y * 8 + u) * PRORES_LANES + lane] = middle(e[y] + o[y]);
      middles[((7 - y) * 8 + u) * PRORES_LANES + lane] = middle(e[y] - o[y]);
    }
  }
}

static inline uint16_t sample(uint32_t sum, const prores_rounding *r) {
  const int32_t value = (int32_t)sum >> r->shift;
  return (uint16_t)(value < r->least ? r->least : value > r->most ? r->most : value);
}

static void transform_row(const int16_t *restrict row, const prores_rounding *r,
                          uint16_t (*restrict samples)[PRORES_LANES]) {
  for (int lane = 0; lane < PRORES_LANES; lane++) {
#define AT(u) (int32_t)row[(u) * PRORES_LANES + lane]
    INPUTS(AT);
#undef AT
    EVEN((uint32_t)r->added);
    ODD;
    for (int x = 0; x < 4; x++) {
      samples[x][lane] = sample(e[x] + o[x], r);
      samples[7 - x][lane] = sample(e[x] - o[x], r);
    }
  }
}

static void inverse(const prores_inversion *n) {
  const prores_rounding rounding = prores_rounding_of(n->depth);
  int16_t middles[64 * PRORES_LANES];
  if (n->columns < 8) memset(middles, 0, sizeof middles);
  const int count = n->second_levels ? PRORES_LANES / 2 : PRORES_LANES;
  for (int u = 0; u < n->columns; u++) {
    transform_column(n, n->levels, u, count, middles);
    if (n->second_levels) transform_column(n, n->second_levels, u, count, middles + count);
  }
  for (int y = 0; y < 8; y++) {
    uint16_t samples[8][PRORES_LANES];
    transform_row(middles + y * 8 * PRORES_LANES, &rounding, samples);
    for (int lane = 0; lane < PRORES_LANES; lane++) {
      uint16_t *to = prores_block(n, lane) + y * n->stride;
      for (int x = 0; x < 8; x++) to[x] = samples[x][lane];
    }
  }
}

static const prores_decoder_kernels table = {"c", read, inverse};

const prores_decoder_kernels *prores_decoder_kernels_portable(void) {
  prores_fill_symbols();
  return &table;
}

int prores_read_dc(const uint8_t *bytes, size_t size, int32_t blocks, int16_t *levels) {
  prores_window window = {0, bytes, 0};
  uint32_t longest = 0;
  return prores_read_dc_levels(&window, bytes, size, blocks, levels, &longest);
}

int64_t prores_read_alpha(const uint8_t *bytes, size_t size, int32_t depth, size_t count,
                          size_t most, uint16_t *samples, size_t *end) {
  const int64_t end_of_bits = (int64_t)size * 8, end_of_ones = prores_end_of_ones(bytes, size);
  const uint32_t mask = (1u << depth) - 1;
  prores_window window = {0, bytes, 0};
  int64_t bit = 0;
  uint32_t value = mask;
  size_t index = 0;
  while (index < count || (index < most && bit < end_of_ones)) {
    prores_refill(&window);
    uint32_t length;
    if (prores_take(&window, 1)) {
      value += prores_take(&window, (uint32_t)depth);
      length = 1 + (uint32_t)depth;
    } else {
      const uint32_t code_length = depth == 16 ? 7 : 4;
      const uint32_t code = prores_take(&window, code_length), magnitude = (code >> 1) + 1;
      value += code & 1 ? 0 - magnitude : magnitude;
      length = 1 + code_length;
    }
    value &= mask;
    size_t run = 0;
    length++;
    if (!prores_take(&window, 1)) {
      run = prores_take(&window, 4);
      length += 4;
      if (run == 0) {
        run = prores_take(&window, 11);
        length += 11;
      }
    }
    bit += length;
    if (bit > end_of_bits || index + run >= most) return -1;
    if (samples) {
      for (size_t i = index; i <= index + run; i++) samples[i] = (uint16_t)value;
    }
    index += run + 1;
  }
  *end = index;
  return end_of_bits - bit;
}

void prores_scale_alpha(const uint16_t *from, ptrdiff_t from_stride, int32_t depth, int32_t width,
                        int32_t rows, uint16_t *to, ptrdiff_t to_stride, int32_t to_depth) {
  const uint32_t most = (1u << to_depth) - 1;
  for (int32_t y = 0; y < rows; y++, from += from_stride, to += to_stride) {
    if (depth == 16) {
      for (int32_t x = 0; x < width; x++) to[x] = (uint16_t)((2 * from[x] * most + 65535) / 131070);
    } else {
      for (int32_t x = 0; x < width; x++) to[x] = (uint16_t)((2 * from[x] * most + 255) / 510);
    }
  }
}
