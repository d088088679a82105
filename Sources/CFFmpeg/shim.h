#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/md5.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libavutil/sha512.h>
#include <libavutil/timecode.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

/* Macros that Swift does not import. */
static inline int cffmpeg_averror(int posix_errno) { return AVERROR(posix_errno); }
static const int cffmpeg_averror_eof = AVERROR_EOF;
static const int cffmpeg_averror_eagain = AVERROR(EAGAIN);
static const int cffmpeg_averror_invaliddata = AVERROR_INVALIDDATA;
static const int64_t cffmpeg_nopts = AV_NOPTS_VALUE;

/* The parameter is an enumeration since FFmpeg 9, and was an integer before. */
static inline AVCodecParserContext *cffmpeg_parser(enum AVCodecID codec) {
  return av_parser_init(codec);
}

/* A frame's interlacing: flags since libavutil 58.7, separate members before. */
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

/* Uniform access to what changed between FFmpeg 4.4 and 9. */
#define CFFMPEG_NEW_LAYOUTS (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 24, 100))
#define CFFMPEG_FRAME_FLAGS (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100))
#define CFFMPEG_FRAME_DURATION (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100))
#define CFFMPEG_CODED_SIDE_DATA (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102))

static inline int cffmpeg_frame_channels(const AVFrame *frame) {
#if CFFMPEG_NEW_LAYOUTS
  return frame->ch_layout.nb_channels;
#else
  return frame->channels;
#endif
}

static inline int cffmpeg_parameters_channels(const AVCodecParameters *parameters) {
#if CFFMPEG_NEW_LAYOUTS
  return parameters->ch_layout.nb_channels;
#else
  return parameters->channels;
#endif
}

/* Writes the layout's name (`stereo`, `5.1`), always terminated; size is at least 1. */
static inline void cffmpeg_parameters_layout_name(const AVCodecParameters *parameters, char *name,
                                                  int size) {
  name[0] = 0;
#if CFFMPEG_NEW_LAYOUTS
  if (parameters->ch_layout.order != AV_CHANNEL_ORDER_UNSPEC)
    av_channel_layout_describe(&parameters->ch_layout, name, (size_t)size);
#else
  if (parameters->channel_layout)
    av_get_channel_layout_string(name, size, parameters->channels, parameters->channel_layout);
#endif
}

/* The same for decoded audio. */
static inline void cffmpeg_frame_layout_name(const AVFrame *frame, char *name, int size) {
  name[0] = 0;
#if CFFMPEG_NEW_LAYOUTS
  if (frame->ch_layout.order != AV_CHANNEL_ORDER_UNSPEC)
    av_channel_layout_describe(&frame->ch_layout, name, (size_t)size);
#else
  if (frame->channel_layout)
    av_get_channel_layout_string(name, size, frame->channels, frame->channel_layout);
#endif
}

static inline int cffmpeg_frame_is_interlaced(const AVFrame *frame) {
#if CFFMPEG_FRAME_FLAGS
  return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
  return frame->interlaced_frame != 0;
#endif
}

static inline int cffmpeg_frame_is_top_field_first(const AVFrame *frame) {
#if CFFMPEG_FRAME_FLAGS
  return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
  return frame->top_field_first != 0;
#endif
}

static inline int cffmpeg_frame_is_key(const AVFrame *frame) {
#if CFFMPEG_FRAME_FLAGS
  return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
  return frame->key_frame != 0;
#endif
}

