#pragma once

// Shared by tables that process components singly or in pairs.

#include "samples.h"

// Whether a component shares rows of coefficients with the next one, as Cb and Cr do in 4:2:2.
PRORES_INLINE int prores_share_rows(const prores_component *c) {
  return c[1].coefficients == c[0].coefficients + PRORES_LANES / 2 && c[0].blocks <= 16 &&
         c[1].blocks == c[0].blocks && c[1].quantizer == c[0].quantizer;
}

typedef size_t prores_quantize_component(const int16_t *coefficients, int32_t blocks,
                                         const prores_quantizer *quantizer, int16_t *dc,
                                         uint32_t *symbols, const uint8_t *const *ahead);

PRORES_INLINE void prores_quantize_each(prores_component *components, int32_t count,
                                        const uint8_t *const *ahead,
                                        prores_quantize_component *quantize) {
  for (int32_t i = 0; i < count; i++) {
    prores_component *c = components + i;
    c->count = quantize(c->coefficients, c->blocks, c->quantizer, c->dc, c->symbols,
                        ahead + i * PRORES_AHEAD);
  }
}

typedef size_t prores_code_component(const int16_t *dc, int32_t blocks, uint32_t *symbols,
                                     size_t count, uint8_t *bytes, const uint8_t *const *ahead);

PRORES_INLINE size_t prores_code_each(prores_component *components, int32_t count, uint8_t *bytes,
                                      const uint8_t *const *ahead, prores_code_component *code) {
  size_t size = 0;
  for (int32_t i = 0; i < count; i++) {
    prores_component *c = components + i;
    c->bytes = code(c->dc, c->blocks, c->symbols, c->count, bytes + size, ahead + i * PRORES_AHEAD);
    size += c->bytes;
  }
  return size;
}
