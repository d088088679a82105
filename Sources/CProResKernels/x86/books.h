#pragma once

// The codebooks of runs and levels in the form that vectors look them up.
//
// All codebooks follow one formula: the code is the value and an addend, its length twice the
// code's exponent and a constant. Rice codes are the same formula with other addends and constants
// for the smallest values; so both come from a table by codebook and value, capped at the fourth.
// Values count from 1 here: a magnitude, or a run and one.

enum { BOOK_3_0_1, BOOK_2_0_1, BOOK_1_0_1, BOOK_2_1_2, BOOK_1_1_2, BOOK_1_2_3, BOOK_3_0_2 };

// By the low four bits of the run before and one, 16 standing for all above.
#define RUN_BOOKS(AT)                                                                         \
  AT(BOOK_1_2_3), AT(BOOK_3_0_1), AT(BOOK_3_0_1), AT(BOOK_2_0_1), AT(BOOK_2_0_1),             \
      AT(BOOK_1_0_1), AT(BOOK_2_1_2), AT(BOOK_2_1_2), AT(BOOK_2_1_2), AT(BOOK_2_1_2),         \
      AT(BOOK_1_1_2), AT(BOOK_1_1_2), AT(BOOK_1_1_2), AT(BOOK_1_1_2), AT(BOOK_1_1_2),         \
      AT(BOOK_1_1_2)
// By the magnitude before, 9 standing for all above; what stands first and last is not used.
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

// DC: by the difference before, 3 standing for all above, and the first level's book. The third
// has Rice codes that are not of the formula: values below 4 have 4 added, and one bit less.
#define DC_ENTRIES(ENTRY) \
  ENTRY(1, 1), ENTRY(2, 0), ENTRY(0, 0), ENTRY(8, -2), ENTRY(32, -4)
#define ADDEND_OF(addend, constant) (addend)
