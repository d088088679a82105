#define _GNU_SOURCE
#include "CLateCalls.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void fail(void) {
  const char *reason = dlerror();
  fprintf(stderr, "%s: error while loading shared libraries: %s\n", program_invocation_short_name,
          reason ? reason : "no reason is known");
  fflush(stderr);
  _exit(127);
}

void *late_library_load(late_library *library) {
  void *handle = atomic_load_explicit(&library->handle, memory_order_acquire);
  if (handle) return handle;
  /* Several threads may open it at the same time: the linker counts references, and the library is
     never closed. */
  handle = dlopen(library->file_name, RTLD_LAZY | RTLD_LOCAL);
  if (!handle) fail();
  atomic_store_explicit(&library->handle, handle, memory_order_release);
  return handle;
}

void *late_function(late_library *library, const char *name, _Atomic(void *) *place) {
  void *found = atomic_load_explicit(place, memory_order_acquire);
  if (found) return found;
  found = dlsym(late_library_load(library), name);
  if (!found) fail();
  atomic_store_explicit(place, found, memory_order_release);
  return found;
}

static int report(char *reason, size_t size) {
  const char *text = dlerror();
  snprintf(reason, size, "%s", text ? text : "it cannot be loaded");
  return -1;
}

int late_symbols_load(const char *file_name, const late_symbol *symbols, size_t count, char *reason,
                      size_t reason_size) {
  void *handle = dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return report(reason, reason_size);
  for (size_t i = 0; i < count; i++) {
    void *symbol = dlsym(handle, symbols[i].name);
    if (!symbol) return report(reason, reason_size);
    memcpy(symbols[i].pointer, &symbol, sizeof symbol);
  }
  return 0;
}