static inline int64_t cffmpeg_frame_duration(const AVFrame *frame) {
#if CFFMPEG_FRAME_DURATION
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

static inline void cffmpeg_frame_set_duration(AVFrame *frame, int64_t duration) {
#if CFFMPEG_FRAME_DURATION
  frame->duration = duration;
#else
  frame->pkt_duration = duration;
#endif
}

static inline int cffmpeg_frame_is_corrupt(const AVFrame *frame) {
  return (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame->decode_error_flags != 0;
}

/* Arrays that Swift imports as tuples. */
static inline uint8_t *cffmpeg_frame_data(const AVFrame *frame, int plane) {
  return plane >= 0 && plane < AV_NUM_DATA_POINTERS ? frame->data[plane] : NULL;
}

static inline uint8_t *cffmpeg_frame_audio_data(const AVFrame *frame, int channel) {
  return frame->extended_data ? frame->extended_data[channel] : NULL;
}

static inline int cffmpeg_frame_linesize(const AVFrame *frame, int plane) {
  return plane >= 0 && plane < AV_NUM_DATA_POINTERS ? frame->linesize[plane] : 0;
}

/* Bytes in the plane's memory from its first pixel on; 0 if the memory is not reference-counted. */
static inline int64_t cffmpeg_frame_plane_room(AVFrame *frame, int plane) {
  AVBufferRef *buffer = av_frame_get_plane_buffer(frame, plane);
  return buffer ? (int64_t)(buffer->data + buffer->size - frame->data[plane]) : 0;
}

static inline AVStream *cffmpeg_stream(const AVFormatContext *context, int index) {
  return index >= 0 && index < (int)context->nb_streams ? context->streams[index] : NULL;
}

/* Side data of a stream, or NULL. */
static inline const uint8_t *cffmpeg_stream_side_data(const AVStream *stream,
                                                      enum AVPacketSideDataType type,
                                                      int64_t *size) {
#if CFFMPEG_CODED_SIDE_DATA
  const AVPacketSideData *data = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  *size = data ? (int64_t)data->size : 0;
  return data ? data->data : NULL;
#else
  for (int i = 0; i < stream->nb_side_data; i++)
    if (stream->side_data[i].type == type) {
      *size = (int64_t)stream->side_data[i].size;
      return stream->side_data[i].data;
    }
  *size = 0;
  return NULL;
#endif
}

/* Side data of a frame, or NULL. */
static inline const uint8_t *cffmpeg_frame_side_data(const AVFrame *frame,
                                                     enum AVFrameSideDataType type,
                                                     int64_t *size) {
  const AVFrameSideData *data = av_frame_get_side_data(frame, type);
  *size = data ? (int64_t)data->size : 0;
  return data ? data->data : NULL;
}

/* True if a narrower screen shows part of the frame; sizes are in sixteenths of a pixel. */
static inline int cffmpeg_frame_pans(const AVFrame *frame) {
  const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_PANSCAN);
  const AVPanScan *pan = data ? (const AVPanScan *)data->data : NULL;
  if (!pan || data->size < sizeof(*pan) || pan->width <= 0 || pan->height <= 0) return 0;
  return pan->width < 16 * frame->width || pan->height < 16 * frame->height;
}

/* A mastering display in units of SMPTE ST 2086: x and y of red, green, blue and white in 0.00002,
   maximum and minimum luminance in 0.0001 cd/m2. Returns 0 if either half is missing. */
static inline int cffmpeg_mastering_display(const uint8_t *data, int64_t size, uint16_t *places,
                                            uint32_t *luminance) {
  const AVMasteringDisplayMetadata *display = (const AVMasteringDisplayMetadata *)data;
  if (!data || size < (int64_t)sizeof *display || !display->has_primaries ||
      !display->has_luminance)
    return 0;
  for (int i = 0; i < 8; i++) {
    const AVRational value =
        i < 6 ? display->display_primaries[i / 2][i % 2] : display->white_point[i - 6];
    const double scaled = av_q2d(value) * 50000 + 0.5;
    places[i] = scaled > 0 && scaled < 65536 ? (uint16_t)scaled : 0;
  }
  for (int i = 0; i < 2; i++) {
    const double scaled =
        av_q2d(i ? display->min_luminance : display->max_luminance) * 10000 + 0.5;
    luminance[i] = scaled > 0 && scaled < 4294967296.0 ? (uint32_t)scaled : 0;
  }
  return 1;
}

/* MaxCLL and MaxFALL in cd/m2; returns 0 if there are none. */
static inline int cffmpeg_content_light(const uint8_t *data, int64_t size, uint32_t *levels) {
  const AVContentLightMetadata *light = (const AVContentLightMetadata *)data;
  if (!data || size < (int64_t)sizeof *light) return 0;
  levels[0] = light->MaxCLL;
  levels[1] = light->MaxFALL;
  return 1;
}

/* A channel's position, as an AVChannel of libavutil; -1 if the layout does not state it. */
static inline int cffmpeg_parameters_channel(const AVCodecParameters *parameters, int index) {
#if CFFMPEG_NEW_LAYOUTS
  if (parameters->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) return -1;
  const int channel = av_channel_layout_channel_from_index(&parameters->ch_layout, index);
  return channel < 0 ? -1 : channel;
#else
  for (int i = 0, seen = 0; i < 64; i++)
    if (parameters->channel_layout >> i & 1 && seen++ == index) return i;
  return -1;
#endif
}

static inline int cffmpeg_format_jumps(const AVFormatContext *context) {
  return context->iformat && (context->iformat->flags & AVFMT_TS_DISCONT) != 0;
}

/* The display matrix of a track, or NULL. */
static inline const int32_t *cffmpeg_display_matrix(const AVStream *stream) {
#if CFFMPEG_CODED_SIDE_DATA
  const AVPacketSideData *data = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data,
      AV_PKT_DATA_DISPLAYMATRIX);
  return data && data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : NULL;
#else
  for (int i = 0; i < stream->nb_side_data; i++)
    if (stream->side_data[i].type == AV_PKT_DATA_DISPLAYMATRIX &&
        (size_t)stream->side_data[i].size >= 9 * sizeof(int32_t))
      return (const int32_t *)stream->side_data[i].data;
  return NULL;
#endif
}

