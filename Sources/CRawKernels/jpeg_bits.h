#pragma once

#include <string.h>

#include "CRawKernels.h"

// The bits of a JPEG scan, and its Huffman code words. The reader stores offsets, not addresses, so
// that it can be kept between calls.

// Eight bytes of a scan, the first one most significant.
static inline uint64_t load_word(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

// Has a bit set for each 0xFF byte, with which stuffing and markers begin; possibly also for a 0xFE
// byte directly before one.
static inline uint64_t marks(uint64_t word) {
  return (~word - 0x0101010101010101u) & word & 0x8080808080808080u;
}

// Ensures at least 49 bits by loading whole bytes; 0 if this is impossible in one step, because one
// of them is 0xFF or the end is near. At most 48 bits may be loaded before.
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

// Ensures at least 49 bits: undoes the stuffing of zero bytes, and stops at markers.
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
      // At a marker or the end, zero bits may be looked at, but not used.
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

// The value of the next code word; -1 if it is invalid. At least 16 bits remain after it.
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

// A signed number of `size` bits, 1 to 15 (ITU-T T.81, F.2.2.1, EXTEND).
static inline int next_number(raw_jpeg_reader *reader, unsigned size) {
  int value = (int)(reader->bits >> (64 - size));
  drop(reader, size);
  return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

// True if more bits were used than available.
static inline int is_overdrawn(const raw_jpeg_reader *reader) {
  return reader->borrowed > reader->count;
}
