#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/timecode.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

/* Macros that Swift does not import. */
static inline int cffmpeg_averror(int posix_errno) { return AVERROR(posix_errno); }
static const int cffmpeg_averror_eof = AVERROR_EOF;
static const int cffmpeg_averror_eagain = AVERROR(EAGAIN);
static const int64_t cffmpeg_nopts = AV_NOPTS_VALUE;
