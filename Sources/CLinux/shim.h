#pragma once

// What Swift's Glibc module leaves out: it is declared for _GNU_SOURCE only.

#include <fcntl.h>
#include <sys/types.h>

/// Reserves space for a range of a file; the mode 1 (FALLOC_FL_KEEP_SIZE) leaves its size as it is.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);

/// O_DIRECT, which is another number on each kind of processor.
#ifdef __O_DIRECT
static const int open_direct = __O_DIRECT;
#else
static const int open_direct = O_DIRECT;
#endif
