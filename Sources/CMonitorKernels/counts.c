#include "CMonitorKernels.h"
#include "means.h"

// Codes counted in 16 bits at a time.
enum { COUNTED = 1 << 14 };

MONITOR_VECTORS
size_t monitor_count_changes(const uint16_t *before, const uint16_t *now, size_t count,
                             uint16_t tolerance) {
  size_t changes = 0;
  for (size_t at = 0; at < count; at += COUNTED) {
    size_t end = count - at < COUNTED ? count : at + COUNTED;
    uint16_t found = 0;
    for (size_t i = at; i < end; i++) {
      uint16_t difference = before[i] > now[i] ? before[i] - now[i] : now[i] - before[i];
      found += difference > tolerance;
    }
    changes += found;
  }
  return changes;
}

MONITOR_VECTORS
size_t monitor_count_dark(const uint16_t *codes, size_t count, uint16_t threshold) {
  size_t dark = 0;
  for (size_t at = 0; at < count; at += COUNTED) {
    size_t end = count - at < COUNTED ? count : at + COUNTED;
    uint16_t found = 0;
    for (size_t i = at; i < end; i++) found += codes[i] <= threshold;
    dark += found;
  }
  return dark;
}
