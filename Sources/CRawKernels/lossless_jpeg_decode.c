#include "jpeg_bits.h"

enum {
  // Bits of a code and the number that follows, looked up together. The tables for two components
  // take half of a processor's first-level cache.
  WHOLE_BITS = 11,
};

// The meaning of a scan's next bits: the difference in the upper 16 bits, its length in bits below;
// a length of 0 if it exceeds WHOLE_BITS or the code is invalid.
typedef struct whole_table {
  uint32_t entry[1 << WHOLE_BITS];
} whole_table;

static void make_whole(const raw_jpeg_table *table, whole_table *whole) {
  for (uint32_t bits = 0; bits < 1u << WHOLE_BITS; bits++) {
    const unsigned found = table->lookup[bits >> (WHOLE_BITS - RAW_JPEG_LOOKUP_BITS)];
    const unsigned length = found >> 8, category = found & 0xFF;
    const unsigned size = category == 16 ? 0 : category;
    whole->entry[bits] = 0;
    if (length == 0 || category > 16 || length + size > WHOLE_BITS) continue;
    int value = (int)(bits >> (WHOLE_BITS - length - size) & ((1u << size) - 1));
    if (category == 16) value = 32768;
    if (size > 0 && value < 1 << (size - 1)) value -= (1 << size) - 1;
    whole->entry[bits] = (uint32_t)value << 16 | (length + size);
  }
}

// A difference looked up in parts; sets `failed` if no code matches.
static int long_difference(raw_jpeg_reader *reader, const uint8_t *bytes, size_t count,
                           const raw_jpeg_table *table, int *failed) {
  int category = next_value(reader, bytes, count, table);
  if (category <= 0) {
    if (category < 0) *failed = 1;
    return 0;
  }
  return category == 16 ? 32768 : next_number(reader, category);
}

// A copy of the reader for functions that take its address, so that the reader itself stays in
// registers. In the loops, bits beyond `count` may belong to the next byte; elsewhere they must be
// zero.
static inline raw_jpeg_reader plain(const raw_jpeg_reader *reader) {
  raw_jpeg_reader copy = *reader;
  copy.bits &= ~(UINT64_MAX >> copy.count);
  return copy;
}

// Ensures at least 49 bits: WHOLE_BITS for each of four components.
__attribute__((always_inline)) static inline void top_up(raw_jpeg_reader *reader,
                                                         const uint8_t *bytes, size_t end) {
  if (__builtin_expect(end - reader->next >= sizeof(uint64_t), 1)) {
    const uint64_t word = load_word(bytes + reader->next);
    const unsigned more = (63 - reader->count) / 8;
    if (__builtin_expect((marks(word) & ~(UINT64_MAX >> 8 * more)) == 0, 1)) {
      reader->bits |= word >> reader->count;
      reader->count |= 56;
      reader->next += more;
      return;
    }
  }
  raw_jpeg_reader copy = plain(reader);
  raw_jpeg_fill(&copy, bytes, end);
  *reader = copy;
}

// A difference; WHOLE_BITS must be loaded, and longer codes load more.
__attribute__((always_inline)) static inline uint16_t
difference(raw_jpeg_reader *reader, const uint8_t *bytes, size_t count, const whole_table *whole,
           const raw_jpeg_table *table, int *failed) {
  const uint32_t entry = whole->entry[reader->bits >> (64 - WHOLE_BITS)];
  const unsigned length = entry & 0xFF;
  if (__builtin_expect(length > 0, 1)) {
    drop(reader, length);
    return (uint16_t)(entry >> 16);
  }
  raw_jpeg_reader copy = plain(reader);
  int failure = 0;
  const uint16_t value = (uint16_t)long_difference(&copy, bytes, count, table, &failure);
  raw_jpeg_fill(&copy, bytes, count);
  *failed |= failure;
  *reader = copy;
  return value;
}

__attribute__((always_inline)) static inline int predict(unsigned predictor, int left, int above,
                                                         int corner) {
  switch (predictor) {
  case 2: return above;
  case 3: return corner;
  case 4: return left + above - corner;
  case 5: return left + ((above - corner) >> 1);
  case 6: return above + ((left - corner) >> 1);
  case 7: return (left + above) >> 1;
  default: return left;
  }
}

