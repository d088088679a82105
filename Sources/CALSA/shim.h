#pragma once

/* The C library's module first, so that its types stay its own: else timespec and others would
   seem to come from this module, and files that import Glibc alone could not use them. */
#if __has_feature(modules)
#pragma clang module import SwiftGlibc
#endif
#include <alsa/asoundlib.h>

/* libasound writes its troubles to standard error by itself; they are reported as errors instead.
   The handler takes variable arguments, which Swift cannot pass. */
static void calsa_discard(const char *file, int line, const char *function, int err,
                          const char *format, ...) {
  (void)file, (void)line, (void)function, (void)err, (void)format;
}
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_discard); }
