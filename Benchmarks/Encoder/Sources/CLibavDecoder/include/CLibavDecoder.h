#pragma once

// libavcodec's ProRes decoder, one frame at a time, on one thread.

#include <stddef.h>
#include <stdint.h>

typedef struct libav_decoder libav_decoder;

// Returns NULL where there is none.
libav_decoder *libav_decoder_make(int width, int height, const char *tag);
void libav_decoder_free(libav_decoder *decoder);

// Keeps a copy of a frame; returns 0 where there is no memory.
int libav_decoder_add(libav_decoder *decoder, const uint8_t *bytes, size_t size);

// Decodes a frame that was added; returns 0 where it does not decode.
int libav_decoder_decode(libav_decoder *decoder, size_t index);