/* Flags and properties that are macros in C. */
static inline int cffmpeg_is_attached_picture(const AVStream *stream) {
  return (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
}
static inline int cffmpeg_packet_is_key(const AVPacket *packet) {
  return (packet->flags & AV_PKT_FLAG_KEY) != 0;
}
static inline int cffmpeg_packet_is_discarded(const AVPacket *packet) {
  return (packet->flags & AV_PKT_FLAG_DISCARD) != 0;
}
static inline int cffmpeg_packet_is_corrupt(const AVPacket *packet) {
  return (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
}
static inline int cffmpeg_pixel_is_rgb(const AVPixFmtDescriptor *format) {
  return (format->flags & AV_PIX_FMT_FLAG_RGB) != 0;
}
static inline int cffmpeg_pixel_is_big_endian(const AVPixFmtDescriptor *format) {
  return (format->flags & AV_PIX_FMT_FLAG_BE) != 0;
}
static inline int cffmpeg_pixel_has_alpha(const AVPixFmtDescriptor *format) {
  return (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
}
static inline int cffmpeg_pixel_is_palette(const AVPixFmtDescriptor *format) {
  return (format->flags & AV_PIX_FMT_FLAG_PAL) != 0;
}
static inline int cffmpeg_pixel_is_hardware(const AVPixFmtDescriptor *format) {
  return (format->flags & AV_PIX_FMT_FLAG_HWACCEL) != 0;
}
static inline int cffmpeg_pixel_is_bitstream(const AVPixFmtDescriptor *format) {
  return (format->flags & AV_PIX_FMT_FLAG_BITSTREAM) != 0;
}
static inline int cffmpeg_pixel_is_float(const AVPixFmtDescriptor *format) {
  return (format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0;
}
static inline int cffmpeg_pixel_is_bayer(const AVPixFmtDescriptor *format) {
  return (format->flags & AV_PIX_FMT_FLAG_BAYER) != 0;
}
static inline AVComponentDescriptor cffmpeg_pixel_component(const AVPixFmtDescriptor *format,
                                                            int index) {
  return format->comp[index & 3];
}
/* Reads a row of one component, at most 16 bits per sample, by libavutil's pixel format
   descriptors. */
static inline void cffmpeg_read_row(const AVFrame *frame, int component, int row, int width,
                                    uint16_t *target) {
  const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
  if (!format) return;
  const int depth = format->comp[component & 3].depth;
  if (depth <= 16) {
    av_read_image_line2(target, (const uint8_t **)frame->data, frame->linesize, format, 0, row,
                        component, width, 0, 2);
    return;
  }
  for (int x = 0; x < width; x++) {
    uint32_t value;
    av_read_image_line2(&value, (const uint8_t **)frame->data, frame->linesize, format, x, row,
                        component, 1, 0, 4);
    target[x] = (uint16_t)(value >> (depth - 16));
  }
}
static inline int cffmpeg_pixel_depth(const AVPixFmtDescriptor *format) {
  return format->nb_components > 0 ? format->comp[0].depth : 0;
}

/* Writes a row of one component by libavutil's pixel format descriptors, for tests. */
static inline void cffmpeg_write_row(AVFrame *frame, int component, int row, int width,
                                     const uint32_t *values) {
  const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
  if (format)
    av_write_image_line2(values, frame->data, frame->linesize, format, 0, row, component, width, 4);
}

/* Makes all damage that a decoder can detect an error (`-err_detect explode` and related flags). */
static inline void cffmpeg_decoder_set_strict(AVCodecContext *context) {
  context->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER;
}
/* Threads that decode several frames at the same time are faster, but report errors late. */
static inline void cffmpeg_decoder_set_threads(AVCodecContext *context, int count,
                                               int several_frames) {
  context->thread_count = count;
  context->thread_type = several_frames ? FF_THREAD_FRAME | FF_THREAD_SLICE : FF_THREAD_SLICE;
}
/* A resampler of interleaved 32-bit samples between equal rates, to be adjusted by
   swr_set_compensation; NULL if memory is short. */
static inline struct SwrContext *cffmpeg_audio_stretcher(int channels, int rate) {
  struct SwrContext *context = NULL;
#if CFFMPEG_NEW_LAYOUTS
  AVChannelLayout layout = {.order = AV_CHANNEL_ORDER_UNSPEC, .nb_channels = channels};
  swr_alloc_set_opts2(&context, &layout, AV_SAMPLE_FMT_S32, rate, &layout, AV_SAMPLE_FMT_S32, rate,
                      0, NULL);
#else
  int64_t layout = channels < 63 ? (INT64_C(1) << channels) - 1 : 0;
  context = swr_alloc_set_opts(NULL, layout, AV_SAMPLE_FMT_S32, rate, layout, AV_SAMPLE_FMT_S32,
                               rate, 0, NULL);
#endif
  if (!context) return NULL;
  av_opt_set_sample_fmt(context, "internal_sample_fmt", AV_SAMPLE_FMT_DBLP, 0);
  av_opt_set(context, "flags", "+res", 0);
  av_opt_set_int(context, "filter_size", 64, 0);
  av_opt_set_int(context, "linear_interp", 1, 0);
  av_opt_set_double(context, "cutoff", 0.98, 0);
  if (swr_init(context) < 0) swr_free(&context);
  return context;
}

/* A converter of interleaved 32-bit samples to another rate and channel count, each count with its
   default layout; NULL if there is no such layout or conversion, or memory is short. */
static inline struct SwrContext *cffmpeg_audio_converter(int channels, int rate, int new_channels,
                                                         int new_rate) {
  struct SwrContext *context = NULL;
#if CFFMPEG_NEW_LAYOUTS
  AVChannelLayout from, to;
  av_channel_layout_default(&from, channels);
  av_channel_layout_default(&to, new_channels);
  swr_alloc_set_opts2(&context, &to, AV_SAMPLE_FMT_S32, new_rate, &from, AV_SAMPLE_FMT_S32, rate, 0,
                      NULL);
#else
  context = swr_alloc_set_opts(NULL, av_get_default_channel_layout(new_channels), AV_SAMPLE_FMT_S32,
                               new_rate, av_get_default_channel_layout(channels), AV_SAMPLE_FMT_S32,
                               rate, 0, NULL);
#endif
  if (!context) return NULL;
  av_opt_set_sample_fmt(context, "internal_sample_fmt", AV_SAMPLE_FMT_DBLP, 0);
  if (swr_init(context) < 0) swr_free(&context);
  return context;
}

/* Lends memory to a plane of a frame; `release` is called with `owner` when it is no longer used. */
static inline int cffmpeg_frame_lend(AVFrame *frame, int plane, uint8_t *data, int step,
                                     int64_t size, void (*release)(void *, uint8_t *),
                                     void *owner) {
  if (plane < 0 || plane >= AV_NUM_DATA_POINTERS) return AVERROR(EINVAL);
  AVBufferRef *buffer = av_buffer_create(data, size, release, owner, AV_BUFFER_FLAG_READONLY);
  if (!buffer) return AVERROR(ENOMEM);
  frame->buf[plane] = buffer;
  frame->data[plane] = data;
  frame->linesize[plane] = step;
  return 0;
}

/* A frame of interleaved 32-bit audio with its own memory; NULL if memory is short. */
static inline AVFrame *cffmpeg_audio_frame(int channels, int rate, int count) {
  AVFrame *frame = av_frame_alloc();
  if (!frame) return NULL;
  frame->format = AV_SAMPLE_FMT_S32;
  frame->sample_rate = rate;
  frame->nb_samples = count;
  /* As many positions of a native layout as there are channels, because filters refuse audio
     without a layout. */
  const uint64_t mask = channels < 64 ? (UINT64_C(1) << channels) - 1 : UINT64_MAX;
#if CFFMPEG_NEW_LAYOUTS
  av_channel_layout_from_mask(&frame->ch_layout, mask);
#else
  frame->channels = channels;
  frame->channel_layout = mask;
#endif
  if (av_frame_get_buffer(frame, 0) < 0) av_frame_free(&frame);
  return frame;
}

/* A scaler, as an untyped pointer, because its type is opaque before FFmpeg 8 and complete since,
   which Swift imports as different pointer types. The ranges are set before initialization: FFmpeg
   5.1 ignores later changes for samples of more than 8 bits. */
static inline void *cffmpeg_scaler(int width, int height, enum AVPixelFormat source, int source_is_full,
                                   int target_width, int target_height, enum AVPixelFormat target,
                                   int target_is_full, int flags) {
  struct SwsContext *scaler = sws_alloc_context();
  if (!scaler) return NULL;
  const struct {
    const char *name;
    int value;
  } options[] = {
      {"srcw", width},          {"srch", height},         {"src_format", source},
      {"dstw", target_width},   {"dsth", target_height},  {"dst_format", target},
      {"src_range", source_is_full}, {"dst_range", target_is_full}, {"sws_flags", flags},
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (av_opt_set_int(scaler, options[i].name, options[i].value, 0) < 0) goto failed;
  if (sws_init_context(scaler, NULL, NULL) < 0) goto failed;
  return scaler;
failed:
  sws_freeContext(scaler);
  return NULL;
}
/* A scaler between sizes, for viewing. */
static inline void *cffmpeg_resizer(int width, int height, enum AVPixelFormat source,
                                    int source_is_full, int target_width, int target_height,
                                    enum AVPixelFormat target, int target_is_full) {
  return cffmpeg_scaler(width, height, source, source_is_full, target_width, target_height, target,
                        target_is_full, SWS_AREA | SWS_BITEXACT);
}
/* A scaler between pixel formats of the same size. */
static inline void *cffmpeg_layout_converter(int width, int height, enum AVPixelFormat source,
                                             int source_is_full, enum AVPixelFormat target,
                                             int target_is_full, int to_rgb) {
  /* RGB needs full-resolution chroma interpolation. */
  return cffmpeg_scaler(
      width, height, source, source_is_full, width, height, target, target_is_full,
      SWS_BILINEAR | SWS_ACCURATE_RND | (to_rgb ? SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP : 0));
}
/* A scaler between pixel formats and sizes, for frames to be stored. */
static inline void *cffmpeg_picture_scaler(int width, int height, enum AVPixelFormat source,
                                           int source_is_full, int target_width, int target_height,
                                           enum AVPixelFormat target, int target_is_full, int to_rgb) {
  return cffmpeg_scaler(
      width, height, source, source_is_full, target_width, target_height, target, target_is_full,
      SWS_BICUBIC | SWS_ACCURATE_RND | (to_rgb ? SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP : 0));
}
/* A JPEG encoder's quality, from 2 (best) to 31. */
static inline void cffmpeg_encoder_set_quality(AVCodecContext *context, int quality) {
  context->flags |= AV_CODEC_FLAG_QSCALE;
  context->global_quality = quality * FF_QP2LAMBDA;
}
static inline void cffmpeg_scaler_set_colors(void *scaler, const int *matrix, int source_is_full,
                                             int target_is_full) {
  sws_setColorspaceDetails((struct SwsContext *)scaler, matrix, source_is_full, matrix,
                           target_is_full, 0, 1 << 16, 1 << 16);
}
static inline int cffmpeg_scaler_run(void *scaler, const uint8_t *const *source,
                                     const int *source_steps, int rows, uint8_t *const *target,
                                     const int *target_steps) {
  return sws_scale((struct SwsContext *)scaler, source, source_steps, 0, rows, target,
                   target_steps);
}
static inline void cffmpeg_scaler_free(void *scaler) {
  sws_freeContext((struct SwsContext *)scaler);
}

/* A muxer's output to the caller's functions; `owner` is passed to both. */
typedef int (*cffmpeg_write_call)(void *owner, const uint8_t *bytes, int count);
typedef int64_t (*cffmpeg_seek_call)(void *owner, int64_t offset, int whence);
static inline AVIOContext *cffmpeg_output(void *owner, int size, cffmpeg_write_call write,
                                          cffmpeg_seek_call seek) {
  uint8_t *buffer = (uint8_t *)av_malloc((size_t)size);
  if (!buffer) return NULL;
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  AVIOContext *context = avio_alloc_context(buffer, size, 1, owner, NULL, write, seek);
#else
  AVIOContext *context = avio_alloc_context(
      buffer, size, 1, owner, NULL, (int (*)(void *, uint8_t *, int))write, seek);
#endif
  if (!context) av_free(buffer);
  return context;
}
static inline void cffmpeg_output_free(AVIOContext *context) {
  if (!context) return;
  av_freep(&context->buffer);
  avio_context_free(&context);
}
static const int cffmpeg_seek_size = AVSEEK_SIZE;

/* Channel positions, as a libavutil channel mask. */
static inline void cffmpeg_encoder_set_channels(AVCodecContext *context, uint64_t mask) {
#if CFFMPEG_NEW_LAYOUTS
  av_channel_layout_from_mask(&context->ch_layout, mask);
#else
  context->channel_layout = mask;
  context->channels = av_get_channel_layout_nb_channels(mask);
#endif
}
static inline void cffmpeg_parameters_set_channels(AVCodecParameters *parameters, int channels) {
#if CFFMPEG_NEW_LAYOUTS
  av_channel_layout_default(&parameters->ch_layout, channels);
#else
  parameters->channels = channels;
  parameters->channel_layout = (uint64_t)av_get_default_channel_layout(channels);
#endif
}
/* Channels without known positions. */
static inline void cffmpeg_parameters_set_placeless_channels(AVCodecParameters *parameters,
                                                             int channels) {
#if CFFMPEG_NEW_LAYOUTS
  av_channel_layout_uninit(&parameters->ch_layout);
  parameters->ch_layout.order = AV_CHANNEL_ORDER_UNSPEC;
  parameters->ch_layout.nb_channels = channels;
#else
  parameters->channels = channels;
  parameters->channel_layout = 0;
#endif
}

/* A frame of audio in the encoder's format, with its own memory; NULL if memory is short. */
static inline AVFrame *cffmpeg_encoder_audio_frame(const AVCodecContext *context, int count) {
  AVFrame *frame = av_frame_alloc();
  if (!frame) return NULL;
  frame->format = context->sample_fmt;
  frame->sample_rate = context->sample_rate;
  frame->nb_samples = count;
#if CFFMPEG_NEW_LAYOUTS
  if (av_channel_layout_copy(&frame->ch_layout, &context->ch_layout) < 0) av_frame_free(&frame);
#else
  frame->channels = context->channels;
  frame->channel_layout = context->channel_layout;
#endif
  if (frame && av_frame_get_buffer(frame, 0) < 0) av_frame_free(&frame);
  return frame;
}

/* Sets the matrix in the track header of a stream to be written; returns 0 or an error. */
static inline int cffmpeg_stream_set_matrix(AVStream *stream, const int32_t *matrix) {
#if CFFMPEG_CODED_SIDE_DATA
  AVPacketSideData *data = av_packet_side_data_new(
      &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data,
      AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t), 0);
  uint8_t *bytes = data ? data->data : NULL;
#else
  uint8_t *bytes = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
#endif
  if (!bytes) return AVERROR(ENOMEM);
  for (int i = 0; i < 9; i++) ((int32_t *)bytes)[i] = matrix[i];
  return 0;
}
