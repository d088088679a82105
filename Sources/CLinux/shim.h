#pragma once

// What Swift's Glibc module leaves out: it is declared for _GNU_SOURCE only. The C library's larger
// headers are not included here, or their types would belong to this module in some builds.

#include <sys/types.h>

/// Reserves space for a range of a file; the mode 1 (FALLOC_FL_KEEP_SIZE) leaves its size as it is.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);

/// O_DIRECT, which is another number on some processors.
#if defined(__arm__) || defined(__aarch64__)
static const int open_direct = 0200000;
#elif defined(__powerpc__)
static const int open_direct = 0400000;
#else
static const int open_direct = 040000;
#endif
