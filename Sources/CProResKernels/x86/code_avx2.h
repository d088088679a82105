#pragma once

// Code words with AVX2, 32 symbols at a time.
//
// As in code_avx512.h, a run and a level are the two words of a lane, symbols are distributed over
// four vectors so that neighbors are joined without shuffles, and the list written is that of the
// previous pass.

#include <immintrin.h>

#include "../internal/bits.h"
#include "../internal/constants.h"
#include "books.h"
#include "writer.h"

// Byte tables in two halves of sixteen; values begin at 1, so the first entry is unused.
#define AT(book) ((book) * 4)
#define ENTRY(addend, constant) (uint8_t)(((addend) + 2) << 4 | ((constant) + 1))
#define DC_CONSTANT_OF(addend, constant) ((constant) + 4)
static const uint8_t run_books[16] = {RUN_BOOKS(AT)};
static const uint8_t level_books[16] = {LEVEL_BOOKS(AT)};
static const uint8_t code_entries[32] = {0, BOOK_ENTRIES(ENTRY)};
static const uint8_t dc_addends[16] = {DC_ENTRIES(ADDEND_OF)};
static const uint8_t dc_constants[16] = {DC_ENTRIES(DC_CONSTANT_OF)};
#undef AT
#undef ENTRY

// Code words of eight symbols or pairs, and their lengths, in double words.
typedef struct words8 {
  __m256i code, length;
} words8;

PRORES_INLINE __m256i look_up(const uint8_t *table, __m256i which) {
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load128(table)), which);
}

// The exponents of numbers as floating-point numbers store them: biased by 127.
PRORES_INLINE __m256i floating(__m256i v) { return _mm256_castps_si256(_mm256_cvtepi32_ps(v)); }

// The bytes above the values' low bytes match no entry: they exceed 127, which gives zeros.
PRORES_INLINE __m256i look_up_entries(__m256i which) {
  const __m256i low =
      look_up(code_entries, _mm256_adds_epu8(which, _mm256_set1_epi8(0x70)));
  const __m256i high =
      look_up(code_entries + 16, _mm256_add_epi8(which, _mm256_set1_epi16(0x70F0)));
  return _mm256_or_si256(low, high);
}

// Code words of two vectors of values; `signs` are the values with the sign above the magnitude.
// Each step is done for both, as in code_avx512.h; there are not enough registers for more.
PRORES_INLINE void code_words(const __m256i *values, const __m256i *before, const __m256i *signs,
                              words8 *w) {
#define EACH for (int j = 0; j < 2; j++)
  const __m256i zero = _mm256_setzero_si256();
  __m256i capped[2], book[2], entry[2], code[2], level_code[2], exponent[2], lengths[2], level[2];
  EACH capped[j] = _mm256_min_epu16(before[j], _mm256_set1_epi32(16 << 16 | 9));
  EACH book[j] =
      _mm256_blend_epi16(look_up(level_books, capped[j]), look_up(run_books, capped[j]), 0xAA);
  EACH book[j] = _mm256_add_epi16(book[j], _mm256_min_epu16(values[j], _mm256_set1_epi16(4)));
  EACH entry[j] = look_up_entries(book[j]);
  EACH code[j] = _mm256_sub_epi16(_mm256_add_epi16(values[j], _mm256_srli_epi16(entry[j], 4)),
                                  _mm256_set1_epi16(2));
  EACH level_code[j] = _mm256_blend_epi16(code[j], zero, 0xAA);
  EACH code[j] = _mm256_srli_epi32(code[j], 16);
  EACH exponent[j] = _mm256_blend_epi16(_mm256_srli_epi32(floating(level_code[j]), 23),
                                        _mm256_srli_epi32(floating(code[j]), 7), 0xAA);
  // One more for the sign, counted with the level.
  EACH lengths[j] = _mm256_sub_epi16(
      _mm256_add_epi16(_mm256_add_epi16(exponent[j], exponent[j]),
                       _mm256_and_si256(entry[j], _mm256_set1_epi16(15))),
      _mm256_set1_epi32(255 << 16 | 254));
  EACH level[j] = _mm256_or_si256(_mm256_add_epi32(level_code[j], level_code[j]),
                                  _mm256_srli_epi16(signs[j], 15));
  EACH code[j] = _mm256_sllv_epi32(code[j], _mm256_blend_epi16(lengths[j], zero, 0xAA));
  EACH w[j].code = _mm256_or_si256(code[j], level[j]);
  EACH w[j].length = _mm256_madd_epi16(lengths[j], _mm256_set1_epi16(1));
#undef EACH
}

