#pragma once

// libavcodec's ProRes decoder, frame by frame, on one thread.

#include <stddef.h>
#include <stdint.h>

typedef struct libav_decoder libav_decoder;

// Returns NULL if there is none.
libav_decoder *libav_decoder_make(int width, int height, const char *tag);
void libav_decoder_free(libav_decoder *decoder);

// Copies a frame; returns 0 if there is no memory.
int libav_decoder_add(libav_decoder *decoder, const uint8_t *bytes, size_t size);

// Decodes an added frame; returns 0 if that fails.
int libav_decoder_decode(libav_decoder *decoder, size_t index);
