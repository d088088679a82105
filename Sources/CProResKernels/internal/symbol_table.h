#pragma once

// The code words of all codebooks, and a table of short pairs of them.

#include <stdint.h>

#define PRORES_READER static inline __attribute__((always_inline, unused))

// The constant times 256, plus the length in bits.
#define PRORES_ENTRY(quotients, rice, exp, zeros)                                             \
  ((zeros) < (quotients) ? (((zeros) - 1) * (1 << ((rice) + 8))) | ((zeros) + 1 + (rice))     \
   : (zeros) < 20 && (zeros) * 2 - (quotients) + (exp) + 1 <= 32                              \
       ? (((quotients) << (rice)) - (1 << (exp))) * 256 | ((zeros) * 2 - (quotients) + (exp) + 1) \
       : 1 << 30 | 25)
#define PRORES_ENTRIES_4(q, r, e, z)                                                 \
  PRORES_ENTRY(q, r, e, z), PRORES_ENTRY(q, r, e, z + 1), PRORES_ENTRY(q, r, e, z + 2), \
      PRORES_ENTRY(q, r, e, z + 3)
#define PRORES_ENTRIES(q, r, e)                                                            \
  {                                                                                        \
    PRORES_ENTRIES_4(q, r, e, 0), PRORES_ENTRIES_4(q, r, e, 4), PRORES_ENTRIES_4(q, r, e, 8), \
        PRORES_ENTRIES_4(q, r, e, 12), PRORES_ENTRIES_4(q, r, e, 16),                      \
        PRORES_ENTRIES_4(q, r, e, 20), PRORES_ENTRIES_4(q, r, e, 24),                      \
        PRORES_ENTRIES_4(q, r, e, 28)                                                      \
  }

static const int32_t prores_first_dc_entries[32] = PRORES_ENTRIES(1, 5, 6);

// Indexed by the magnitude of the previous difference.
static const int32_t prores_dc_entries[4][32] = {
    PRORES_ENTRIES(1, 0, 1), PRORES_ENTRIES(1, 1, 2), PRORES_ENTRIES(2, 2, 3),
    PRORES_ENTRIES(1, 3, 4),
};

// The codebooks for runs, selected by the previous run: from 0, 2, 4, 5, 9 and 15.
static const int32_t prores_run_entries[6][32] = {
    PRORES_ENTRIES(3, 0, 1), PRORES_ENTRIES(2, 0, 1), PRORES_ENTRIES(1, 0, 1),
    PRORES_ENTRIES(2, 1, 2), PRORES_ENTRIES(1, 1, 2), PRORES_ENTRIES(1, 2, 3),
};

// The codebooks for levels, selected by the previous magnitude: from 1, 2, 3, 4, 5 and 9.
static const int32_t prores_level_entries[6][32] = {
    PRORES_ENTRIES(3, 0, 2), PRORES_ENTRIES(2, 0, 1), PRORES_ENTRIES(3, 0, 1),
    PRORES_ENTRIES(1, 0, 1), PRORES_ENTRIES(1, 1, 2), PRORES_ENTRIES(1, 2, 3),
};

enum {
  // The number of bits that index the table of symbols.
  PRORES_SYMBOL_BITS = 9,
  PRORES_RUN_BOOKS = 6,
  PRORES_LEVEL_BOOKS = 6,
  PRORES_SYMBOL_COUNT = PRORES_RUN_BOOKS * PRORES_LEVEL_BOOKS << PRORES_SYMBOL_BITS,
  // The bits of an entry that select the codebooks for the next symbol.
  PRORES_SYMBOL_BOOKS = 63 << PRORES_SYMBOL_BITS,
};

// For each run codebook, each level codebook and the next bits: a run, and a level with its sign.
// Bits 0 to 5 are their total length, those of PRORES_SYMBOL_BOOKS the table offset of the next
// codebooks, 16 to 23 the run plus one, 24 to 31 the level. Zero if they take more bits.
extern uint32_t prores_symbols[PRORES_SYMBOL_COUNT];

// Fills the table; called once.
void prores_fill_symbols(void);

// The table offset of the codebooks that a run and a magnitude select.
PRORES_READER uint32_t prores_books(uint32_t run, uint32_t magnitude) {
  static const uint8_t runs[16] = {0, 0, 1, 1, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5};
  static const uint8_t levels[10] = {3, 0, 1, 2, 3, 4, 4, 4, 4, 5};
  const uint32_t book = runs[run < 15 ? run : 15] * PRORES_LEVEL_BOOKS +
                        levels[magnitude < 9 ? magnitude : 9];
  return book << PRORES_SYMBOL_BITS;
}
