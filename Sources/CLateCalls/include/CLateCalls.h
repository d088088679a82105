#pragma once

/* Libraries that are loaded when something of them is called, under their functions' own names.

   With the 125 libraries that they bring along on Debian 12 they took two thirds of the time that the command
   needed to start, and most runs call nothing of them. Where one cannot be loaded, the call ends the process as the
   dynamic linker would have at its start: with a line that names the library, and status 127. */

typedef struct late_library {
  const char *file_name;
  _Atomic(void *) handle;
} late_library;

/* Loads a library where it was not. Safe on any thread. */
void *late_library_load(late_library *library);

/* Where a library has a function. Safe on any thread. */
void *late_function(late_library *library, const char *name, _Atomic(void *) *place);

/* Defines a function that calls the library's of the same name. The library's headers are to be included: the
   compiler then holds each line to them. */
#define LATE_CALL(library, result, name, parameters, arguments)                                   \
  result name parameters {                                                                        \
    static _Atomic(void *) place;                                                                 \
    __typeof__(&name) function = (__typeof__(&name))late_function(&library, #name, &place);       \
    return function arguments;                                                                    \
  }
