#pragma once

// The codebooks of runs and levels in the form of vector lookup tables.
//
// All codebooks follow one formula: the code is the value plus an addend, and its length is twice
// the code's exponent plus a constant. Rice codes use the same formula with other addends and
// constants for the smallest values, so both come from a table indexed by codebook and value, which
// is capped at the fourth. Values begin at 1 here: a magnitude, or a run plus one.

enum { BOOK_3_0_1, BOOK_2_0_1, BOOK_1_0_1, BOOK_2_1_2, BOOK_1_1_2, BOOK_1_2_3, BOOK_3_0_2 };

// Indexed by the low four bits of the previous run plus one, with all larger ones capped at 16.
#define RUN_BOOKS(AT)                                                                         \
  AT(BOOK_1_2_3), AT(BOOK_3_0_1), AT(BOOK_3_0_1), AT(BOOK_2_0_1), AT(BOOK_2_0_1),             \
      AT(BOOK_1_0_1), AT(BOOK_2_1_2), AT(BOOK_2_1_2), AT(BOOK_2_1_2), AT(BOOK_2_1_2),         \
      AT(BOOK_1_1_2), AT(BOOK_1_1_2), AT(BOOK_1_1_2), AT(BOOK_1_1_2), AT(BOOK_1_1_2),         \
      AT(BOOK_1_1_2)
// Indexed by the previous magnitude, with all larger ones capped at 9; the first and the last
// entries are unused.
#define LEVEL_BOOKS(AT)                                                                       \
  AT(BOOK_1_2_3), AT(BOOK_3_0_2), AT(BOOK_2_0_1), AT(BOOK_3_0_1), AT(BOOK_1_0_1),             \
      AT(BOOK_1_1_2), AT(BOOK_1_1_2), AT(BOOK_1_1_2), AT(BOOK_1_1_2), AT(BOOK_1_2_3),         \
      AT(BOOK_1_2_3), AT(BOOK_1_2_3), AT(BOOK_1_2_3), AT(BOOK_1_2_3), AT(BOOK_1_2_3),         \
      AT(BOOK_1_2_3)

// Addends and constants of each codebook for values 1, 2, 3 and above, in the order of the names.
#define BOOK_ENTRIES(ENTRY)                                                                   \
  /* 1, 01, 001; then the value less two, two zeros more. */                                  \
  ENTRY(0, 1), ENTRY(-1, 2), ENTRY(-2, 3), ENTRY(-2, 3),                                      \
  /* 1, 01; then the value less one, a zero more. */                                          \
  ENTRY(0, 1), ENTRY(-1, 2), ENTRY(-1, 2), ENTRY(-1, 2),                                      \
  /* No Rice code that is not of the formula. */                                              \
  ENTRY(0, 1), ENTRY(0, 1), ENTRY(0, 1), ENTRY(0, 1),                                         \
  /* 10, 11, 010, 011; then the value less one. */                                            \
  ENTRY(1, 0), ENTRY(1, 0), ENTRY(-1, 1), ENTRY(-1, 1),                                       \
  ENTRY(1, 0), ENTRY(1, 0), ENTRY(1, 0), ENTRY(1, 0),                                         \
  ENTRY(3, -1), ENTRY(3, -1), ENTRY(3, -1), ENTRY(3, -1),                                     \
  /* 1, 01, 001; then the value. */                                                           \
  ENTRY(0, 1), ENTRY(-1, 2), ENTRY(-2, 3), ENTRY(0, 2)

// DC: indexed by the previous difference, with all larger ones capped at 3; and the first level's
// codebook. The third has Rice codes that do not follow the formula: 4 is added to values below 4,
// and the length is one bit less.
#define DC_ENTRIES(ENTRY) \
  ENTRY(1, 1), ENTRY(2, 0), ENTRY(0, 0), ENTRY(8, -2), ENTRY(32, -4)
#define ADDEND_OF(addend, constant) (addend)
