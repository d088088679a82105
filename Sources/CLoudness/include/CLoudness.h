#pragma once
#include <stddef.h>

/* Loudness by EBU R128, measured by libebur128.

   The library is loaded when the first meter is made: a recorder without viewers starts without it. */

typedef struct loudness_meter loudness_meter;

/* The library's file name. */
const char *loudness_library_name(void);
/* Loads the library if necessary. Returns NULL, or the reason it cannot be used, which stays valid.
   Thread-safe. */
const char *loudness_library_load(void);

/* What a meter measures. */
typedef enum {
  /* Momentary and short-term loudness. */
  loudness_of_now,
  /* Integrated loudness, loudness range and true peak since the meter was made. */
  loudness_of_all,
} loudness_kind;

/* NULL if the library cannot be used, memory is short, or the channel count or rate is unsupported.
   The caller frees the meter. One to three channels are left, right and center; four and five end
   with the surround channels and have no low-frequency channel; six have it in the fourth position. */
loudness_meter *loudness_meter_make(loudness_kind kind, unsigned channels, unsigned long rate);
void loudness_meter_free(loudness_meter *meter);
/* Adds interleaved 32-bit samples. False if memory is short. */
int loudness_meter_add(loudness_meter *meter, const int *samples, size_t frames);

/* LUFS; -infinity for silence. */
double loudness_meter_momentary(loudness_meter *meter);
double loudness_meter_short_term(loudness_meter *meter);
double loudness_meter_integrated(loudness_meter *meter);
/* LU. */
double loudness_meter_range(loudness_meter *meter);
/* The largest of all channels; 1 is full scale. */
double loudness_meter_true_peak(loudness_meter *meter);
