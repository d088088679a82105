#pragma once

#include <stdint.h>

// Counts what the whole process, the language's runtime included, asks of the heap: the program's own
// malloc and its kin stand before the C library's and pass each call on.

/// Begins to count, from 0.
void allocation_count_start(void);
/// Stops.
void allocation_count_stop(void);
/// Allocations since the start.
uint64_t allocation_count(void);
/// Their bytes.
uint64_t allocation_bytes(void);
/// From now on prints the callers of every `interval`th allocation to standard error; 0 for none.
void allocation_trace(uint64_t interval);
