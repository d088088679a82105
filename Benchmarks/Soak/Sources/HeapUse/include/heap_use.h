#pragma once

#include <stdint.h>

/// Bytes of the heap that somebody holds, over all threads: what the allocator keeps of what was given
/// back is not among them.
uint64_t heap_bytes_in_use(void);
