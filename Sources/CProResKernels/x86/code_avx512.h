#pragma once

// Code words with AVX-512, 64 symbols at a time.
//
// A symbol's two values, the step from the previous symbol (a run plus one) and the magnitude, are
// the two words of a double word and are coded side by side. The codebook for a value depends on
// the same word of the previous symbol. Symbols are distributed over four vectors so that neighbors
// have the same lane in the next vector: a predecessor then needs no shuffle, and joining a
// symbol's code to the next one's takes a shift and an or.

#include <immintrin.h>

#include "../internal/bits.h"
#include "../internal/constants.h"
#include "books.h"
#include "writer.h"

// The index of a codebook's entry for value 1, minus one.
#define AT(book) ((char)((book) * 4 - 1))
// The addend of a value, and that of twice the exponent, which is available as 30 minus twice the
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

// The tables and the constants for vector lanes.
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
  // Otherwise a compiler that knows the mask splits masked operations into two instructions.
  __asm__("" : "+r"(c.levels));
  return c;
}

// Code words of sixteen symbols, and their lengths, in double words.
typedef struct words16 {
  __m512i code, length;
} words16;

// Code words of four vectors of values, each of which contains the predecessors of the next one;
// `signs` are the values with the sign above the magnitude. Each step is done for all four, because
// a processor that took one vector after the other would run out of scheduler entries for waiting
// instructions.
PRORES_INLINE void code_words(const coder *c, const __m512i *values, __m512i first_before,
                              const __m512i *signs, words16 *w) {
#define EACH for (int j = 0; j < 4; j++)
  const __m512i twice = _mm512_set1_epi16(-2), low_byte = _mm512_set1_epi32(0xFF);
  __m512i capped[4], book[4], entry[4], code[4], level_code[4], level_length[4], run_length[4];
  EACH capped[j] = _mm512_min_epu16(j ? values[j - 1] : first_before, c->caps_before);
  EACH book[j] = _mm512_shuffle_epi8(c->run_books, capped[j]);
  EACH book[j] = _mm512_mask_shuffle_epi8(book[j], c->levels, c->level_books, capped[j]);
  EACH book[j] = _mm512_add_epi16(book[j], _mm512_min_epu16(values[j], c->caps));
  EACH entry[j] = _mm512_permutexvar_epi16(book[j], c->entries);
  EACH code[j] = _mm512_add_epi16(values[j], _mm512_srai_epi16(entry[j], 8));
  EACH level_code[j] = _mm512_slli_epi32(code[j], 16);
  EACH level_length[j] = dot(_mm512_and_si512(entry[j], low_byte),
                             _mm512_lzcnt_epi32(level_code[j]), twice);
  // The run's constant, plus one for the sign.
  EACH run_length[j] = _mm512_ternarylogic_epi32(entry[j], _mm512_set1_epi32(0xFF0000),
                                                 _mm512_set1_epi32(1), 0xEA);
  EACH w[j].length = dot(level_length[j], run_length[j], _mm512_set1_epi16(1));
  EACH w[j].length = dot(w[j].length, _mm512_lzcnt_epi32(code[j]), twice);
  // A level's code uses its word's most significant bit only if the whole is too long for a pair.
  EACH code[j] = _mm512_sllv_epi32(_mm512_srli_epi32(code[j], 15), level_length[j]);
  EACH w[j].code = _mm512_ternarylogic_epi32(code[j], _mm512_srli_epi32(level_code[j], 15),
                                             _mm512_srli_epi16(signs[j], 15), 0xFE);
#undef EACH
}

// Distributes sixteen double words each over four vectors.
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

