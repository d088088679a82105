#pragma once

// Coded data on its way to the bit writer: stretches of up to 57 bits. Kernels make them with
// vectors in one loop; another one writes them, so that neither waits for the other's latency.

#include "bits.h"

typedef struct prores_stretch {
  uint64_t code;
  uint64_t length;
} prores_stretch;

// Stretches are written when there are so many: few enough to stay in the nearest cache with all
// else that a slice needs. One turn of a kernel's loop adds sixteen at most.
enum { PRORES_STRETCHES = 96, PRORES_STRETCH_SLACK = 32 };

// The longest code word that two of make a stretch.
enum { PRORES_PAIRABLE = 28, PRORES_STRETCH_LIMIT = 57 };

// The code words of `count` symbols, one a stretch, whatever their length.
static __attribute__((noinline, unused)) prores_stretch *prores_put_plainly(
    prores_stretch *next, const uint32_t *symbols, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t *s = symbols + i;
    uint32_t run_before = ((s[-1] >> 16) - (s[-2] >> 16) - 1) & 0xFFFF;
    uint32_t level_before = s[-1] & 0x7FFF;
    uint32_t run = (s[0] >> 16) - (s[-1] >> 16) - 1;
    prores_word_t first =
        prores_code_word(&prores_run_codebooks[run_before < 15 ? run_before : 15], run);
    prores_word_t second = prores_code_word(
        &prores_level_codebooks[level_before < 9 ? level_before : 9], (s[0] & 0x7FFF) - 1);
    next->code =
        (uint64_t)first.code << (second.length + 1) | second.code << 1 | (s[0] >> 15 & 1);
    next->length = first.length + second.length + 1;
    next++;
  }
  return next;
}

// Writes stretches, of which three more than there are may be read.
static inline __attribute__((always_inline, unused)) void prores_write_stretches(
    prores_bits *bits, const prores_stretch *stretches, prores_stretch *end) {
  for (int i = 0; i < 3; i++) end[i] = (prores_stretch){0, 0};
  prores_bits local = *bits;
  for (; stretches < end; stretches += 4) {
    prores_append(&local, stretches[0].code, (unsigned)stretches[0].length);
    prores_append(&local, stretches[1].code, (unsigned)stretches[1].length);
    prores_append(&local, stretches[2].code, (unsigned)stretches[2].length);
    prores_append(&local, stretches[3].code, (unsigned)stretches[3].length);
  }
  *bits = local;
}