// Distributes eight double words each over four vectors: lane 4k + m has symbols from 8m + 4k on.
PRORES_INLINE void deal(__m256i *v) {
  const __m256i a = _mm256_unpacklo_epi32(v[0], v[1]), b = _mm256_unpackhi_epi32(v[0], v[1]);
  const __m256i c = _mm256_unpacklo_epi32(v[2], v[3]), d = _mm256_unpackhi_epi32(v[2], v[3]);
  v[0] = _mm256_unpacklo_epi64(a, c);
  v[1] = _mm256_unpackhi_epi64(a, c);
  v[2] = _mm256_unpacklo_epi64(b, d);
  v[3] = _mm256_unpackhi_epi64(b, d);
}

PRORES_INLINE words8 join(words8 first, words8 second) {
  return (words8){_mm256_or_si256(_mm256_sllv_epi32(first.code, second.length), second.code),
                  _mm256_add_epi32(first.length, second.length)};
}

PRORES_INLINE int any_longer(__m256i length, int limit) {
  const __m256i longer = _mm256_cmpgt_epi32(length, _mm256_set1_epi32(limit));
  return !_mm256_testz_si256(longer, longer);
}

// Groups of four symbols from the low or the high double words of pairs.
PRORES_INLINE words8 join_low(words8 first, words8 second) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i code = _mm256_sllv_epi64(_mm256_blend_epi32(first.code, zero, 0xAA),
                                         _mm256_blend_epi32(second.length, zero, 0xAA));
  return (words8){_mm256_or_si256(code, _mm256_blend_epi32(second.code, zero, 0xAA)),
                  _mm256_blend_epi32(_mm256_add_epi32(first.length, second.length), zero, 0xAA)};
}

PRORES_INLINE words8 join_high(words8 first, words8 second) {
  const __m256i code = _mm256_sllv_epi64(_mm256_srli_epi64(first.code, 32),
                                         _mm256_srli_epi64(second.length, 32));
  return (words8){_mm256_or_si256(code, _mm256_srli_epi64(second.code, 32)),
                  _mm256_srli_epi64(_mm256_add_epi32(first.length, second.length), 32)};
}

// Lists four stretches, the first of which begins at bit `start` (in all lanes). Returns the bit
// after the last one.
PRORES_INLINE __m256i put(prores_placed *list, __m256i start, words8 w) {
  const __m256i zero = _mm256_setzero_si256(), seven = _mm256_set1_epi64x(7);
  const __m256i swap = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
  __m256i ends = _mm256_add_epi64(
      w.length, _mm256_blend_epi32(_mm256_permute4x64_epi64(w.length, 0x90), zero, 3));
  ends = _mm256_add_epi64(ends, _mm256_permute2x128_si256(ends, ends, 0x08));
  ends = _mm256_add_epi64(ends, start);
  const __m256i starts = _mm256_sub_epi64(ends, w.length);
  const __m256i used = _mm256_add_epi64(_mm256_and_si256(starts, seven), w.length);
  const __m256i words =
      _mm256_sllv_epi64(w.code, _mm256_sub_epi64(_mm256_set1_epi64x(64), used));
  store256(list->words + list->count, _mm256_shuffle_epi8(words, swap));
  store256(list->bytes + list->count, _mm256_srli_epi64(starts, 3));
  store256(list->full_bits + list->count, _mm256_andnot_si256(seven, used));
  list->count += 4;
  return _mm256_permute4x64_epi64(ends, 0xFF);
}

// Lists up to 32 symbols as separate stretches.
static __attribute__((noinline)) __m256i put_plainly(prores_placed *list, __m256i start,
                                                     const uint32_t *symbols, size_t count) {
  _Alignas(32) uint64_t codes[32] = {0}, lengths[32] = {0};
  prores_put_plainly(codes, lengths, symbols, count);
  for (size_t i = 0; i < count; i += 4) {
    start = put(list, start, (words8){load256(codes + i), load256(lengths + i)});
  }
  return start;
}

