#pragma once

// The state as a value that can be copied: its layout is the same in every version (64-bit length,
// four 64-bit lanes, 32 bytes of an incomplete stripe, their count); only the names of the fields
// differ.
#define XXH_STATIC_LINKING_ONLY
#include <string.h>
#include <xxhash.h>

/// Reads the four lanes: the hash after the last complete stripe of 32 bytes.
static inline void xxh64_get_lanes(const XXH64_state_t *state, unsigned long long *lanes) {
  memcpy(lanes, (const char *)state + 8, 32);
}

/// Restores the hash after `length` bytes, which must be complete stripes, from the given lanes.
static inline void xxh64_resume(XXH64_state_t *state, unsigned long long length,
                                const unsigned long long *lanes) {
  XXH64_reset(state, 0);
  memcpy(state, &length, 8);
  memcpy((char *)state + 8, lanes, 32);
}
