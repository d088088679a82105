#include "CRawKernels.h"

#include <string.h>

#include "vectors.h"

static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

static inline uint32_t load(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

// For numbers of one message, or of several messages in the lanes of a vector.
#define ROTATED(value, by) ((value) << (by) | (value) >> (32 - (by)))
#define ROUND(f, a, b, c, d, k, s, i) \
  a = a + (f) + words[k] + sines[i];  \
  a = b + ROTATED(a, s)
#define F(b, c, d) ((d) ^ ((b) & ((c) ^ (d))))
#define G(b, c, d) ((c) ^ ((d) & ((b) ^ (c))))
#define H(b, c, d) ((b) ^ (c) ^ (d))
#define I(b, c, d) ((c) ^ ((b) | ~(d)))
#define FOUR(f, i, k0, k1, k2, k3, s0, s1, s2, s3) \
  ROUND(f(b, c, d), a, b, c, d, k0, s0, i);        \
  ROUND(f(a, b, c), d, a, b, c, k1, s1, i + 1);    \
  ROUND(f(d, a, b), c, d, a, b, k2, s2, i + 2);    \
  ROUND(f(c, d, a), b, c, d, a, k3, s3, i + 3)

#define ALL_ROUNDS() \
  FOUR(F, 0, 0, 1, 2, 3, 7, 12, 17, 22); \
  FOUR(F, 4, 4, 5, 6, 7, 7, 12, 17, 22); \
  FOUR(F, 8, 8, 9, 10, 11, 7, 12, 17, 22); \
  FOUR(F, 12, 12, 13, 14, 15, 7, 12, 17, 22); \
  FOUR(G, 16, 1, 6, 11, 0, 5, 9, 14, 20); \
  FOUR(G, 20, 5, 10, 15, 4, 5, 9, 14, 20); \
  FOUR(G, 24, 9, 14, 3, 8, 5, 9, 14, 20); \
  FOUR(G, 28, 13, 2, 7, 12, 5, 9, 14, 20); \
  FOUR(H, 32, 5, 8, 11, 14, 4, 11, 16, 23); \
  FOUR(H, 36, 1, 4, 7, 10, 4, 11, 16, 23); \
  FOUR(H, 40, 13, 0, 3, 6, 4, 11, 16, 23); \
  FOUR(H, 44, 9, 12, 15, 2, 4, 11, 16, 23); \
  FOUR(I, 48, 0, 7, 14, 5, 6, 10, 15, 21); \
  FOUR(I, 52, 12, 3, 10, 1, 6, 10, 15, 21); \
  FOUR(I, 56, 8, 15, 6, 13, 6, 10, 15, 21); \
  FOUR(I, 60, 4, 11, 2, 9, 6, 10, 15, 21)

static void block(uint32_t state[4], const uint8_t *bytes) {
  uint32_t words[16];
  for (unsigned i = 0; i < 16; i++) words[i] = load(bytes + 4 * i);
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  ALL_ROUNDS();
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

void raw_md5(const uint8_t *bytes, size_t count, uint8_t digest[16]) {
  uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  size_t done = 0;
  for (; count - done >= 64; done += 64) block(state, bytes + done);
  uint8_t tail[128] = {0};
  size_t left = count - done;
  if (left > 0) memcpy(tail, bytes + done, left);
  tail[left] = 0x80;
  size_t size = left < 56 ? 64 : 128;
  uint64_t bits = (uint64_t)count * 8;
  for (unsigned i = 0; i < 8; i++) tail[size - 8 + i] = (uint8_t)(bits >> (8 * i));
  for (size_t i = 0; i < size; i += 64) block(state, tail + i);
  for (unsigned i = 0; i < 16; i++) digest[i] = (uint8_t)(state[i / 4] >> (8 * (i % 4)));
}

// One number per message.
typedef uint32_t lanes __attribute__((vector_size(4 * RAW_MD5_LANES)));

// A word of a message's last block, which contains only padding and its length in bits.
static inline uint32_t length_word(unsigned index, uint64_t bits) {
  return index == 0 ? 0x80 : index == 14 ? (uint32_t)bits : index == 15 ? (uint32_t)(bits >> 32) : 0;
}

RAW_VECTORS
void raw_md5_lanes(const uint8_t *const *messages, size_t row_bytes, size_t stride, size_t rows,
                   uint8_t *digests) {
  const uint64_t bits = (uint64_t)row_bytes * rows * 8;
  lanes a = {0}, b = {0}, c = {0}, d = {0}, words[16];
  a += 0x67452301u, b += 0xefcdab89u, c += 0x98badcfeu, d += 0x10325476u;
  for (size_t row = 0; row <= rows; row++) {
    const int is_end = row == rows;
    for (size_t place = 0; place < (is_end ? 64 : row_bytes); place += 64) {
      for (unsigned i = 0; i < 16; i++)
        for (unsigned k = 0; k < RAW_MD5_LANES; k++)
          words[i][k] = is_end ? length_word(i, bits)
                               : load(messages[k] + row * stride + place + 4 * i);
      const lanes before[4] = {a, b, c, d};
      ALL_ROUNDS();
      a += before[0], b += before[1], c += before[2], d += before[3];
    }
  }
  const lanes state[4] = {a, b, c, d};
  for (unsigned k = 0; k < RAW_MD5_LANES; k++)
    for (unsigned i = 0; i < 16; i++)
      digests[16 * k + i] = (uint8_t)(state[i / 4][k] >> (8 * (i % 4)));
}
