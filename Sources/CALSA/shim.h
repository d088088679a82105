#pragma once

/* Import the C library's module first, so that its types belong to it: otherwise timespec and other
   types would seem to come from this module, and files that import only Glibc could not use them. */
#if __has_feature(modules)
#pragma clang module import SwiftGlibc
#endif
#include <alsa/asoundlib.h>

/* libasound prints errors to standard error; they are reported as errors instead. The handler is
   variadic, which Swift cannot implement. */
static void calsa_discard(const char *file, int line, const char *function, int err,
                          const char *format, ...) {
  (void)file, (void)line, (void)function, (void)err, (void)format;
}
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_discard); }
