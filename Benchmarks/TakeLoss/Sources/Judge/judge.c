#include "judge.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <string.h>

int judge_demux(const char *path, judge_packet body, void *context) {
  av_log_set_level(AV_LOG_QUIET);
  AVFormatContext *movie = NULL;
  int status = avformat_open_input(&movie, path, NULL, NULL);
  if (status < 0) return status;
  AVPacket *packet = av_packet_alloc();
  if (!packet) status = AVERROR(ENOMEM);
  while (status >= 0 && (status = av_read_frame(movie, packet)) >= 0) {
    if (packet->flags & AV_PKT_FLAG_CORRUPT) {
      av_packet_unref(packet);
      status = AVERROR_EOF;
      break;
    }
    enum AVMediaType type = movie->streams[packet->stream_index]->codecpar->codec_type;
    if (type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO)
      body(context, type == AVMEDIA_TYPE_AUDIO, packet->pts, packet->duration, packet->data,
           (size_t)packet->size);
    av_packet_unref(packet);
  }
  av_packet_free(&packet);
  avformat_close_input(&movie);
  return status == AVERROR_EOF ? 0 : status;
}

int judge_decode(uint32_t fourcc, int width, int height, const void *bytes, size_t count) {
  av_log_set_level(AV_LOG_QUIET);
  const AVCodec *codec = avcodec_find_decoder(AV_CODEC_ID_PRORES);
  AVCodecContext *decoder = codec ? avcodec_alloc_context3(codec) : NULL;
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  int status = AVERROR(ENOMEM);
  if (decoder && packet && frame && (status = av_new_packet(packet, (int)count)) >= 0) {
    memcpy(packet->data, bytes, count);
    decoder->codec_tag = fourcc;
    decoder->width = width;
    decoder->height = height;
    decoder->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER;
    status = avcodec_open2(decoder, codec, NULL);
    if (status >= 0) status = avcodec_send_packet(decoder, packet);
    if (status >= 0) status = avcodec_receive_frame(decoder, frame);
    if (status >= 0 && (frame->decode_error_flags || frame->flags & AV_FRAME_FLAG_CORRUPT))
      status = AVERROR_INVALIDDATA;
  }
  av_frame_free(&frame);
  av_packet_free(&packet);
  avcodec_free_context(&decoder);
  return status;
}
