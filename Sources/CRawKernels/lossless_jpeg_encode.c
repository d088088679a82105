#include "CRawKernels.h"

#include <string.h>

static inline unsigned category(int difference) {
  unsigned magnitude = (unsigned)(difference < 0 ? -difference : difference);
  return magnitude == 0 ? 0 : 32u - (unsigned)__builtin_clz(magnitude);
}

void raw_jpeg_differences(const uint16_t *samples, size_t stride, size_t columns, size_t rows,
                          size_t components, unsigned precision, int16_t *differences,
                          uint32_t counts[RAW_JPEG_COMPONENTS][RAW_JPEG_CATEGORIES]) {
  memset(counts, 0, sizeof(uint32_t) * RAW_JPEG_COMPONENTS * RAW_JPEG_CATEGORIES);
  // Each component alternates between two tables, so that runs of one category do not wait for
  // their own stores.
  uint32_t split[2][RAW_JPEG_COMPONENTS][32];
  memset(split, 0, sizeof split);
  size_t width = columns * components;
  for (size_t y = 0; y < rows; y++) {
    const uint16_t *row = samples + y * stride;
    int16_t *out = differences + y * width;
    for (size_t c = 0; c < components; c++) {
      unsigned prediction = y == 0 ? 1u << (precision - 1) : row[(ptrdiff_t)c - (ptrdiff_t)stride];
      out[c] = (int16_t)(uint16_t)(row[c] - prediction);
    }
    for (size_t x = components; x < width; x++)
      out[x] = (int16_t)(uint16_t)(row[x] - row[x - components]);
    size_t x = 0, pixel = 0;
    for (; x + components <= width; pixel++)
      for (size_t c = 0; c < components; c++, x++) split[pixel & 1][c][category(out[x])]++;
  }
  for (size_t c = 0; c < components; c++)
    for (size_t k = 0; k < RAW_JPEG_CATEGORIES; k++)
      counts[c][k] = split[0][c][k] + split[1][c][k];
}

// At most 32 bits per sample, every byte stuffed in the worst case, and whole words at the end.
size_t raw_jpeg_bound(size_t count) { return count * 8 + 64; }

static inline void store_big_endian(uint8_t *to, uint64_t value) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  value = __builtin_bswap64(value);
#endif
  memcpy(to, &value, 8);
}

// Left-aligned bits that do not fill a byte yet.
typedef struct bit_writer {
  uint8_t *next;
  uint64_t bits;
  unsigned used;
} bit_writer;

static inline void put(bit_writer *writer, uint64_t bits, unsigned length) {
  // At most 7 bits are pending and 32 are added, so the word has room.
  writer->bits |= bits << (64 - writer->used - length);
  writer->used += length;
  store_big_endian(writer->next, writer->bits);
  writer->next += writer->used >> 3;
  writer->bits <<= writer->used & ~7u;
  writer->used &= 7;
}

// Writes the code words without stuffing; callers unroll the loop over components.
static inline __attribute__((always_inline)) int pack(const int16_t *differences, size_t count,
                                                      size_t components,
                                                      const raw_jpeg_codes *codes,
                                                      bit_writer *result) {
  bit_writer writer = *result;
  unsigned missing = 0;
  for (size_t i = 0; i + components <= count; i += components) {
    for (size_t c = 0; c < components; c++) {
      int difference = differences[i + c];
      unsigned k = category(difference);
      // Category 16 has no additional bits, because it has only one value.
      unsigned extra = k & 15;
      uint32_t low = (uint32_t)(difference + (difference >> 31)) & ((1u << extra) - 1);
      unsigned length = codes[c].length[k];
      missing |= length == 0;
      // A missing word must not shift by the register's full width.
      put(&writer, (uint64_t)codes[c].word[k] << extra | low, (length + extra) | (length == 0));
    }
  }
  *result = writer;
  return missing == 0;
}

// Copies bytes and inserts a zero after each 0xFF.
static size_t stuff(const uint8_t *from, size_t count, uint8_t *to) {
  uint8_t *start = to;
  size_t i = 0;
  while (i + 8 <= count) {
    uint64_t word;
    memcpy(&word, from + i, 8);
    uint64_t inverse = ~word;
    memcpy(to, &word, 8);
    if (((inverse - 0x0101010101010101u) & ~inverse & 0x8080808080808080u) == 0) {
      to += 8;
    } else {
      for (size_t k = 0; k < 8; k++) {
        *to++ = from[i + k];
        if (from[i + k] == 0xFF) *to++ = 0;
      }
    }
    i += 8;
  }
  for (; i < count; i++) {
    *to++ = from[i];
    if (from[i] == 0xFF) *to++ = 0;
  }
  return (size_t)(to - start);
}

size_t raw_jpeg_encode(const int16_t *differences, size_t count, size_t components,
                       const raw_jpeg_codes codes[RAW_JPEG_COMPONENTS], uint8_t *scratch,
                       uint8_t *bytes, size_t capacity) {
  if (capacity < raw_jpeg_bound(count)) return 0;
  bit_writer writer = {scratch, 0, 0};
  int isWhole;
  switch (components) {
  case 1: isWhole = pack(differences, count, 1, codes, &writer); break;
  case 2: isWhole = pack(differences, count, 2, codes, &writer); break;
  case 3: isWhole = pack(differences, count, 3, codes, &writer); break;
  case 4: isWhole = pack(differences, count, 4, codes, &writer); break;
  default: return 0;
  }
  if (!isWhole) return 0;
  if (writer.used > 0) put(&writer, (1u << (8 - writer.used)) - 1, 8 - writer.used);
  return stuff(scratch, (size_t)(writer.next - scratch), bytes);
}
