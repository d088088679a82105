#pragma once

#include <string.h>

#include "CRawKernels.h"

// Bits of a scan of JPEG, and the words of its Huffman codes. Offsets and not addresses, so that a
// reader outlasts the call.

// Eight bytes of a scan, the first on top.
static inline uint64_t load_word(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

// Has a bit of each byte that is 0xFF, which stuffing and markers begin with; for a byte of 0xFE in
// front of one it may have one, too.
static inline uint64_t marks(uint64_t word) {
  return (~word - 0x0101010101010101u) & word & 0x8080808080808080u;
}

// Makes sure that there are 49 bits, by whole bytes; 0 where it cannot be done in one step, for one of
// them is 0xFF or the end is near. No more than 48 bits are there before.
static inline int take_bytes(raw_jpeg_reader *reader, const uint8_t *bytes, size_t end) {
  if (reader->next >= end || end - reader->next < sizeof(uint64_t)) return 0;
  const uint64_t word = load_word(bytes + reader->next);
  const unsigned more = (56 - reader->count) / 8;
  const unsigned unused = 64 - 8 * more;
  if (marks(word) >> unused != 0) return 0;
  reader->bits |= word >> unused << unused >> reader->count;
  reader->count += 8 * more;
  reader->next += more;
  return 1;
}

// Makes sure that there are 49 bits: undoes the stuffing of zero bytes, and stops at markers.
static inline void refill(raw_jpeg_reader *reader, const uint8_t *bytes, size_t end) {
  if (reader->count > 48 || take_bytes(reader, bytes, end)) return;
  while (reader->count <= 48) {
    uint8_t byte = 0;
    if (reader->next < end && bytes[reader->next] != 0xFF) {
      byte = bytes[reader->next++];
    } else if (reader->next + 1 < end && bytes[reader->next + 1] == 0) {
      byte = 0xFF;
      reader->next += 2;
    } else {
      // A marker or the end: the last bits may be looked beyond, not used.
      reader->borrowed += 8;
    }
    reader->bits |= (uint64_t)byte << (56 - reader->count);
    reader->count += 8;
  }
}

static inline void drop(raw_jpeg_reader *reader, unsigned count) {
  reader->bits <<= count;
  reader->count -= count;
}

// The value of the next word; -1 where there is none. 16 bits are left behind it.
static inline int next_value(raw_jpeg_reader *reader, const uint8_t *bytes, size_t end,
                             const raw_jpeg_table *table) {
  if (reader->count < 32) refill(reader, bytes, end);
  unsigned found = table->lookup[reader->bits >> (64 - RAW_JPEG_LOOKUP_BITS)];
  if (found >> 8) {
    drop(reader, found >> 8);
    return found & 0xFF;
  }
  uint32_t head = (uint32_t)(reader->bits >> 48);
  unsigned length = RAW_JPEG_LOOKUP_BITS + 1;
  while (length <= 16 && head >= table->limit[length]) length++;
  if (length > 16) return -1;
  int64_t index = (int64_t)(head >> (16 - length)) + table->offset[length];
  if (index < 0 || index >= (int64_t)table->value_count) return -1;
  drop(reader, length);
  return table->values[index];
}

// A signed number of so many bits, 1 to 15 (ITU-T T.81, F.2.2.1, EXTEND).
static inline int next_number(raw_jpeg_reader *reader, unsigned size) {
  int value = (int)(reader->bits >> (64 - size));
  drop(reader, size);
  return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

// True where more bits were used than there are: what is left are made-up ones alone.
static inline int is_overdrawn(const raw_jpeg_reader *reader) {
  return reader->borrowed > reader->count;
}