// A scan's bytes, and the tables for its differences.
typedef struct source {
  const uint8_t *bytes;
  size_t count;
  const whole_table *whole;
  const raw_jpeg_table *const *tables;
} source;

// The next sample of a component, whose left and upper neighbors are known.
__attribute__((always_inline)) static inline void
decode_sample(raw_jpeg_reader *reader, const source *from, size_t component, unsigned predictor,
              const uint16_t *above, size_t components, uint16_t *sample, uint16_t *left,
              int *failed) {
  const int prediction =
      predictor == 1 ? *left : predict(predictor, *left, above[0], *(above - components));
  *left = (uint16_t)(prediction + difference(reader, from->bytes, from->count,
                                             &from->whole[component], from->tables[component],
                                             failed));
  *sample = *left;
}

// A row's pixels after the first one. Callers pass constants for `components` and, in common scans,
// `predictor`, so that specialized code is generated. Returns 0, or 1 for an invalid code.
__attribute__((always_inline)) static inline int
decode_row(raw_jpeg_reader *state, const source *from, size_t components, unsigned predictor,
           size_t width, const uint16_t *above, uint16_t *row) {
  raw_jpeg_reader reader = *state;
  int failed = 0;
  uint16_t left[RAW_JPEG_COMPONENTS] = {0};
  for (size_t c = 0; c < components; c++) left[c] = row[c];
  for (size_t x = components; x < width; x += components) {
    top_up(&reader, from->bytes, from->count);
#define NEXT_SAMPLE(c)                                                                            \
  if (components > c)                                                                             \
  decode_sample(&reader, from, c, predictor, above + x + c, components, row + x + c, &left[c],    \
                &failed)
    NEXT_SAMPLE(0);
    NEXT_SAMPLE(1);
    NEXT_SAMPLE(2);
    NEXT_SAMPLE(3);
#undef NEXT_SAMPLE
  }
  *state = reader;
  return failed;
}

static int decode_any_row(raw_jpeg_reader *reader, const source *from, size_t components,
                          unsigned predictor, size_t width, const uint16_t *above, uint16_t *row) {
  if (predictor == 1 && components == 1)
    return decode_row(reader, from, 1, 1, width, above, row);
  if (predictor == 1 && components == 2)
    return decode_row(reader, from, 2, 1, width, above, row);
  if (predictor == 1 && components == 3)
    return decode_row(reader, from, 3, 1, width, above, row);
  return decode_row(reader, from, components, predictor, width, above, row);
}

ptrdiff_t raw_jpeg_decode(const uint8_t *bytes, size_t count, const raw_jpeg_scan *scan,
                          const raw_jpeg_table *const *tables, uint16_t *samples) {
  raw_jpeg_reader reader = {0, 0, 0, 0};
  size_t components = scan->components, width = scan->columns * components;
  if (components < 1 || components > RAW_JPEG_COMPONENTS) return -1;
  unsigned shift = scan->point_transform;
  whole_table whole[RAW_JPEG_COMPONENTS];
  for (size_t c = 0; c < components; c++) {
    // Components often share a table, or have equal ones.
    if (c > 0 && memcmp(tables[c], tables[c - 1], sizeof *tables[c]) == 0)
      whole[c] = whole[c - 1];
    else
      make_whole(tables[c], &whole[c]);
  }
  const source from = {bytes, count, whole, tables};
  // Samples are reconstructed without the point transform, which is undone at the end.
  for (size_t y = 0; y < scan->rows; y++) {
    uint16_t *row = samples + y * scan->stride;
    const uint16_t *above = row - (y > 0 ? scan->stride : 0);
    const unsigned predictor = y == 0 ? 1 : scan->predictor;
    int failed = 0;
    top_up(&reader, bytes, count);
    for (size_t c = 0; c < components; c++) {
      int prediction = y == 0 ? 1 << (scan->precision - shift - 1) : above[c];
      row[c] = (uint16_t)(prediction +
                          difference(&reader, bytes, count, &whole[c], tables[c], &failed));
    }
    failed |= decode_any_row(&reader, &from, components, predictor, width, above, row);
    if (failed || is_overdrawn(&reader)) return -1;
  }
  if (shift > 0)
    for (size_t y = 0; y < scan->rows; y++)
      for (size_t x = 0; x < width; x++)
        samples[y * scan->stride + x] = (uint16_t)(samples[y * scan->stride + x] << shift);
  return reader.next;
}
