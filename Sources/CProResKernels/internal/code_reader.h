#pragma once

// Reads code words (RDD 36, 7.1).
//
// Nearly all runs and levels take few bits together, sign included: the next bits and the current
// codebooks index both in one table (internal/symbol_table.h). For other words, the leading zeros
// determine the length; the value is the word's bits plus a constant. Words longer than any valid
// value get a constant that produces a value which every check rejects.

#include <string.h>

#include "CProResDecoding.h"
#include "constants.h"
#include "symbol_table.h"

// An upper bound for coefficients of 12-bit pictures, whatever the weights.
enum { PRORES_LARGEST_LEVEL = 1 << 16 };

// The next bits, aligned to the top; `held` of them are valid.
typedef struct prores_window {
  uint64_t bits;
  const uint8_t *next;
  uint32_t held;
} prores_window;

// Refills to at least 56 bits. Bits beyond `held` are the stream's as well, so loading them again
// does no harm.
PRORES_READER void prores_refill(prores_window *w) {
  uint64_t more;
  memcpy(&more, w->next, 8);
  w->bits |= __builtin_bswap64(more) >> w->held;
  w->next += (63 - w->held) >> 3;
  w->held |= 56;
}

PRORES_READER void prores_skip(prores_window *w, uint32_t length) {
  w->bits <<= length;
  w->held -= length;
}

PRORES_READER uint32_t prores_take(prores_window *w, uint32_t length) {
  const uint32_t value = (uint32_t)(w->bits >> (64 - length));
  prores_skip(w, length);
  return value;
}

// The number of bits consumed.
PRORES_READER int64_t prores_consumed(const prores_window *w, const uint8_t *bytes) {
  return (w->next - bytes) * 8 - w->held;
}

// Reads a code word of up to 32 bits; `longest` is raised to its length.
PRORES_READER uint32_t prores_read_word(prores_window *w, const int32_t *entries,
                                        uint32_t *longest) {
  const int32_t entry = entries[__builtin_clzll(w->bits | 1ull << 32)];
  const uint32_t length = (uint32_t)entry & 63;
  if (length > *longest) *longest = length;
  return prores_take(w, length) + (uint32_t)(entry >> 8);
}

// The position after the last 1 bit.
PRORES_READER int64_t prores_end_of_ones(const uint8_t *bytes, size_t size) {
  while (size > 0 && bytes[size - 1] == 0) size--;
  return size == 0 ? 0 : (int64_t)size * 8 - __builtin_ctz(bytes[size - 1]);
}

// Reads the DC levels: the first, then differences whose sign is relative to the previous one.
// Returns 0 if they exceed the data or are too large.
PRORES_READER int prores_read_dc_levels(prores_window *w, const uint8_t *bytes, size_t size,
                                        int32_t blocks, int16_t *levels, uint32_t *longest) {
  const int64_t end = (int64_t)size * 8;
  const uint32_t most = 2 * PRORES_LARGEST_LEVEL;
  prores_refill(w);
  const uint32_t first = prores_read_word(w, prores_first_dc_entries, longest);
  int32_t value = (int32_t)(first >> 1) ^ -(int32_t)(first & 1);
  uint32_t magnitude = 3, negative = 0;
  for (int32_t block = 0;;) {
    if (prores_consumed(w, bytes) > end || (uint32_t)value + PRORES_LARGEST_LEVEL > most) return 0;
    if (levels) levels[block] = (int16_t)value;
    if (++block == blocks) return 1;
    prores_refill(w);
    const uint32_t code =
        prores_read_word(w, prores_dc_entries[magnitude < 3 ? magnitude : 3], longest);
    magnitude = (code + 1) >> 1;
    negative = code == 0 ? 0 : negative ^ (code & 1);
    value += (int32_t)((magnitude ^ -negative) + negative);
  }
}

// A component being read.
typedef struct prores_stream {
  prores_window window;
  const uint8_t *bytes;
  int16_t *levels;
  int64_t end_of_ones;
  uint32_t position, limit;
  // The current codebooks, as an offset in the table of symbols.
  uint32_t books;
  // The length of the longest code word read outside the table.
  uint32_t longest;
} prores_stream;

// Begins reading a component with its DC levels; returns 0 if there are none.
PRORES_READER int prores_begin(prores_stream *s, prores_coded *c) {
  c->padding = -1;
  c->last = 0;
  s->window = (prores_window){0, c->bytes, 0};
  s->bytes = c->bytes;
  s->levels = c->levels;
  s->end_of_ones = prores_end_of_ones(c->bytes, c->size);
  s->position = (uint32_t)c->blocks - 1;
  s->limit = (uint32_t)c->blocks * 64;
  s->books = prores_books(PRORES_INITIAL_RUN, PRORES_INITIAL_LEVEL);
  s->longest = 0;
  return prores_read_dc_levels(&s->window, c->bytes, c->size, c->blocks, c->levels, &s->longest);
}

