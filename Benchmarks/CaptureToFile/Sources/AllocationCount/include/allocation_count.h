#pragma once

#include <stdint.h>

// Counts the heap allocations of the whole process, including the language's runtime: the program's
// own malloc and related functions replace the C library's and pass each call on.

/// Begins to count, from 0.
void allocation_count_start(void);
void allocation_count_stop(void);
/// Allocations since counting began.
uint64_t allocation_count(void);
/// Their size in bytes.
uint64_t allocation_bytes(void);
/// From now on, prints the callers of every `interval`th allocation to standard error; 0 for none.
void allocation_trace(uint64_t interval);
