#pragma once

/* The functions of libavformat and libavcodec that the recorder calls, loaded at their first call;
   see CLateCalls. */

/* Loads both immediately, for callers that must not wait later. Thread-safe. */
void libav_load(void);
