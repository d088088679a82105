#pragma once

/* The functions of libavformat and libavcodec that the recorder calls, loaded at their first call: see CLateCalls. */

/* Loads both now, for callers that must not wait later. Safe on any thread. */
void libav_load(void);
