#pragma once

// The hot loops of small pictures for monitors. Nothing allocates, and nothing reads or writes beyond
// the sizes that it is given.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The rounded means of the samples of two rows of v210, `factor` (2 or 4) of each row, within 4 to 1019,
// the codes that SDI leaves to pictures. The same row twice stands for one row.
//
// A block has 16 bytes and six pixels; there are `factor` of them, or a multiple. `luma` gets 6 / factor
// codes for each, `cb` and `cr` half of that.
//
// `next` is the distance in bytes from these rows to those that are taken next, 0 for none. Nothing but speed depends
// on it: their beginning is fetched into the cache while the end of these is read.
void monitor_v210_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next, size_t blocks,
                        int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr);

// The same of two rows of P210, whose luma and chroma lie apart. `luma` gets `count` codes, an even number;
// the rows have `factor` as many samples of luma.
void monitor_p210_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next,
                        const uint8_t *chroma, const uint8_t *second_chroma, ptrdiff_t next_chroma,
                        size_t count, int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr);

// The same of two rows of 8 bits, Y Cb Y Cr or Cb Y Cr Y.
void monitor_yuyv_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next, size_t count,
                        int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr);
void monitor_uyvy_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next, size_t count,
                        int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr);

// How many codes differ by more than `tolerance`.
size_t monitor_count_changes(const uint16_t *before, const uint16_t *now, size_t count,
                             uint16_t tolerance);

// How many codes are at most `threshold`.
size_t monitor_count_dark(const uint16_t *codes, size_t count, uint16_t threshold);

#ifdef __cplusplus
}
#endif
