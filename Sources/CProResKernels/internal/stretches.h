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

// The code words of a symbol as one stretch, whatever their length.
static inline __attribute__((always_inline, unused)) prores_stretch prores_symbol_stretch(
    const uint32_t *symbol) {
  const uint32_t *s = symbol;
  uint32_t run_before = ((s[-1] >> 16) - (s[-2] >> 16) - 1) & 0xFFFF;
  uint32_t level_before = s[-1] & 0x7FFF;
  uint32_t run = (s[0] >> 16) - (s[-1] >> 16) - 1;
  prores_word_t first =
      prores_code_word(&prores_run_codebooks[run_before < 15 ? run_before : 15], run);
  prores_word_t second = prores_code_word(
      &prores_level_codebooks[level_before < 9 ? level_before : 9], (s[0] & 0x7FFF) - 1);
  return (prores_stretch){
      (uint64_t)first.code << (second.length + 1) | second.code << 1 | (s[0] >> 15 & 1),
      first.length + second.length + 1};
}

// The code words of `count` symbols, one a stretch.
static inline __attribute__((unused)) void prores_put_plainly(uint64_t *codes, uint64_t *lengths,
                                                              const uint32_t *symbols,
                                                              size_t count) {
  for (size_t i = 0; i < count; i++) {
    const prores_stretch stretch = prores_symbol_stretch(symbols + i);
    codes[i] = stretch.code;
    lengths[i] = stretch.length;
  }
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

// Stretches with their places in the output, a multiple of four of them. Their words stand as they
// will in memory, so that a writer has only to join them.
typedef struct prores_placed {
  // The bits from the byte on where a stretch begins; room before it for the stretch before.
  _Alignas(64) uint64_t words[64];
  // That byte.
  _Alignas(64) uint64_t bytes[64];
  // Bits of the word in bytes that are full; those of the byte that is not begin the next word.
  _Alignas(64) uint64_t full_bits[64];
  size_t count;
  // Which bits of what was written before go on in the first word: all, or none where a component
  // begins.
  uint64_t carried;
} prores_placed;

// Longer ones might leave no room for the bits of the byte they begin in.
enum { PRORES_LONGEST_PLACED = 56 };

// Writes stretches; `held` begins with the bits of the byte that the first one begins in, and so
// does what is returned.
static inline __attribute__((always_inline, unused)) uint64_t prores_write_placed(
    const prores_placed *placed, uint64_t held, uint8_t *bytes) {
  held &= placed->carried;
  for (size_t i = 0; i < placed->count; i += 4) {
    for (size_t j = i; j < i + 4; j++) {
      held |= placed->words[j];
      memcpy(bytes + placed->bytes[j], &held, 8);
      held >>= placed->full_bits[j] & 63;
    }
  }
  return held;
}
