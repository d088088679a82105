#pragma once

// Code words with AVX-512, 64 symbols at a time.
//
// A symbol's two values, the step from the symbol before (a run and one) and the magnitude, are
// the two words of a double word, and are coded side by side. Which codebook a value takes
// depends on the same word of the symbol before. Symbols are dealt over four vectors, so that
// neighbours have the same lane in the next vector: then a predecessor needs no shuffle, and
// joining a symbol's code to the next one's is a shift and an or.

#include <immintrin.h>

#include "../internal/bits.h"
#include "../internal/constants.h"
#include "../internal/stretches.h"
#include "books.h"

// Where a book's entry for value 1 is, less one.
#define AT(book) ((char)((book) * 4 - 1))
// What to add to a value, and what to add to twice the exponent, which comes as 30 less twice the
// leading zeros of a word.
#define ENTRY(addend, constant) ((short)((addend) * 256 + (constant) + 30))
#define DC_CONSTANT_OF(addend, constant) ((constant) + 30)
static const char run_books[16] = {RUN_BOOKS(AT)};
static const char level_books[16] = {LEVEL_BOOKS(AT)};
static const short code_entries[32] __attribute__((aligned(64))) = {BOOK_ENTRIES(ENTRY)};
static const char dc_addends[16] = {DC_ENTRIES(ADDEND_OF)};
static const char dc_constants[16] = {DC_ENTRIES(DC_CONSTANT_OF)};
#undef AT
#undef ENTRY

PRORES_INLINE __m512i table_of_bytes(const char *bytes) {
  return _mm512_broadcast_i32x4(load128(bytes));
}

// The tables and constants of the vectors' lanes.
typedef struct coder {
  __m512i run_books, level_books, entries, caps_before, caps, magnitudes, evens, odds;
  // The bytes that belong to levels.
  __mmask64 levels;
} coder;

PRORES_INLINE coder make_coder(void) {
  coder c;
  c.run_books = table_of_bytes(run_books);
  c.level_books = table_of_bytes(level_books);
  c.entries = _mm512_load_si512(code_entries);
  c.caps_before = _mm512_set1_epi32(16 << 16 | 9);
  c.caps = _mm512_set1_epi16(4);
  c.magnitudes = _mm512_set1_epi32((int)0xFFFF7FFF);
  c.evens = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  c.odds = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  c.levels = 0x3333333333333333;
  // Else a compiler that knows the mask splits what it masks into two instructions.
  __asm__("" : "+r"(c.levels));
  return c;
}

// Code words of sixteen symbols, and their lengths, in double words.
typedef struct words16 {
  __m512i code, length;
} words16;

// `signs` has the values with the sign above the magnitude.
PRORES_INLINE words16 code_words(const coder *c, __m512i values, __m512i before, __m512i signs) {
  const __m512i twice = _mm512_set1_epi16(-2);
  const __m512i capped = _mm512_min_epu16(before, c->caps_before);
  const __m512i book =
      _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(c->run_books, capped), c->levels,
                               c->level_books, capped);
  const __m512i which = _mm512_add_epi16(book, _mm512_min_epu16(values, c->caps));
  const __m512i entry = _mm512_permutexvar_epi16(which, c->entries);
  const __m512i code = _mm512_add_epi16(values, _mm512_srai_epi16(entry, 8));
  const __m512i level_code = _mm512_slli_epi32(code, 16);
  const __m512i level_length =
      dot(_mm512_and_si512(entry, _mm512_set1_epi32(0xFF)),
                          _mm512_lzcnt_epi32(level_code), twice);
  // The run's constant, and one more for the sign.
  const __m512i run_constant = _mm512_ternarylogic_epi32(
      entry, _mm512_set1_epi32(0xFF0000), _mm512_set1_epi32(1), 0xEA);
  words16 w;
  w.length = dot(dot(level_length, run_constant, _mm512_set1_epi16(1)),
                                 _mm512_lzcnt_epi32(code), twice);
  // A level's code fills its word's uppermost bit only where the whole is too long for a pair.
  const __m512i run_code = _mm512_sllv_epi32(_mm512_srli_epi32(code, 15), level_length);
  w.code = _mm512_ternarylogic_epi32(run_code, _mm512_srli_epi32(level_code, 15),
                                     _mm512_srli_epi16(signs, 15), 0xFE);
  return w;
}

