#pragma once

#include <stddef.h>
#include <stdint.h>

// libavformat and libavcodec as a judge of movies that were cut off.

/// Gets a packet: 0 for pictures or 1 for sound, the time and the length in the stream's own units.
typedef void (*judge_packet)(
    void *context, int is_sound, int64_t time, int64_t length, const uint8_t *bytes, size_t count);

/// Reads a movie's packets in the order of the file; stops at one that is damaged.
/// Returns 0, or libav's error.
int judge_demux(const char *path, judge_packet body, void *context);

/// Decodes one ProRes frame with every check that libavcodec has; 0 where it finds no fault.
int judge_decode(uint32_t fourcc, int width, int height, const void *bytes, size_t count);
