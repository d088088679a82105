#include <libavcodec/avcodec.h>

#include "libraries.h"

#define CODEC(result, name, parameters, arguments)                                                \
  LATE_CALL(libav_codec, result, name, parameters, arguments)

/* What became const, and a size with a different type, in FFmpeg 5. */
#if LIBAVCODEC_VERSION_MAJOR >= 59
#define CONST_5 const
typedef size_t side_data_size;
#else
#define CONST_5
typedef int side_data_size;
#endif

CODEC(unsigned, avcodec_version, (void), ())
CODEC(const AVClass *, avcodec_get_class, (void), ())
CODEC(const char *, avcodec_get_name, (enum AVCodecID id), (id))
CODEC(const char *, avcodec_profile_name, (enum AVCodecID id, int profile), (id, profile))
CODEC(const AVCodecDescriptor *, avcodec_descriptor_get, (enum AVCodecID id), (id))
CODEC(CONST_5 AVCodec *, avcodec_find_decoder, (enum AVCodecID id), (id))
CODEC(CONST_5 AVCodec *, avcodec_find_decoder_by_name, (const char *name), (name))
CODEC(CONST_5 AVCodec *, avcodec_find_encoder, (enum AVCodecID id), (id))
CODEC(CONST_5 AVCodec *, avcodec_find_encoder_by_name, (const char *name), (name))

CODEC(AVCodecContext *, avcodec_alloc_context3, (const AVCodec *codec), (codec))
CODEC(void, avcodec_free_context, (AVCodecContext **context), (context))
CODEC(int, avcodec_open2,
      (AVCodecContext *context, const AVCodec *codec, AVDictionary **options),
      (context, codec, options))
CODEC(void, avcodec_flush_buffers, (AVCodecContext *context), (context))
CODEC(int, avcodec_send_packet, (AVCodecContext *context, const AVPacket *packet),
      (context, packet))
CODEC(int, avcodec_receive_frame, (AVCodecContext *context, AVFrame *frame), (context, frame))
CODEC(int, avcodec_send_frame, (AVCodecContext *context, const AVFrame *frame), (context, frame))
CODEC(int, avcodec_receive_packet, (AVCodecContext *context, AVPacket *packet), (context, packet))

CODEC(AVCodecParameters *, avcodec_parameters_alloc, (void), ())
CODEC(void, avcodec_parameters_free, (AVCodecParameters **parameters), (parameters))
CODEC(int, avcodec_parameters_from_context,
      (AVCodecParameters *parameters, const AVCodecContext *context), (parameters, context))
CODEC(int, avcodec_parameters_to_context,
      (AVCodecContext *context, const AVCodecParameters *parameters), (context, parameters))

CODEC(AVPacket *, av_packet_alloc, (void), ())
CODEC(AVPacket *, av_packet_clone, (const AVPacket *packet), (packet))
CODEC(void, av_packet_free, (AVPacket **packet), (packet))
CODEC(void, av_packet_unref, (AVPacket *packet), (packet))
CODEC(int, av_new_packet, (AVPacket *packet, int size), (packet, size))
CODEC(void, av_packet_rescale_ts, (AVPacket *packet, AVRational from, AVRational to),
      (packet, from, to))
CODEC(uint8_t *, av_packet_get_side_data,
      (const AVPacket *packet, enum AVPacketSideDataType type, side_data_size *size),
      (packet, type, size))
CODEC(uint8_t *, av_packet_new_side_data,
      (AVPacket *packet, enum AVPacketSideDataType type, side_data_size size),
      (packet, type, size))
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
CODEC(const AVPacketSideData *, av_packet_side_data_get,
      (const AVPacketSideData *data, int count, enum AVPacketSideDataType type),
      (data, count, type))
CODEC(AVPacketSideData *, av_packet_side_data_new,
      (AVPacketSideData **data, int *count, enum AVPacketSideDataType type, size_t size,
       int flags),
      (data, count, type, size, flags))
#endif

/* An enumeration since FFmpeg 9. */
#if LIBAVCODEC_VERSION_MAJOR < 63
CODEC(AVCodecParserContext *, av_parser_init, (int id), (id))
#else
CODEC(AVCodecParserContext *, av_parser_init, (enum AVCodecID id), (id))
#endif
CODEC(void, av_parser_close, (AVCodecParserContext *parser), (parser))
CODEC(int, av_parser_parse2,
      (AVCodecParserContext *parser, AVCodecContext *context, uint8_t **output, int *output_size,
       const uint8_t *bytes, int count, int64_t pts, int64_t dts, int64_t position),
      (parser, context, output, output_size, bytes, count, pts, dts, position))