// Code words of 32 symbols, joined in pairs: eight pairs and those that follow them.
typedef struct pairs32 {
  words8 first, second;
} pairs32;

// Lists pairs that are too long for groups of eight as stretches of four symbols, or of single
// symbols if these are too long.
static __attribute__((noinline)) __m256i put_long_pairs(prores_placed *list, __m256i start,
                                                        const pairs32 *pairs,
                                                        const uint32_t *symbols, size_t count) {
  const words8 first = pairs->first, second = pairs->second;
  const __m256i length = _mm256_add_epi32(first.length, second.length);
  if (any_longer(_mm256_or_si256(first.length, second.length), 31) ||
      any_longer(length, PRORES_LONGEST_PLACED)) {
    return put_plainly(list, start, symbols, count < 32 ? count : 32);
  }
  // Groups 0 4 2 6 and 1 5 3 7, of which the even ones come first.
  const words8 low = join_low(first, second), high = join_high(first, second);
  const words8 even = {_mm256_permute2x128_si256(low.code, high.code, 0x20),
                       _mm256_permute2x128_si256(low.length, high.length, 0x20)};
  const words8 odd = {_mm256_permute2x128_si256(low.code, high.code, 0x31),
                      _mm256_permute2x128_si256(low.length, high.length, 0x31)};
  start = put(list, start, (words8){_mm256_unpacklo_epi64(even.code, odd.code),
                                    _mm256_unpacklo_epi64(even.length, odd.length)});
  return put(list, start, (words8){_mm256_unpackhi_epi64(even.code, odd.code),
                                   _mm256_unpackhi_epi64(even.length, odd.length)});
}

PRORES_INLINE __m256i widen_low(__m256i v) {
  return _mm256_cvtepu32_epi64(_mm256_castsi256_si128(v));
}

PRORES_INLINE __m256i widen_high(__m256i v) {
  return _mm256_cvtepu32_epi64(_mm256_extracti128_si256(v, 1));
}

// Lists pairs as four stretches of eight symbols, unless they are too long for that.
PRORES_INLINE __m256i put_pairs(prores_placed *list, __m256i start, const pairs32 *pairs,
                                const uint32_t *symbols, size_t count) {
  // The even groups of four are in the low lanes, the odd ones in the high lanes.
  const words8 fours = join(pairs->first, pairs->second);
  const __m256i odd_length = widen_high(fours.length);
  const __m256i length = _mm256_add_epi64(widen_low(fours.length), odd_length);
  const __m256i longer =
      _mm256_or_si256(_mm256_cmpgt_epi32(fours.length, _mm256_set1_epi32(32)),
                      _mm256_cmpgt_epi32(length, _mm256_set1_epi32(PRORES_LONGEST_PLACED)));
  list->count = 0;
  list->carried = ~0ull;
  if (__builtin_expect(!_mm256_testz_si256(longer, longer), 0)) {
    return put_long_pairs(list, start, pairs, symbols, count);
  }
  const __m256i even = _mm256_sllv_epi64(widen_low(fours.code), odd_length);
  return put(list, start, (words8){_mm256_or_si256(even, widen_high(fours.code)), length});
}

static __attribute__((noinline)) __m256i put_dc_plainly(prores_placed *list, __m256i start,
                                                        const int16_t *dc, int32_t blocks) {
  _Alignas(32) prores_word_t words[PRORES_LANES] = {{0, 0}};
  prores_dc_words(dc, blocks, words);
  for (int32_t i = 0; i < blocks; i += 4) {
    const __m256i v = load256(words + i);
    start = put(list, start, (words8){_mm256_blend_epi32(v, _mm256_setzero_si256(), 0xAA),
                                      _mm256_srli_epi64(v, 32)});
  }
  return start;
}

