#pragma once

// The hot loops of downscaled frames for monitors. No function allocates memory, or reads or writes
// beyond the given sizes.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The rounded means of the samples in two rows of v210, `factor` (2 or 4) from each row, limited to
// 4 to 1019, the codes that SDI allows for video. Pass the same row twice to average a single row.
//
// A block has 16 bytes and six pixels; the number of blocks is a multiple of `factor`. For each
// block, `luma` receives 6 / factor codes, and `cb` and `cr` half as many.
//
// `next` is the distance in bytes from these rows to those to be read next, 0 for none. It affects
// only speed: their beginning is fetched into the cache while the end of these rows is read.
void monitor_v210_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next, size_t blocks,
                        int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr);

// The same for two rows of P210, whose luma and chroma are in separate planes. `luma` receives
// `count` codes, an even number; the rows have `factor` times as many luma samples.
void monitor_p210_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next,
                        const uint8_t *chroma, const uint8_t *second_chroma, ptrdiff_t next_chroma,
                        size_t count, int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr);

// The same for two rows of 8 bits, Y Cb Y Cr or Cb Y Cr Y.
void monitor_yuyv_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next, size_t count,
                        int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr);
void monitor_uyvy_means(const uint8_t *first, const uint8_t *second, ptrdiff_t next, size_t count,
                        int factor, uint16_t *luma, uint16_t *cb, uint16_t *cr);

// The number of codes that differ by more than `tolerance`.
size_t monitor_count_changes(const uint16_t *before, const uint16_t *now, size_t count,
                             uint16_t tolerance);

// The number of codes that are at most `threshold`.
size_t monitor_count_dark(const uint16_t *codes, size_t count, uint16_t threshold);

#ifdef __cplusplus
}
#endif
