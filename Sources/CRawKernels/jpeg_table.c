#include "CRawKernels.h"

#include <string.h>

int raw_jpeg_make_table(const uint8_t counts[16], const uint8_t *values, size_t value_count,
                        uint8_t greatest, raw_jpeg_table *table) {
  memset(table, 0, sizeof *table);
  uint32_t code = 0, index = 0;
  for (unsigned length = 1; length <= 16; length++) {
    table->offset[length] = (int32_t)index - (int32_t)code;
    for (unsigned k = 0; k < counts[length - 1]; k++, index++, code++) {
      if (index >= value_count || index >= sizeof table->values) return -1;
      if (values[index] > greatest || code >= 1u << length) return -1;
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
