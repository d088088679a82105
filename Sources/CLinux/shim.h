#pragma once

// Calls of the C library that Swift's Glibc module leaves out: they are declared for _GNU_SOURCE
// only.

#include <sys/types.h>

/// Reserves space for a range of a file; the mode 1 (FALLOC_FL_KEEP_SIZE) leaves its size as it is.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
