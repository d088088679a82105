#include "CLateCalls.h"
#include "CLoudness.h"

#include <ebur128.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* The ABI this was compiled against. */
static const char *const file_name = "libebur128.so.1";

static struct {
  __typeof__(ebur128_init) *init;
  __typeof__(ebur128_destroy) *destroy;
  __typeof__(ebur128_add_frames_int) *add;
  __typeof__(ebur128_loudness_momentary) *momentary;
  __typeof__(ebur128_loudness_shortterm) *short_term;
  __typeof__(ebur128_loudness_global) *integrated;
  __typeof__(ebur128_loudness_range) *range;
  __typeof__(ebur128_true_peak) *true_peak;
} library;

static char failure[512];

static void load(void) {
  const late_symbol symbols[] = {
      {&library.init, "ebur128_init"},
      {&library.destroy, "ebur128_destroy"},
      {&library.add, "ebur128_add_frames_int"},
      {&library.momentary, "ebur128_loudness_momentary"},
      {&library.short_term, "ebur128_loudness_shortterm"},
      {&library.integrated, "ebur128_loudness_global"},
      {&library.range, "ebur128_loudness_range"},
      {&library.true_peak, "ebur128_true_peak"},
  };
  late_symbols_load(file_name, symbols, sizeof symbols / sizeof *symbols, failure, sizeof failure);
}

const char *loudness_library_name(void) { return file_name; }

const char *loudness_library_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return *failure ? failure : NULL;
}

struct loudness_meter {
  ebur128_state *state;
};

loudness_meter *loudness_meter_make(loudness_kind kind, unsigned channels, unsigned long rate) {
  if (loudness_library_load()) return NULL;
  loudness_meter *meter = calloc(1, sizeof *meter);
  if (!meter) return NULL;
  /* By histogram, so that the memory and time for a reading do not grow with a take's duration. */
  const int mode = kind == loudness_of_now ? EBUR128_MODE_S
                                           : EBUR128_MODE_I | EBUR128_MODE_LRA |
                                                 EBUR128_MODE_TRUE_PEAK | EBUR128_MODE_HISTOGRAM;
  meter->state = library.init(channels, rate, mode);
  if (meter->state) return meter;
  free(meter);
  return NULL;
}

void loudness_meter_free(loudness_meter *meter) {
  if (!meter) return;
  library.destroy(&meter->state);
  free(meter);
}

int loudness_meter_add(loudness_meter *meter, const int *samples, size_t frames) {
  return library.add(meter->state, samples, frames) == EBUR128_SUCCESS;
}

static double reading(loudness_meter *meter, int (*read)(ebur128_state *, double *), double none) {
  double value = none;
  return read(meter->state, &value) == EBUR128_SUCCESS ? value : none;
}

double loudness_meter_momentary(loudness_meter *meter) {
  return reading(meter, library.momentary, -HUGE_VAL);
}

double loudness_meter_short_term(loudness_meter *meter) {
  return reading(meter, library.short_term, -HUGE_VAL);
}

double loudness_meter_integrated(loudness_meter *meter) {
  return reading(meter, library.integrated, -HUGE_VAL);
}

double loudness_meter_range(loudness_meter *meter) { return reading(meter, library.range, 0); }

double loudness_meter_true_peak(loudness_meter *meter) {
  double largest = 0;
  for (unsigned channel = 0; channel < meter->state->channels; channel++) {
    double peak = 0;
    if (library.true_peak(meter->state, channel, &peak) == EBUR128_SUCCESS && peak > largest)
      largest = peak;
  }
  return largest;
}