// Sixteen double words each, dealt over four vectors.
PRORES_INLINE void deal(const coder *c, __m512i *v) {
  const __m512i even0 = _mm512_permutex2var_epi32(v[0], c->evens, v[1]);
  const __m512i even1 = _mm512_permutex2var_epi32(v[2], c->evens, v[3]);
  const __m512i odd0 = _mm512_permutex2var_epi32(v[0], c->odds, v[1]);
  const __m512i odd1 = _mm512_permutex2var_epi32(v[2], c->odds, v[3]);
  v[0] = _mm512_permutex2var_epi32(even0, c->evens, even1);
  v[1] = _mm512_permutex2var_epi32(odd0, c->evens, odd1);
  v[2] = _mm512_permutex2var_epi32(even0, c->odds, even1);
  v[3] = _mm512_permutex2var_epi32(odd0, c->odds, odd1);
}

PRORES_INLINE words16 join(words16 first, words16 second) {
  return (words16){_mm512_or_si512(_mm512_sllv_epi32(first.code, second.length), second.code),
                   _mm512_add_epi32(first.length, second.length)};
}

PRORES_INLINE int any_longer(__m512i length, int limit) {
  return _mm512_cmpgt_epu32_mask(length, _mm512_set1_epi32(limit)) != 0;
}

// Stretches of code on their way to the bit writer: one a symbol at the most, and what a last turn
// may put too many.
typedef struct stretch_list {
  _Alignas(64) uint64_t codes[64 * PRORES_LANES + 64];
  _Alignas(64) uint64_t lengths[64 * PRORES_LANES + 64];
} stretch_list;

PRORES_INLINE void put(stretch_list *list, size_t at, __m512i codes, __m512i lengths) {
  _mm512_storeu_si512(list->codes + at, codes);
  _mm512_storeu_si512(list->lengths + at, lengths);
}

PRORES_INLINE void put_in_turn(stretch_list *list, size_t at, __m512i codes, __m512i lengths,
                               __m512i later_codes, __m512i later_lengths) {
  const __m512i first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
  const __m512i second = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
  put(list, at, _mm512_permutex2var_epi64(codes, first, later_codes),
      _mm512_permutex2var_epi64(lengths, first, later_lengths));
  put(list, at + 8, _mm512_permutex2var_epi64(codes, second, later_codes),
      _mm512_permutex2var_epi64(lengths, second, later_lengths));
}

// Lists sixteen pairs and the sixteen that follow them one each: as eight stretches of eight
// symbols; where these are too long, as sixteen of four; or as 32 of two. Returns how many.
PRORES_INLINE size_t list_pairs(stretch_list *list, size_t at, words16 first, words16 second) {
  const __m512i low = _mm512_set1_epi64(0xFFFFFFFF);
  const __m512i even_first = _mm512_and_si512(first.code, low);
  const __m512i odd_first = _mm512_srli_epi64(first.code, 32);
  const __m512i odd_second = _mm512_srli_epi64(second.code, 32);
  const __m512i even = _mm512_ternarylogic_epi64(
      _mm512_sllv_epi64(even_first, _mm512_and_si512(second.length, low)), second.code, low, 0xF8);
  const __m512i odd = _mm512_or_si512(
      _mm512_sllv_epi64(odd_first, _mm512_srli_epi64(second.length, 32)), odd_second);
  const __m512i length = _mm512_add_epi32(first.length, second.length);
  const __m512i even_length = _mm512_and_si512(length, low);
  const __m512i odd_length = _mm512_srli_epi64(length, 32);
  const __m512i sum = _mm512_add_epi64(even_length, odd_length);
  if (__builtin_expect(!_mm512_cmpgt_epu64_mask(sum, _mm512_set1_epi64(57)), 1)) {
    put(list, at, _mm512_or_si512(_mm512_sllv_epi64(even, odd_length), odd), sum);
    return 8;
  }
  if (__builtin_expect(!any_longer(length, 57), 1)) {
    put_in_turn(list, at, even, even_length, odd, odd_length);
    return 16;
  }
  uint32_t codes[2][16], lengths[2][16];
  _mm512_storeu_si512(codes[0], first.code);
  _mm512_storeu_si512(codes[1], second.code);
  _mm512_storeu_si512(lengths[0], first.length);
  _mm512_storeu_si512(lengths[1], second.length);
  for (int i = 0; i < 32; i++) {
    list->codes[at + (size_t)i] = codes[i & 1][i >> 1];
    list->lengths[at + (size_t)i] = lengths[i & 1][i >> 1];
  }
  return 32;
}

