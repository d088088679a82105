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

/* Fields of a frame: flags since libavutil 58.7, members of their own before. */
static inline void cffmpeg_set_fields(AVFrame *frame, int interlaced, int top_field_first) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  frame->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
  if (interlaced) frame->flags |= AV_FRAME_FLAG_INTERLACED;
  if (interlaced && top_field_first) frame->flags |= AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
  frame->interlaced_frame = interlaced;
  frame->top_field_first = interlaced && top_field_first;
#endif
}