// Reads a run and a level of any length; returns 0 if the run exceeds the last block or the level
// is too large.
PRORES_READER int prores_read_symbol(prores_stream *s, int is_stored) {
  prores_window *w = &s->window;
  const uint32_t books = s->books >> PRORES_SYMBOL_BITS;
  prores_refill(w);
  const uint32_t run =
      prores_read_word(w, prores_run_entries[books / PRORES_LEVEL_BOOKS], &s->longest);
  // A level and its sign take up to 33 bits.
  prores_refill(w);
  const uint32_t less =
      prores_read_word(w, prores_level_entries[books % PRORES_LEVEL_BOOKS], &s->longest);
  const uint32_t negative = prores_take(w, 1);
  s->position += run + 1;
  if (s->position >= s->limit || less >= PRORES_LARGEST_LEVEL) return 0;
  s->books = prores_books(run, less + 1);
  if (is_stored) s->levels[s->position] = (int16_t)(((less + 1) ^ -negative) + negative);
  return 1;
}

// Reads a symbol that is in the table, without refilling; otherwise jumps to `otherwise`.
#define PRORES_READ_QUICKLY(S, is_stored, otherwise)                                            \
  {                                                                                             \
    const uint32_t entry = prores_symbols[(S).books + (uint32_t)((S).window.bits >>             \
                                                                 (64 - PRORES_SYMBOL_BITS))];   \
    if (__builtin_expect(entry == 0, 0)) goto otherwise;                                        \
    (S).window.bits <<= entry & 63;                                                             \
    (S).window.held -= entry & 63;                                                              \
    (S).position += entry >> 16 & 255;                                                          \
    (S).books = entry & PRORES_SYMBOL_BOOKS;                                                    \
    if (is_stored) (S).levels[(S).position] = (int16_t)((int32_t)entry >> 24);                  \
  }

// Symbols read from the table between refills: as many as 56 bits are guaranteed to contain.
enum { PRORES_GROUP = 56 / PRORES_SYMBOL_BITS };

// True if a group of symbols is certain to end before the end of the data.
PRORES_READER int prores_has_group(const prores_stream *s) {
  return prores_consumed(&s->window, s->bytes) + PRORES_GROUP * PRORES_SYMBOL_BITS <=
             s->end_of_ones &&
         s->position < s->limit;
}

PRORES_READER void prores_read_rest(const prores_stream *begun, prores_coded *c, int is_stored) {
  prores_stream s = *begun;
  while (prores_has_group(&s)) {
    prores_refill(&s.window);
    for (int i = 0; i < PRORES_GROUP; i++) PRORES_READ_QUICKLY(s, is_stored, slowly)
    continue;
  slowly:
    if (!prores_read_symbol(&s, is_stored)) return;
  }
  // Symbols from the table may have exceeded the limit; this is detected here.
  if (s.position >= s.limit) return;
  while (prores_consumed(&s.window, s.bytes) < s.end_of_ones) {
    if (!prores_read_symbol(&s, is_stored)) return;
  }
  c->last = (int32_t)(s.position / (uint32_t)c->blocks);
  c->longest = (int32_t)s.longest;
  const int64_t left = (int64_t)c->size * 8 - prores_consumed(&s.window, s.bytes);
  c->padding = left < 0 ? -1 : left;
}

// Reads two components alternately: each alone would mostly wait for its own previous symbol.
PRORES_READER void prores_read_two(prores_coded *first, prores_coded *second, int is_stored) {
  prores_stream a, b;
  const int has_a = prores_begin(&a, first), has_b = prores_begin(&b, second);
  if (has_a && has_b) {
    while (prores_has_group(&a) && prores_has_group(&b)) {
      prores_refill(&a.window);
      prores_refill(&b.window);
      for (int i = 0; i < PRORES_GROUP; i++) {
        PRORES_READ_QUICKLY(a, is_stored, slowly_a)
        PRORES_READ_QUICKLY(b, is_stored, slowly_b)
      }
      continue;
    slowly_a:
      if (!prores_read_symbol(&a, is_stored)) {
        prores_read_rest(&b, second, is_stored);
        return;
      }
      continue;
    slowly_b:
      if (!prores_read_symbol(&b, is_stored)) {
        prores_read_rest(&a, first, is_stored);
        return;
      }
    }
  }
  if (has_a) prores_read_rest(&a, first, is_stored);
  if (has_b) prores_read_rest(&b, second, is_stored);
}

PRORES_READER void prores_read_one(prores_coded *c, int is_stored) {
  prores_stream s;
  if (prores_begin(&s, c)) prores_read_rest(&s, c, is_stored);
}

// Reads components for a table's `read`; either all are stored, or none.
PRORES_READER void prores_read_each(prores_coded *components, size_t count) {
  size_t i = 0;
  for (; i + 2 <= count; i += 2) {
    if (components[i].levels) {
      prores_read_two(&components[i], &components[i + 1], 1);
    } else {
      prores_read_two(&components[i], &components[i + 1], 0);
    }
  }
  if (i < count) {
    if (components[i].levels) {
      prores_read_one(&components[i], 1);
    } else {
      prores_read_one(&components[i], 0);
    }
  }
}
