#pragma once

// The hot loop of small pictures for monitors. Nothing allocates, and nothing reads or writes beyond
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
void monitor_v210_means(const uint8_t *first, const uint8_t *second, size_t blocks, int factor,
                        uint16_t *luma, uint16_t *cb, uint16_t *cr);

#ifdef __cplusplus
}
#endif