// Lists up to 64 symbols one by one, and empty stretches to a multiple of eight.
static __attribute__((noinline)) size_t list_plainly(stretch_list *list, size_t at,
                                                     const uint32_t *symbols, size_t count) {
  prores_stretch stretches[64] = {{0, 0}};
  prores_put_plainly(stretches, symbols, count);
  const size_t listed = (count + 7) & ~(size_t)7;
  for (size_t i = 0; i < listed; i++) {
    list->codes[at + i] = stretches[i].code;
    list->lengths[at + i] = stretches[i].length;
  }
  return listed;
}

PRORES_INLINE prores_bits write_list(prores_bits bits, const stretch_list *list, size_t from,
                                     size_t to) {
  for (; from < to; from += 8) {
    for (size_t i = 0; i < 8; i++) {
      prores_append(&bits, list->codes[from + i], (unsigned)list->lengths[from + i]);
    }
  }
  return bits;
}

// The word before each word; none before the first.
PRORES_INLINE __m512i words_before(__m512i v) {
  const __m512i before = _mm512_alignr_epi32(v, _mm512_setzero_si512(), 15);
  return _mm512_or_si512(_mm512_slli_epi32(v, 16), _mm512_srli_epi32(before, 16));
}

// Code words of DC levels, of pairs of blocks; lengths above 32 where that is too little.
PRORES_INLINE words16 code_dc_pairs(const int16_t *dc) {
  const __m512i level = _mm512_loadu_si512(dc);
  const __m512i difference = _mm512_sub_epi16(level, words_before(level));
  const __m512i before = words_before(difference);
  __m512i book = _mm512_min_epu16(_mm512_abs_epi16(before), _mm512_set1_epi16(3));
  // The first level has a book of its own and no sign before it; nor has the second.
  book = _mm512_mask_mov_epi16(book, 3, _mm512_set1_epi32(3 << 16 | 4));
  const __m512i sign = _mm512_maskz_srai_epi16(~3u, before, 15);
  const __m512i relative = _mm512_sub_epi16(_mm512_xor_si512(difference, sign), sign);
  const __m512i value = _mm512_xor_si512(_mm512_add_epi16(relative, relative),
                                         _mm512_srai_epi16(relative, 15));
  const __mmask64 bytes = 0x5555555555555555u;
  __m512i addend = _mm512_maskz_shuffle_epi8(bytes, table_of_bytes(dc_addends), book);
  __m512i constant = _mm512_maskz_shuffle_epi8(bytes, table_of_bytes(dc_constants), book);
  // The third book has Rice codes that are not of the common formula.
  const __mmask32 rice = _mm512_mask_cmplt_epu16_mask(
      _mm512_cmpeq_epi16_mask(book, _mm512_set1_epi16(2)), value, _mm512_set1_epi16(4));
  addend = _mm512_mask_mov_epi16(addend, rice, _mm512_set1_epi16(4));
  constant = _mm512_mask_mov_epi16(constant, rice, _mm512_set1_epi16(29));
  const __m512i code = _mm512_add_epi16(value, addend);
  const __m512i low = _mm512_set1_epi32(0xFFFF);
  const __m512i zeros = _mm512_lzcnt_epi32(code);
  const __m512i low_zeros = _mm512_lzcnt_epi32(_mm512_slli_epi32(code, 16));
  words16 even, odd;
  even.code = _mm512_and_si512(code, low);
  even.length = _mm512_sub_epi32(_mm512_and_si512(constant, low), _mm512_slli_epi32(low_zeros, 1));
  odd.code = _mm512_srli_epi32(code, 16);
  odd.length = _mm512_sub_epi32(_mm512_srli_epi32(constant, 16), _mm512_slli_epi32(zeros, 1));
  return join(even, odd);
}

