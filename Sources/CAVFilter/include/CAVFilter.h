#pragma once
#include <stdint.h>

/* Chains of libavfilter's filters between a source and a sink.

   libavfilter is loaded when a chain is wanted. With all that it brings along it would cost each start of
   a program a third of the time that the dynamic linker takes, and few runs filter anything.
   Results below zero are libav's error numbers. Frames are AVFrames. */

typedef struct filter_chain filter_chain;

typedef struct {
  int is_sound;
  /* Settings of `buffer` or `abuffer` in libavfilter's words. */
  const char *arguments;
  /* Matrix and range of pictures as libav numbers them, told to the source where this libavfilter asks for
     them; -1 where the matrix is not known. */
  int matrix;
  int range;
} filter_source;

/* The library's file name. */
const char *filter_library_name(void);
/* Loads the library where it was not. Returns NULL, or why it cannot be used: good until the program's
   end. Safe on any thread. */
const char *filter_library_load(void);
/* Whether the library has a filter; false where it cannot be loaded. */
int filter_library_has(const char *name);

/* The caller frees the chain, also after an error. */
int filter_chain_make(filter_chain **chain, const filter_source *source, const char *filters);
void filter_chain_free(filter_chain *chain);
void filter_chain_time_base(const filter_chain *chain, int *numerator, int *denominator);
/* Takes the frame's reference. */
int filter_chain_send(filter_chain *chain, void *frame);
/* Nothing more comes; the last frame ends at `end`, in the source's time base. */
int filter_chain_close(filter_chain *chain, int64_t end);
int filter_chain_receive(filter_chain *chain, void *frame);
