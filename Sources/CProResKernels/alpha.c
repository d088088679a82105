// Alpha is coded as differences and runs of equal samples. It is usually flat and then fast to
// code, so one plain version serves all processors.

#include "internal/bits.h"

size_t prores_code_alpha(const uint16_t *alpha, size_t count, int32_t depth, uint8_t *bytes) {
  prores_bits bits = {0, 0, bytes};
  const int32_t mask = (1 << depth) - 1, small = depth == 16 ? 64 : 8;
  const unsigned small_bits = depth == 16 ? 6 : 3;
  int32_t previous = mask;
  for (size_t i = 0; i < count;) {
    int32_t value = alpha[i];
    size_t end = i + 1;
    while (end < count && alpha[end] == value) end++;
    int32_t difference = (value - previous) & mask;
    if (difference > mask / 2) difference -= mask + 1;
    int32_t magnitude = difference < 0 ? -difference : difference;
    if (magnitude >= 1 && magnitude <= small) {
      prores_append(&bits, (uint32_t)(magnitude - 1) << 1 | (difference < 0), small_bits + 2);
    } else {
      prores_append(&bits, 1u << depth | (uint32_t)(difference & mask), (unsigned)depth + 1);
    }
    size_t run = end - i - 1;
    if (run == 0) {
      prores_append(&bits, 1, 1);
    } else if (run < 16) {
      prores_append(&bits, run, 5);
    } else {
      prores_append(&bits, run, 16);
    }
    previous = value;
    i = end;
  }
  return prores_finish(&bits, bytes);
}