// Lists eight stretches, the first of which begins at bit `start` (in all lanes). Returns the bit
// after the last one.
PRORES_INLINE __m512i put(prores_placed *list, __m512i start, __m512i codes, __m512i lengths) {
  const __m512i zero = _mm512_setzero_si512(), seven = _mm512_set1_epi64(7);
  const __m512i swap = _mm512_broadcast_i32x4(
      _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
  __m512i ends = _mm512_add_epi64(lengths, _mm512_alignr_epi64(lengths, zero, 7));
  ends = _mm512_add_epi64(ends, _mm512_alignr_epi64(ends, zero, 6));
  ends = _mm512_add_epi64(ends, _mm512_alignr_epi64(ends, zero, 4));
  ends = _mm512_add_epi64(ends, start);
  const __m512i starts = _mm512_sub_epi64(ends, lengths);
  const __m512i used = _mm512_add_epi64(_mm512_and_si512(starts, seven), lengths);
  const __m512i words =
      _mm512_sllv_epi64(codes, _mm512_sub_epi64(_mm512_set1_epi64(64), used));
  _mm512_store_si512(list->words + list->count, _mm512_shuffle_epi8(words, swap));
  _mm512_store_si512(list->bytes + list->count, _mm512_srli_epi64(starts, 3));
  _mm512_store_si512(list->full_bits + list->count, _mm512_andnot_si512(seven, used));
  list->count += 8;
  return _mm512_permutexvar_epi64(seven, ends);
}

// Lists eight stretches, alternating with those that follow each of them.
PRORES_INLINE __m512i put_in_turn(prores_placed *list, __m512i start, __m512i codes,
                                  __m512i lengths, __m512i next_codes, __m512i next_lengths) {
  const __m512i early = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
  const __m512i late = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
  start = put(list, start, _mm512_permutex2var_epi64(codes, early, next_codes),
              _mm512_permutex2var_epi64(lengths, early, next_lengths));
  return put(list, start, _mm512_permutex2var_epi64(codes, late, next_codes),
             _mm512_permutex2var_epi64(lengths, late, next_lengths));
}

// Lists up to 64 symbols as separate stretches.
static __attribute__((noinline)) __m512i put_plainly(prores_placed *list, __m512i start,
                                                     const uint32_t *symbols, size_t count) {
  _Alignas(64) uint64_t codes[64] = {0}, lengths[64] = {0};
  prores_put_plainly(codes, lengths, symbols, count);
  for (size_t i = 0; i < count; i += 8) {
    start = put(list, start, LOAD(codes + i), LOAD(lengths + i));
  }
  return start;
}

// Code words of 64 symbols, joined in pairs: sixteen pairs and those that follow them.
typedef struct pairs64 {
  words16 first, second;
} pairs64;

PRORES_INLINE __m512i widen(__m512i words, int half) {
  return _mm512_cvtepu32_epi64(half ? _mm512_extracti64x4_epi64(words, 1)
                                    : _mm512_castsi512_si256(words));
}

// Lists pairs that are too long for groups of eight as stretches of four symbols, or of two or one
// if these are too long.
PRORES_INLINE __m512i put_long_pairs(prores_placed *list, __m512i start, const pairs64 *pairs,
                                     const uint32_t *symbols, size_t count) {
  const words16 first = pairs->first, second = pairs->second;
  if (any_longer(_mm512_or_si512(first.length, second.length), 31)) {
    return put_plainly(list, start, symbols, count < 64 ? count : 64);
  }
  const __m512i length = _mm512_add_epi32(first.length, second.length);
  if (any_longer(length, PRORES_LONGEST_PLACED)) {
    for (int half = 0; half < 2; half++) {
      start = put_in_turn(list, start, widen(first.code, half), widen(first.length, half),
                          widen(second.code, half), widen(second.length, half));
    }
    return start;
  }
  const __m512i low = _mm512_set1_epi64(0xFFFFFFFF);
  const __m512i even = _mm512_sllv_epi64(_mm512_and_si512(first.code, low),
                                         _mm512_and_si512(second.length, low));
  const __m512i odd = _mm512_sllv_epi64(_mm512_srli_epi64(first.code, 32),
                                        _mm512_srli_epi64(second.length, 32));
  return put_in_turn(list, start,
                     _mm512_or_si512(even, _mm512_and_si512(second.code, low)),
                     _mm512_and_si512(length, low),
                     _mm512_or_si512(odd, _mm512_srli_epi64(second.code, 32)),
                     _mm512_srli_epi64(length, 32));
}

// Eight stretches of eight symbols, which may be too long to be listed.
typedef struct eights {
  __m512i code, length;
  int are_long;
} eights;

PRORES_INLINE eights join_pairs(const pairs64 *pairs) {
  const words16 fours = join(pairs->first, pairs->second);
  const __m512i low = _mm512_set1_epi64(0xFFFFFFFF);
  const __m512i odd_length = _mm512_srli_epi64(fours.length, 32);
  const __m512i length = _mm512_add_epi64(_mm512_and_si512(fours.length, low), odd_length);
  const __m512i even = _mm512_sllv_epi64(_mm512_and_si512(fours.code, low), odd_length);
  return (eights){_mm512_or_si512(even, _mm512_srli_epi64(fours.code, 32)), length,
                  any_longer(fours.length, 32) | any_longer(length, PRORES_LONGEST_PLACED)};
}

PRORES_INLINE void begin_list(prores_placed *list) {
  list->count = 0;
  list->carried = ~0ull;
}

// Lists the pairs of up to 64 symbols.
PRORES_INLINE __m512i put_pairs(prores_placed *list, __m512i start, const pairs64 *pairs,
                                const uint32_t *symbols, size_t count) {
  const eights e = join_pairs(pairs);
  begin_list(list);
  return __builtin_expect(e.are_long, 0) ? put_long_pairs(list, start, pairs, symbols, count)
                                         : put(list, start, e.code, e.length);
}

static __attribute__((noinline)) __m512i put_dc_plainly(prores_placed *list, __m512i start,
                                                        const int16_t *dc, int32_t blocks) {
  _Alignas(64) prores_word_t words[PRORES_LANES] = {{0, 0}};
  prores_dc_words(dc, blocks, words);
  for (int32_t i = 0; i < blocks; i += 8) {
    const __m512i v = LOAD(words + i);
    start = put(list, start, _mm512_and_si512(v, _mm512_set1_epi64(0xFFFFFFFF)),
                _mm512_srli_epi64(v, 32));
  }
  return start;
}

// The previous word for each word; zero for the first.
PRORES_INLINE __m512i words_before(__m512i v) {
  const __m512i before = _mm512_alignr_epi32(v, _mm512_setzero_si512(), 15);
  return _mm512_or_si512(_mm512_slli_epi32(v, 16), _mm512_srli_epi32(before, 16));
}

// Code words of DC levels, for pairs of blocks; lengths above 32 if that is not enough.
PRORES_INLINE words16 code_dc_pairs(const int16_t *dc) {
  const __m512i level = _mm512_loadu_si512(dc);
  const __m512i difference = _mm512_sub_epi16(level, words_before(level));
  const __m512i before = words_before(difference);
  __m512i book = _mm512_min_epu16(_mm512_abs_epi16(before), _mm512_set1_epi16(3));
  // The first level has its own codebook and no previous sign; nor has the second.
  book = _mm512_mask_mov_epi16(book, 3, _mm512_set1_epi32(3 << 16 | 4));
  const __m512i sign = _mm512_maskz_srai_epi16(~3u, before, 15);
  const __m512i relative = _mm512_sub_epi16(_mm512_xor_si512(difference, sign), sign);
  const __m512i value = _mm512_xor_si512(_mm512_add_epi16(relative, relative),
                                         _mm512_srai_epi16(relative, 15));
  const __mmask64 bytes = 0x5555555555555555u;
  __m512i addend = _mm512_maskz_shuffle_epi8(bytes, table_of_bytes(dc_addends), book);
  __m512i constant = _mm512_maskz_shuffle_epi8(bytes, table_of_bytes(dc_constants), book);
  // The third codebook has Rice codes that do not follow the common formula.
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

PRORES_INLINE __m512i put_dc(prores_placed *list, __m512i start, const int16_t *dc,
                             int32_t blocks) {
  list->count = list->carried = 0;
  const __mmask16 valid = (__mmask16)((1u << blocks / 2) - 1);
  words16 pairs = code_dc_pairs(dc);
  pairs.code = _mm512_maskz_mov_epi32(valid, pairs.code);
  pairs.length = _mm512_maskz_mov_epi32(valid, pairs.length);
  const __m512i low = _mm512_set1_epi64(0xFFFFFFFF);
  const __m512i odd_length = _mm512_srli_epi64(pairs.length, 32);
  const __m512i length = _mm512_add_epi64(_mm512_and_si512(pairs.length, low), odd_length);
  if (any_longer(pairs.length, 32) | any_longer(length, PRORES_LONGEST_PLACED)) {
    return put_dc_plainly(list, start, dc, blocks);
  }
  const __m512i even = _mm512_sllv_epi64(_mm512_and_si512(pairs.code, low), odd_length);
  return put(list, start, _mm512_or_si512(even, _mm512_srli_epi64(pairs.code, 32)), length);
}

// The code words of 64 symbols; `last` is the previous pass's last vector of values.
PRORES_INLINE void code_turn(const coder *c, const uint32_t *symbols, words16 *w, __m512i *last) {
  __m512i v[4], values[4];
  for (int j = 0; j < 4; j++) {
    const __m512i symbol = _mm512_loadu_si512(symbols + 16 * j);
    v[j] = _mm512_mask_sub_epi16(symbol, 0xAAAAAAAA, symbol,
                                 _mm512_loadu_si512(symbols + 16 * j - 1));
  }
  deal(c, v);
  for (int j = 0; j < 4; j++) values[j] = _mm512_and_si512(v[j], c->magnitudes);
  code_words(c, values, _mm512_alignr_epi32(values[3], *last, 15), v, w);
  *last = values[3];
}

PRORES_INLINE pairs64 code_pairs(const coder *c, const uint32_t *symbols, __m512i *last) {
  words16 w[4];
  code_turn(c, symbols, w, last);
  return (pairs64){join(w[0], w[1]), join(w[2], w[3])};
}

// The pairs of a last pass of up to 64 symbols; empty beyond them.
PRORES_INLINE pairs64 code_last_pairs(const coder *c, const uint32_t *symbols, size_t count,
                                      __m512i *last) {
  words16 w[4];
  code_turn(c, symbols, w, last);
  for (size_t j = 0; j < 4; j++) {
    const __mmask16 valid = (__mmask16)((1u << (count + 3 - j) / 4) - 1);
    w[j].code = _mm512_maskz_mov_epi32(valid, w[j].code);
    w[j].length = _mm512_maskz_mov_epi32(valid, w[j].length);
  }
  return (pairs64){join(w[0], w[1]), join(w[2], w[3])};
}

PRORES_INLINE void turn(writer *w) {
  turn_lists(w);
  w->ahead = prores_ask(w->ahead, w->last_ahead);
}

// Codes the symbols of a pass and lists `pairs`, those of the previous pass. Both follow the same
// branch, so that compilers can interleave them.
PRORES_INLINE pairs64 code_and_put(const coder *c, writer *w, __m512i *start, const pairs64 *pairs,
                                   const uint32_t *symbols, __m512i *last) {
  const eights e = join_pairs(pairs);
  begin_list(w->list);
  if (__builtin_expect(e.are_long, 0)) {
    *start = put_long_pairs(w->list, *start, pairs, symbols - 64, 64);
    return code_pairs(c, symbols, last);
  }
  *start = put(w->list, *start, e.code, e.length);
  return code_pairs(c, symbols, last);
}

// Lists the passes over a component's symbols and writes the waiting list. Three passes overlap, so
// that none waits for another's latency: code words are made for one, those of the previous pass
// are listed, and the stretches of the one before are written. The last pass may be empty.
PRORES_INLINE __m512i put_symbols_of(writer *w, const coder *c, __m512i start,
                                     const prores_component *p) {
  const uint32_t *symbols = p->symbols, *const end = symbols + p->count / 64 * 64;
  const size_t rest = p->count % 64;
  __m512i last = _mm512_set1_epi32((PRORES_INITIAL_RUN + 1) << 16 | PRORES_INITIAL_LEVEL);
  pairs64 pairs;
  if (symbols == end) {
    pairs = code_last_pairs(c, symbols, rest, &last);
  } else {
    pairs = code_pairs(c, symbols, &last);
    for (symbols += 64; symbols != end; symbols += 64) {
      pairs = code_and_put(c, w, &start, &pairs, symbols, &last);
      turn(w);
    }
    const pairs64 next = code_last_pairs(c, symbols, rest, &last);
    start = put_pairs(w->list, start, &pairs, symbols - 64, 64);
    turn(w);
    pairs = next;
  }
  start = put_pairs(w->list, start, &pairs, symbols, rest);
  turn(w);
  return start;
}

static size_t code(prores_component *components, int32_t count, uint8_t *bytes,
                   const uint8_t *const *ahead) {
  prores_placed lists[2];
  writer w = make_writer(lists, bytes, ahead, count);
  const coder c = make_coder();
  const __m512i seven = _mm512_set1_epi64(7);
  __m512i start = _mm512_setzero_si512();
  size_t size = 0;
  for (int32_t i = 0; i < count; i++) {
    prores_component *p = components + i;
    prores_write_predecessors(p->symbols, p->blocks);
    start = put_dc(w.list, start, p->dc, p->blocks);
    turn_lists(&w);
    start = put_symbols_of(&w, &c, start, p);
    // The next component begins at a byte boundary.
    start = _mm512_andnot_si512(seven, _mm512_add_epi64(start, seven));
    p->bytes = ((size_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(start)) >> 3) - size;
    size += p->bytes;
  }
  finish_writing(&w);
  return size;
}
