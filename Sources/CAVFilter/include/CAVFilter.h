#pragma once
#include <stdint.h>

/* Chains of libavfilter filters between a source and a sink.

   libavfilter is loaded when a chain is first needed. With its dependencies it would take a third
   of the dynamic linker's time at every start, and few runs filter anything. Negative results are
   libav error numbers. Frames are AVFrames. */

typedef struct filter_chain filter_chain;

typedef struct {
  int is_audio;
  /* Arguments of `buffer` or `abuffer` in libavfilter's syntax. */
  const char *arguments;
  /* The color matrix and range as libav numbers them, given to the source if this libavfilter
     version requires them; matrix is -1 if unknown. */
  int matrix;
  int range;
} filter_source;

/* The library's file name. */
const char *filter_library_name(void);
/* Loads the library if necessary. Returns NULL, or the reason it cannot be used, which stays valid.
   Thread-safe. */
const char *filter_library_load(void);
/* Whether the library has a filter; false if it cannot be loaded. */
int filter_library_has(const char *name);

/* The caller frees the chain, even after an error. */
int filter_chain_make(filter_chain **chain, const filter_source *source, const char *filters);
void filter_chain_free(filter_chain *chain);
void filter_chain_time_base(const filter_chain *chain, int *numerator, int *denominator);
/* Takes ownership of the frame's reference. */
int filter_chain_send(filter_chain *chain, void *frame);
/* Signals the end of the stream; the last frame ends at `end`, in the source's time base. */
int filter_chain_close(filter_chain *chain, int64_t end);
int filter_chain_receive(filter_chain *chain, void *frame);
