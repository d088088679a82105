#pragma once

// The state as a value, so that it can be copied: its layout has been the same in every version
// (64-bit length, four 64-bit lanes, 32 bytes that wait for a whole stripe, their count), only the
// fields' names have not.
#define XXH_STATIC_LINKING_ONLY
#include <string.h>
#include <xxhash.h>

/// Reads the four lanes: where the hash stands after the last whole stripe of 32 bytes.
static inline void xxh64_get_lanes(const XXH64_state_t *state, unsigned long long *lanes) {
  memcpy(lanes, (const char *)state + 8, 32);
}

/// Lets the hash stand behind `length` bytes, whole stripes, with the given lanes.
static inline void xxh64_resume(XXH64_state_t *state, unsigned long long length,
                                const unsigned long long *lanes) {
  XXH64_reset(state, 0);
  memcpy(state, &length, 8);
  memcpy((char *)state + 8, lanes, 32);
}
