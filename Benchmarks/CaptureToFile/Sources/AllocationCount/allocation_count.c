#include "allocation_count.h"

#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

// glibc's own names for the functions that this file replaces.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_bool counting;
static atomic_ullong count, bytes, trace_interval;
static _Thread_local int tracing;

static void book(size_t size) {
  if (!atomic_load_explicit(&counting, memory_order_relaxed)) return;
  unsigned long long number = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
  unsigned long long interval = atomic_load_explicit(&trace_interval, memory_order_relaxed);
  if (interval == 0 || number % interval != 0 || tracing) return;
  tracing = 1;
  void *frames[24];
  int depth = backtrace(frames, 24);
  backtrace_symbols_fd(frames + 2, depth > 2 ? depth - 2 : 0, STDERR_FILENO);
  (void)!write(STDERR_FILENO, "--\n", 3);
  tracing = 0;
}

void *malloc(size_t size) {
  book(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  book(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  book(size);
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  book(size);
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  book(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  book(size);
  void *made = __libc_memalign(alignment, size);
  if (!made) return ENOMEM;
  *memory = made;
  return 0;
}

void allocation_count_start(void) {
  atomic_store(&count, 0);
  atomic_store(&bytes, 0);
  atomic_store(&counting, 1);
}

void allocation_count_stop(void) { atomic_store(&counting, 0); }
uint64_t allocation_count(void) { return atomic_load(&count); }
uint64_t allocation_bytes(void) { return atomic_load(&bytes); }
void allocation_trace(uint64_t interval) { atomic_store(&trace_interval, interval); }
