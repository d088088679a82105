#include "CMonitorKernels.h"
#include "means.h"

// Rows of packed buffers may be unaligned.
typedef uint16_t loose __attribute__((aligned(1), may_alias));

// Samples in a cache line. The loop is split because a prefetch within it would prevent
// vectorization.
enum { LINE = CACHE_LINE / 2 };

// 10-bit samples at the top of 16 bits.
MONITOR_VECTORS
static void add_tens(const uint8_t *first, const uint8_t *second, ptrdiff_t skip,
                     const uint8_t *chroma, const uint8_t *second_chroma, ptrdiff_t skip_chroma,
                     size_t count, size_t left, struct sums *restrict sums) {
  const loose *a = (const loose *)first, *b = (const loose *)second;
  const loose *c = (const loose *)chroma, *d = (const loose *)second_chroma;
  size_t at = 0;
  for (; at + LINE <= count; at += LINE) {
    ask_for(a + at, left - 2 * at, skip);
    ask_for(b + at, left - 2 * at, skip);
    ask_for(c + at, left - 2 * at, skip_chroma);
    ask_for(d + at, left - 2 * at, skip_chroma);
    for (size_t i = at; i < at + LINE; i++) sums->luma[i] = (a[i] >> 6) + (b[i] >> 6);
    for (size_t i = at; i < at + LINE; i++) sums->chroma[i] = (c[i] >> 6) + (d[i] >> 6);
  }
  for (; at < count; at++) {
    sums->luma[at] = (a[at] >> 6) + (b[at] >> 6);
    sums->chroma[at] = (c[at] >> 6) + (d[at] >> 6);
  }
}

// 8-bit samples, as 10-bit ones: luma begins at bit `luma_at` of each 16 bits, chroma is in the
// other half.
MONITOR_VECTORS
static void add_eights(const uint8_t *first, const uint8_t *second, size_t count, int luma_at,
                       struct sums *restrict sums) {
  const loose *a = (const loose *)first, *b = (const loose *)second;
  for (size_t i = 0; i < count; i++) {
    uint16_t low = (a[i] & 0xFF) + (b[i] & 0xFF), high = (a[i] >> 8) + (b[i] >> 8);
    sums->luma[i] = (luma_at ? high : low) << 2;
    sums->chroma[i] = (luma_at ? low : high) << 2;
  }
}

void monitor_p210_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next,
                        const uint8_t *chroma, const uint8_t *second_chroma, ptrdiff_t next_chroma,
                        size_t count, int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr) {
  struct sums sums;
  size_t samples = factor * count;
  ptrdiff_t skip = skip_to(next, 2 * samples), skip_chroma = skip_to(next_chroma, 2 * samples);
  for (size_t at = 0; at < samples; at += RUN) {
    size_t run = samples - at < RUN ? samples - at : RUN, made = at / factor;
    add_tens(first + 2 * at, second + 2 * at, skip, chroma + 2 * at, second_chroma + 2 * at,
             skip_chroma, run, 2 * (samples - at), &sums);
    monitor_means(&sums, run, factor, luma + made, cb + made / 2, cr + made / 2);
  }
}

static void packed_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next, size_t count,
                         int luma_at, int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr) {
  struct sums sums;
  size_t samples = factor * count;
  ptrdiff_t skip = skip_to(next, 2 * samples);
  for (size_t at = 0; at < samples; at += RUN) {
    size_t run = samples - at < RUN ? samples - at : RUN, made = at / factor;
    for (size_t i = 0; i < run; i += LINE) {
      ask_for(first + 2 * (at + i), 2 * (samples - at - i), skip);
      ask_for(second + 2 * (at + i), 2 * (samples - at - i), skip);
    }
    add_eights(first + 2 * at, second + 2 * at, run, luma_at, &sums);
    monitor_means(&sums, run, factor, luma + made, cb + made / 2, cr + made / 2);
  }
}

void monitor_yuyv_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next, size_t count,
                        int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr) {
  packed_means(first, second, next, count, 0, factor, luma, cb, cr);
}

void monitor_uyvy_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next, size_t count,
                        int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr) {
  packed_means(first, second, next, count, 8, factor, luma, cb, cr);
}
