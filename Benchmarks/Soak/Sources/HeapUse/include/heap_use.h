#pragma once

#include <stdint.h>

/// Bytes of the heap in use, over all threads, without freed memory that the allocator keeps.
uint64_t heap_bytes_in_use(void);
