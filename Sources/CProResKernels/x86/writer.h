#pragma once

// The lists of a slice being written to bytes: while one is made, the previous one is written.

#include "../internal/samples.h"
#include "../internal/stretches.h"

typedef struct writer {
  // The list being made, and the one waiting to be written.
  prores_placed *list, *waiting;
  uint64_t held;
  uint8_t *bytes;
  // The lines to prefetch next, and the last ones.
  const uint8_t *const *ahead, *const *last_ahead;
} writer;

PRORES_INLINE writer make_writer(prores_placed *lists, uint8_t *bytes, const uint8_t *const *ahead,
                                 int32_t components) {
  writer w = {lists, lists + 1, 0, bytes, ahead, ahead + components * PRORES_AHEAD - 4};
  w.waiting->count = w.waiting->carried = 0;
  return w;
}

// Writes the waiting list; the finished list then waits.
PRORES_INLINE void turn_lists(writer *w) {
  prores_placed *const written = w->waiting;
  w->held = prores_write_placed(written, w->held, w->bytes);
  w->waiting = w->list;
  w->list = written;
}

PRORES_INLINE void finish_writing(writer *w) {
  prores_ask_rest(w->ahead, w->last_ahead);
  prores_write_placed(w->waiting, w->held, w->bytes);
}
