#include "internal/symbol_table.h"

#include <pthread.h>

uint32_t prores_symbols[PRORES_SYMBOL_COUNT];

// A code word at the top of `bits`; length 0 if it may be longer than `count` bits.
static uint32_t read_word(const int32_t *entries, uint32_t bits, uint32_t count, uint32_t *length) {
  *length = 0;
  if (bits == 0) return 0;
  const int32_t entry = entries[__builtin_clz(bits)];
  const uint32_t wanted = (uint32_t)entry & 63;
  if (wanted > count) return 0;
  *length = wanted;
  return (bits >> (32 - wanted)) + (uint32_t)(entry >> 8);
}

static uint32_t symbol(uint32_t books, uint32_t bits) {
  uint32_t left = PRORES_SYMBOL_BITS, length;
  const uint32_t run =
      read_word(prores_run_entries[books / PRORES_LEVEL_BOOKS], bits, left, &length);
  if (length == 0) return 0;
  bits <<= length;
  left -= length;
  const uint32_t less =
      read_word(prores_level_entries[books % PRORES_LEVEL_BOOKS], bits, left, &length);
  if (length == 0 || length == left) return 0;
  bits <<= length;
  left -= length + 1;
  if (run > 254 || less > 126) return 0;
  const int32_t level = bits >> 31 ? -(int32_t)(less + 1) : (int32_t)(less + 1);
  return (uint32_t)level << 24 | (run + 1) << 16 | prores_books(run, less + 1) |
         (PRORES_SYMBOL_BITS - left);
}

static void fill(void) {
  for (uint32_t i = 0; i < PRORES_SYMBOL_COUNT; i++) {
    prores_symbols[i] = symbol(i >> PRORES_SYMBOL_BITS, i << (32 - PRORES_SYMBOL_BITS));
  }
}

void prores_fill_symbols(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, fill);
}