// Lists DC levels, or returns 0 where a code is too long for that.
PRORES_INLINE size_t list_dc(stretch_list *list, const int16_t *dc, int32_t blocks) {
  const __mmask16 valid = (__mmask16)((1u << blocks / 2) - 1);
  words16 pairs = code_dc_pairs(dc);
  pairs.code = _mm512_maskz_mov_epi32(valid, pairs.code);
  pairs.length = _mm512_maskz_mov_epi32(valid, pairs.length);
  const __m512i low = _mm512_set1_epi64(0xFFFFFFFF);
  const __m512i odd_length = _mm512_srli_epi64(pairs.length, 32);
  const __m512i length = _mm512_add_epi64(_mm512_and_si512(pairs.length, low), odd_length);
  if (any_longer(pairs.length, 32) | any_longer(length, 57)) return 0;
  const __m512i even = _mm512_sllv_epi64(_mm512_and_si512(pairs.code, low), odd_length);
  put(list, 0, _mm512_or_si512(even, _mm512_srli_epi64(pairs.code, 32)), length);
  return 8;
}

// The code words of 64 symbols; `last` is the values of the sixteenth fours of symbols before.
PRORES_INLINE void code_turn(const coder *c, const uint32_t *symbols, words16 *w, __m512i *last) {
  __m512i v[4], values[4];
  for (int j = 0; j < 4; j++) {
    const __m512i symbol = _mm512_loadu_si512(symbols + 16 * j);
    v[j] = _mm512_mask_sub_epi16(symbol, 0xAAAAAAAA, symbol,
                                 _mm512_loadu_si512(symbols + 16 * j - 1));
  }
  deal(c, v);
  for (int j = 0; j < 4; j++) values[j] = _mm512_and_si512(v[j], c->magnitudes);
  w[0] = code_words(c, values[0], _mm512_alignr_epi32(values[3], *last, 15), v[0]);
  for (int j = 1; j < 4; j++) w[j] = code_words(c, values[j], values[j - 1], v[j]);
  *last = values[3];
}

static size_t code(const int16_t *dc, int32_t blocks, uint32_t *symbols, size_t count,
                   uint8_t *bytes) {
  stretch_list list;
  const coder c = make_coder();
  prores_bits bits = {0, 0, bytes};
  size_t listed = list_dc(&list, dc, blocks), written = 0;
  if (!listed) prores_code_dc(&bits, dc, blocks);
  prores_write_predecessors(symbols, blocks);
  __m512i last = _mm512_set1_epi32((PRORES_INITIAL_RUN + 1) << 16 | PRORES_INITIAL_LEVEL);
  for (size_t i = 0; i < count; i += 64) {
    const size_t left = count - i, before = listed;
    words16 w[4];
    code_turn(&c, symbols + i, w, &last);
    if (__builtin_expect(left < 64, 0)) {
      for (size_t j = 0; j < 4; j++) {
        const __mmask16 valid = (__mmask16)((1u << (left + 3 - j) / 4) - 1);
        w[j].code = _mm512_maskz_mov_epi32(valid, w[j].code);
        w[j].length = _mm512_maskz_mov_epi32(valid, w[j].length);
      }
    }
    const words16 first = join(w[0], w[1]), second = join(w[2], w[3]);
    if (__builtin_expect(any_longer(_mm512_or_si512(first.length, second.length), 31), 0)) {
      listed += list_plainly(&list, listed, symbols + i, left < 64 ? left : 64);
    } else {
      listed += list_pairs(&list, listed, first, second);
    }
    // What the turn before has listed: its vectors are done, and these wait for nothing.
    bits = write_list(bits, &list, written, before);
    written = before;
  }
  bits = write_list(bits, &list, written, listed);
  return prores_finish(&bits, bytes);
}
