#pragma once

/* What is called of libavformat and libavcodec, which are loaded late: see CLateCalls. */

/* Loads both now, for who has no time for it later. Safe on any thread. */
void libav_load(void);
