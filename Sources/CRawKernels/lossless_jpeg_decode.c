#include "CRawKernels.h"

#include <string.h>

int raw_jpeg_make_table(const uint8_t counts[16], const uint8_t *values, size_t value_count,
                        raw_jpeg_table *table) {
  memset(table, 0, sizeof *table);
  uint32_t code = 0, index = 0;
  for (unsigned length = 1; length <= 16; length++) {
    table->offset[length] = (int32_t)index - (int32_t)code;
    for (unsigned k = 0; k < counts[length - 1]; k++, index++, code++) {
      if (index >= value_count || index >= sizeof table->values) return -1;
      if (values[index] > 16 || code >= 1u << length) return -1;
      table->values[index] = values[index];
      if (length > RAW_JPEG_LOOKUP_BITS) continue;
      uint32_t first = code << (RAW_JPEG_LOOKUP_BITS - length);
      uint32_t span = 1u << (RAW_JPEG_LOOKUP_BITS - length);
      for (uint32_t i = 0; i < span; i++)
        table->lookup[first + i] = (uint16_t)(length << 8 | values[index]);
    }
    table->limit[length] = code << (16 - length);
    code <<= 1;
  }
  table->value_count = index;
  return index == value_count && index > 0 ? 0 : -1;
}

typedef struct bit_reader {
  const uint8_t *next;
  const uint8_t *end;
  uint64_t bits;
  unsigned count;
  // Zero bits that were made up after the data's end.
  unsigned borrowed;
} bit_reader;

static inline void refill(bit_reader *reader) {
  while (reader->count <= 48) {
    uint8_t byte = 0;
    if (reader->next < reader->end && reader->next[0] != 0xFF) {
      byte = *reader->next++;
    } else if (reader->end - reader->next >= 2 && reader->next[1] == 0) {
      byte = 0xFF;
      reader->next += 2;
    } else {
      // A marker or the end: the last bits may be looked beyond, not used.
      reader->borrowed += 8;
    }
    reader->bits |= (uint64_t)byte << (56 - reader->count);
    reader->count += 8;
  }
}

static inline void drop(bit_reader *reader, unsigned count) {
  reader->bits <<= count;
  reader->count -= count;
}

// A difference; sets `failed` where no code matches.
static inline int difference(bit_reader *reader, const raw_jpeg_table *table, int *failed) {
  if (reader->count < 32) refill(reader);
  unsigned found = table->lookup[reader->bits >> (64 - RAW_JPEG_LOOKUP_BITS)];
  unsigned category;
  if (found >> 8) {
    category = found & 0xFF;
    drop(reader, found >> 8);
  } else {
    uint32_t head = (uint32_t)(reader->bits >> 48);
    unsigned length = RAW_JPEG_LOOKUP_BITS + 1;
    while (length <= 16 && head >= table->limit[length]) length++;
    if (length > 16) {
      *failed = 1;
      return 0;
    }
    int64_t index = (int64_t)(head >> (16 - length)) + table->offset[length];
    if (index < 0 || index >= (int64_t)table->value_count) {
      *failed = 1;
      return 0;
    }
    category = table->values[index];
    drop(reader, length);
  }
  if (category == 0) return 0;
  if (category == 16) return 32768;
  int value = (int)(reader->bits >> (64 - category));
  drop(reader, category);
  return value < 1 << (category - 1) ? value - (1 << category) + 1 : value;
}

static inline int predict(unsigned predictor, int left, int above, int corner) {
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

ptrdiff_t raw_jpeg_decode(const uint8_t *bytes, size_t count, const raw_jpeg_scan *scan,
                          const raw_jpeg_table *const *tables, uint16_t *samples) {
  bit_reader reader = {bytes, bytes + count, 0, 0, 0};
  size_t components = scan->components, width = scan->columns * components;
  unsigned shift = scan->point_transform;
  int failed = 0;
  // The reconstruction is that of samples without the point transform; it is undone at the end.
  for (size_t y = 0; y < scan->rows; y++) {
    uint16_t *row = samples + y * scan->stride;
    const uint16_t *above = row - (y > 0 ? scan->stride : 0);
    for (size_t c = 0; c < components; c++) {
      int prediction = y == 0 ? 1 << (scan->precision - shift - 1) : above[c];
      row[c] = (uint16_t)(prediction + difference(&reader, tables[c], &failed));
    }
    if (y == 0 || scan->predictor == 1) {
      for (size_t x = components; x < width; x += components)
        for (size_t c = 0; c < components; c++)
          row[x + c] = (uint16_t)(row[x + c - components] +
                                  difference(&reader, tables[c], &failed));
    } else {
      for (size_t x = components; x < width; x += components)
        for (size_t c = 0; c < components; c++)
          row[x + c] = (uint16_t)(predict(scan->predictor, row[x + c - components], above[x + c],
                                          above[x + c - components]) +
                                  difference(&reader, tables[c], &failed));
    }
    // More bits used than there were: what is left in the register are made-up ones alone.
    if (failed || reader.borrowed > reader.count) return -1;
  }
  if (shift > 0)
    for (size_t y = 0; y < scan->rows; y++)
      for (size_t x = 0; x < width; x++)
        samples[y * scan->stride + x] = (uint16_t)(samples[y * scan->stride + x] << shift);
  return reader.next - bytes;
}
