#include "jpeg_bits.h"

#include <string.h>

void raw_jpeg_fill(raw_jpeg_reader *reader, const uint8_t *bytes, size_t count) {
  refill(reader, bytes, count);
}

int raw_jpeg_read_block(raw_jpeg_reader *reader, const uint8_t *bytes, size_t count,
                        const raw_jpeg_table *direct, const raw_jpeg_table *alternating,
                        int32_t coefficients[64]) {
  memset(coefficients, 0, 64 * sizeof *coefficients);
  int size = next_value(reader, bytes, count, direct);
  if (size < 0 || size > 15) return -1;
  if (size > 0) coefficients[0] = next_number(reader, size);
  int used = 1;
  for (int index = 1; index < 64;) {
    int code = next_value(reader, bytes, count, alternating);
    if (code < 0) return -1;
    int run = code >> 4;
    size = code & 15;
    if (size == 0) {
      if (run == 0) break;
      // Sixteen zeros, after which another coefficient must follow.
      index += 16;
      if (run != 15 || index >= 64) return -1;
      continue;
    }
    index += run;
    if (index >= 64) return -1;
    coefficients[index++] = next_number(reader, size);
    used = index;
  }
  return used;
}