// Code words of eight pairs of DC levels; two levels before them are read, which are zero at the
// start.
PRORES_INLINE words8 code_dc_pairs(const int16_t *dc, int is_start) {
  const __m256i level = load256(dc), level1 = load256(dc - 1), level2 = load256(dc - 2);
  const __m256i difference = _mm256_sub_epi16(level, level1);
  __m256i before = _mm256_sub_epi16(level1, level2);
  __m256i book = _mm256_min_epu16(_mm256_abs_epi16(before), _mm256_set1_epi16(3));
  if (is_start) {
    // The first level has its own codebook and no previous sign; nor has the second.
    before = _mm256_blend_epi32(before, _mm256_setzero_si256(), 1);
    book = _mm256_blend_epi32(book, _mm256_set1_epi32(3 << 16 | 4), 1);
  }
  const __m256i sign = _mm256_srai_epi16(before, 15);
  const __m256i relative = _mm256_sub_epi16(_mm256_xor_si256(difference, sign), sign);
  const __m256i value = _mm256_xor_si256(_mm256_add_epi16(relative, relative),
                                         _mm256_srai_epi16(relative, 15));
  const __m256i four = _mm256_set1_epi16(4);
  const __m256i rice =
      _mm256_and_si256(_mm256_cmpeq_epi16(book, _mm256_set1_epi16(2)),
                       _mm256_cmpgt_epi16(four, _mm256_min_epu16(value, four)));
  // High bytes match no entry.
  const __m256i which = _mm256_or_si256(book, _mm256_set1_epi16((short)0x8000));
  const __m256i addend =
      _mm256_or_si256(look_up(dc_addends, which), _mm256_and_si256(rice, four));
  const __m256i constant = _mm256_add_epi16(look_up(dc_constants, which), rice);
  const __m256i code = _mm256_add_epi16(value, addend);
  const __m256i zero = _mm256_setzero_si256(), excess = _mm256_set1_epi32(2 * 127 + 4);
  words8 even, odd;
  even.code = _mm256_blend_epi16(code, zero, 0xAA);
  odd.code = _mm256_srli_epi32(code, 16);
  const __m256i even_exponent = _mm256_srli_epi32(floating(even.code), 23);
  const __m256i odd_exponent = _mm256_srli_epi32(floating(odd.code), 23);
  even.length = _mm256_sub_epi32(_mm256_add_epi32(_mm256_add_epi32(even_exponent, even_exponent),
                                                  _mm256_blend_epi16(constant, zero, 0xAA)),
                                 excess);
  odd.length = _mm256_sub_epi32(_mm256_add_epi32(_mm256_add_epi32(odd_exponent, odd_exponent),
                                                 _mm256_srli_epi32(constant, 16)),
                                excess);
  return join(even, odd);
}

PRORES_INLINE __m256i put_dc(prores_placed *list, const __m256i begin, const int16_t *dc,
                             int32_t blocks) {
  _Alignas(64) int16_t levels[PRORES_LANES + 16];
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i zero = _mm256_setzero_si256();
  store256(levels, zero);
  for (int32_t i = 0; i < blocks; i += 16) store256(levels + 16 + i, load256(dc + i));
  list->count = list->carried = 0;
  __m256i start = begin;
  for (int32_t i = 0; i < blocks; i += 16) {
    words8 pairs = code_dc_pairs(levels + 16 + i, i == 0);
    const __m256i valid = _mm256_cmpgt_epi32(_mm256_set1_epi32((blocks - i) / 2), lane);
    pairs.code = _mm256_and_si256(pairs.code, valid);
    pairs.length = _mm256_and_si256(pairs.length, valid);
    const __m256i odd_length = _mm256_srli_epi64(pairs.length, 32);
    const __m256i even = _mm256_sllv_epi64(_mm256_blend_epi32(pairs.code, zero, 0xAA), odd_length);
    const words8 fours = {
        _mm256_or_si256(even, _mm256_srli_epi64(pairs.code, 32)),
        _mm256_add_epi64(_mm256_blend_epi32(pairs.length, zero, 0xAA), odd_length)};
    if (any_longer(pairs.length, 32) | any_longer(fours.length, PRORES_LONGEST_PLACED)) {
      list->count = 0;
      return put_dc_plainly(list, begin, dc, blocks);
    }
    start = put(list, start, fours);
  }
  return start;
}

