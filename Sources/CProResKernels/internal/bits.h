#pragma once

// A branch-free bit writer: a 64-bit accumulator, stored completely after each append.

#include <string.h>

#include "constants.h"

typedef struct prores_bits {
  uint64_t held;
  unsigned count;
  uint8_t *next;
} prores_bits;

// Appends up to 57 bits; bits of `code` above `length` must be zero.
static inline __attribute__((always_inline)) void prores_append(prores_bits *bits, uint64_t code,
                                                                unsigned length) {
  bits->held = bits->held << length | code;
  bits->count += length;
  uint64_t top = __builtin_bswap64(bits->held << (-bits->count & 63));
  memcpy(bits->next, &top, 8);
  bits->next += bits->count >> 3;
  bits->count &= 7;
}

// The number of bytes from `start` to the last one with a bit in it; the rest of that byte is set
// to zero.
static inline size_t prores_finish(prores_bits *bits, const uint8_t *start) {
  if (bits->count) {
    *bits->next = (uint8_t)(bits->held << (8 - bits->count));
    bits->next++;
  }
  return (size_t)(bits->next - start);
}

typedef struct prores_word {
  uint32_t code;
  uint32_t length;
} prores_word_t;

static inline __attribute__((always_inline)) prores_word_t prores_code_word(
    const prores_codebook *book, uint32_t value) {
  if (value < book->limit) {
    uint32_t rice = book->rice;
    return (prores_word_t){1u << rice | (value & ((1u << rice) - 1)), (value >> rice) + 1 + rice};
  }
  uint32_t code = value + (uint32_t)book->addend;
  uint32_t exponent = 31u - (uint32_t)__builtin_clz(code);
  return (prores_word_t){code, exponent * 2 + 1 + (uint32_t)book->zeros};
}

// Code words of the DC levels: the first unchanged, then differences whose sign is relative to the
// sign of the previous difference.
static inline __attribute__((always_inline)) void prores_dc_words(const int16_t *dc,
                                                                  int32_t blocks,
                                                                  prores_word_t *words) {
  int32_t previous = dc[0];
  words[0] =
      prores_code_word(&prores_first_dc_codebook, (uint32_t)(previous * 2 ^ previous >> 31));
  uint32_t magnitude = 3;
  int32_t sign = 0;
  for (int32_t i = 1; i < blocks; i++) {
    int32_t difference = dc[i] - previous;
    int32_t relative = (difference ^ sign) - sign;
    words[i] = prores_code_word(&prores_dc_codebooks[magnitude],
                                (uint32_t)(relative * 2 ^ relative >> 31));
    sign = difference >> 31;
    magnitude = (uint32_t)((difference ^ sign) - sign);
    if (magnitude > 3) magnitude = 3;
    previous = dc[i];
  }
}

static inline __attribute__((always_inline)) void prores_code_dc(prores_bits *bits,
                                                                 const int16_t *dc,
                                                                 int32_t blocks) {
  prores_word_t words[PRORES_LANES];
  prores_dc_words(dc, blocks, words);
  for (int32_t i = 0; i < blocks; i++) prores_append(bits, words[i].code, words[i].length);
}
