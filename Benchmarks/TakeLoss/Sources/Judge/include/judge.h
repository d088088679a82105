#pragma once

#include <stddef.h>
#include <stdint.h>

// libavformat and libavcodec judge truncated movies.

/// Receives a packet: 0 for video or 1 for audio, its time and duration in the stream's units.
typedef void (*judge_packet)(
    void *context, int is_audio, int64_t time, int64_t length, const uint8_t *bytes, size_t count);

/// Reads a movie's packets in file order; stops at a damaged one. Returns 0, or libav's error.
int judge_demux(const char *path, judge_packet body, void *context);

/// Decodes one ProRes frame with all of libavcodec's checks; returns 0 if it finds no fault.
int judge_decode(uint32_t fourcc, int width, int height, const void *bytes, size_t count);