// The code words of 32 symbols; `last` begins with the values of the previous symbol.
PRORES_INLINE void code_turn(const uint32_t *symbols, words8 *w, __m256i *last) {
  const __m256i high = _mm256_set1_epi32((int)0xFFFF0000);
  __m256i v[4], values[4];
  for (int j = 0; j < 4; j++) {
    const __m256i before = _mm256_and_si256(load256(symbols + 8 * j - 1), high);
    v[j] = _mm256_sub_epi32(load256(symbols + 8 * j), before);
  }
  deal(v);
  for (int j = 0; j < 4; j++) {
    values[j] = _mm256_and_si256(v[j], _mm256_set1_epi32((int)0xFFFF7FFF));
  }
  // Each lane holds every second group of four; the last group moves to the front, for the next
  // pass.
  const __m256i order = _mm256_setr_epi32(7, 4, 5, 6, 0, 1, 2, 3);
  const __m256i turned = _mm256_permutevar8x32_epi32(values[3], order);
  const __m256i before[2] = {_mm256_blend_epi32(turned, *last, 1), values[0]};
  code_words(values, before, v, w);
  code_words(values + 2, values + 1, v + 2, w + 2);
  *last = turned;
}

// Clears everything beyond the `count` symbols of a pass.
PRORES_INLINE void cut_words(words8 *w, size_t count) {
  const __m256i symbol = _mm256_setr_epi32(0, 8, 16, 24, 4, 12, 20, 28);
  for (int j = 0; j < 4; j++) {
    const __m256i valid = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count - j), symbol);
    w[j].code = _mm256_and_si256(w[j].code, valid);
    w[j].length = _mm256_and_si256(w[j].length, valid);
  }
}

PRORES_INLINE pairs32 code_pairs(const uint32_t *symbols, __m256i *last) {
  words8 w[4];
  code_turn(symbols, w, last);
  return (pairs32){join(w[0], w[1]), join(w[2], w[3])};
}

// The pairs of a last pass of up to 32 symbols.
PRORES_INLINE pairs32 code_last_pairs(const uint32_t *symbols, size_t count, __m256i *last) {
  words8 w[4];
  code_turn(symbols, w, last);
  cut_words(w, count);
  return (pairs32){join(w[0], w[1]), join(w[2], w[3])};
}

PRORES_INLINE __m256i put_turn(writer *w, __m256i start, const pairs32 *pairs,
                               const uint32_t *symbols, size_t count) {
  start = put_pairs(w->list, start, pairs, symbols, count);
  turn_lists(w);
  return start;
}

// Lists the passes over a component's symbols and writes the waiting list; as in code_avx512.h
// three passes overlap.
PRORES_INLINE __m256i put_symbols_of(writer *w, __m256i start, const prores_component *p) {
  const uint32_t *symbols = p->symbols, *const end = symbols + p->count / 32 * 32;
  const size_t rest = p->count % 32;
  __m256i last = _mm256_set1_epi32((PRORES_INITIAL_RUN + 1) << 16 | PRORES_INITIAL_LEVEL);
  if (symbols == end) {
    const pairs32 only = code_last_pairs(symbols, rest, &last);
    return put_turn(w, start, &only, symbols, rest);
  }
  pairs32 pairs = code_pairs(symbols, &last);
  for (symbols += 32; symbols != end; symbols += 32) {
    const pairs32 next = code_pairs(symbols, &last);
    start = put_turn(w, start, &pairs, symbols - 32, 32);
    if ((end - symbols) & 32) w->ahead = prores_ask(w->ahead, w->last_ahead);
    pairs = next;
  }
  const pairs32 next = code_last_pairs(symbols, rest, &last);
  start = put_turn(w, start, &pairs, symbols - 32, 32);
  return put_turn(w, start, &next, symbols, rest);
}

static size_t code(prores_component *components, int32_t count, uint8_t *bytes,
                   const uint8_t *const *ahead) {
  prores_placed lists[2];
  writer w = make_writer(lists, bytes, ahead, count);
  const __m256i seven = _mm256_set1_epi64x(7);
  __m256i start = _mm256_setzero_si256();
  size_t size = 0;
  for (int32_t i = 0; i < count; i++) {
    prores_component *p = components + i;
    prores_write_predecessors(p->symbols, p->blocks);
    start = put_dc(w.list, start, p->dc, p->blocks);
    turn_lists(&w);
    start = put_symbols_of(&w, start, p);
    // The next component begins at a byte boundary.
    start = _mm256_andnot_si256(seven, _mm256_add_epi64(start, seven));
    p->bytes = ((size_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(start)) >> 3) - size;
    size += p->bytes;
  }
  finish_writing(&w);
  return size;
}
