#pragma once

#include <stddef.h>

/* Loads libraries at the first call of one of their functions, which keep their names.

   With their 125 dependencies on Debian 12, these libraries took two thirds of the command's
   start-up time, and most runs call none of them. If a library cannot be loaded, the call ends the
   process as the dynamic linker would have done at start-up: with a line that names the library,
   and status 127. */

typedef struct late_library {
  const char *file_name;
  _Atomic(void *) handle;
} late_library;

/* Loads a library if necessary. Thread-safe. */
void *late_library_load(late_library *library);

/* The address of a library's function. Thread-safe. */
void *late_function(late_library *library, const char *name, _Atomic(void *) *place);

/* Defines a function that calls the library's function of the same name. Include the library's
   headers first, so that the compiler checks the signature. */
#define LATE_CALL(library, result, name, parameters, arguments)                                   \
  result name parameters {                                                                        \
    static _Atomic(void *) place;                                                                 \
    __typeof__(&name) function = (__typeof__(&name))late_function(&library, #name, &place);       \
    return function arguments;                                                                    \
  }

/* A function of a library that the program can do without, and the pointer to it. */
typedef struct late_symbol {
  void *pointer;
  const char *name;
} late_symbol;

/* Loads a library that the program can do without, and sets the pointers to its functions. It is never unloaded:
   such libraries have threads, tables and TLS of their own. 0, or -1 and the reason as text. */
int late_symbols_load(const char *file_name, const late_symbol *symbols, size_t count, char *reason,
                      size_t reason_size);
