#pragma once

// Coded data on the way to the bit writer: stretches of up to 57 bits. One vectorized loop of a
// kernel makes them and another loop writes them, so that neither waits for the other's latency.

#include "bits.h"

typedef struct prores_stretch {
  uint64_t code;
  uint64_t length;
} prores_stretch;

// The number of stretches at which they are written: few enough to stay in the first-level cache
// with everything else that a slice needs. One pass of a kernel's loop adds sixteen at most.
enum { PRORES_STRETCHES = 96, PRORES_STRETCH_SLACK = 32 };

// The longest code word that can be paired in a stretch.
enum { PRORES_PAIRABLE = 28, PRORES_STRETCH_LIMIT = 57 };

// A symbol's code words as one stretch, whatever their length.
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

// The code words of `count` symbols, one symbol per stretch.
static inline __attribute__((unused)) void prores_put_plainly(uint64_t *codes, uint64_t *lengths,
                                                              const uint32_t *symbols,
                                                              size_t count) {
  for (size_t i = 0; i < count; i++) {
    const prores_stretch stretch = prores_symbol_stretch(symbols + i);
    codes[i] = stretch.code;
    lengths[i] = stretch.length;
  }
}

// Writes stretches; up to three beyond the last one are read.
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

// Stretches with their positions in the output; their number is a multiple of four. Words are in
// memory order, so a writer only has to join them.
typedef struct prores_placed {
  // The bits from the byte in which a stretch begins; with room before them for the previous
  // stretch.
  _Alignas(64) uint64_t words[64];
  // The offset of that byte.
  _Alignas(64) uint64_t bytes[64];
  // The number of the word's bits that fill complete bytes; those of the incomplete byte begin the
  // next word.
  _Alignas(64) uint64_t full_bits[64];
  size_t count;
  // A mask for the bits written before that continue in the first word: all, or none at the start
  // of a component.
  uint64_t carried;
} prores_placed;

// Longer ones might leave no room for the bits in the byte where they begin.
enum { PRORES_LONGEST_PLACED = 56 };

// Writes stretches; `held` begins with the bits of the byte in which the first one begins, and the
// result does so for the next.
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
