#include "jpeg_bits.h"

// A difference; sets `failed` where no code matches. In the loops the reader is to stay in registers.
__attribute__((always_inline)) static inline int
difference(raw_jpeg_reader *reader, const uint8_t *bytes, size_t count, const raw_jpeg_table *table,
           int *failed) {
  int category = next_value(reader, bytes, count, table);
  if (category <= 0) {
    if (category < 0) *failed = 1;
    return 0;
  }
  return category == 16 ? 32768 : next_number(reader, category);
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
  raw_jpeg_reader reader = {0, 0, 0, 0};
  size_t components = scan->components, width = scan->columns * components;
  unsigned shift = scan->point_transform;
  int failed = 0;
  // The reconstruction is that of samples without the point transform; it is undone at the end.
  for (size_t y = 0; y < scan->rows; y++) {
    uint16_t *row = samples + y * scan->stride;
    const uint16_t *above = row - (y > 0 ? scan->stride : 0);
    for (size_t c = 0; c < components; c++) {
      int prediction = y == 0 ? 1 << (scan->precision - shift - 1) : above[c];
      row[c] = (uint16_t)(prediction + difference(&reader, bytes, count, tables[c], &failed));
    }
    if (y == 0 || scan->predictor == 1) {
      for (size_t x = components; x < width; x += components)
        for (size_t c = 0; c < components; c++)
          row[x + c] = (uint16_t)(row[x + c - components] +
                                  difference(&reader, bytes, count, tables[c], &failed));
    } else {
      for (size_t x = components; x < width; x += components)
        for (size_t c = 0; c < components; c++)
          row[x + c] = (uint16_t)(predict(scan->predictor, row[x + c - components], above[x + c],
                                          above[x + c - components]) +
                                  difference(&reader, bytes, count, tables[c], &failed));
    }
    if (failed || is_overdrawn(&reader)) return -1;
  }
  if (shift > 0)
    for (size_t y = 0; y < scan->rows; y++)
      for (size_t x = 0; x < width; x++)
        samples[y * scan->stride + x] = (uint16_t)(samples[y * scan->stride + x] << shift);
  return reader.next;
}
