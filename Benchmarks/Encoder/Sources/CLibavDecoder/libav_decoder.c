#include "CLibavDecoder.h"

#include <libavcodec/avcodec.h>
#include <string.h>

struct libav_decoder {
  AVCodecContext *context;
  AVFrame *frame;
  AVPacket **packets;
  size_t count;
};

libav_decoder *libav_decoder_make(int width, int height, const char *tag) {
  const AVCodec *codec = avcodec_find_decoder(AV_CODEC_ID_PRORES);
  libav_decoder *d = av_mallocz(sizeof *d);
  if (!codec || !d) return NULL;
  d->context = avcodec_alloc_context3(codec);
  d->frame = av_frame_alloc();
  if (!d->context || !d->frame) return NULL;
  d->context->width = width;
  d->context->height = height;
  d->context->codec_tag = MKTAG(tag[0], tag[1], tag[2], tag[3]);
  d->context->thread_count = 1;
  return avcodec_open2(d->context, codec, NULL) < 0 ? NULL : d;
}

void libav_decoder_free(libav_decoder *d) {
  for (size_t i = 0; i < d->count; i++) av_packet_free(&d->packets[i]);
  av_free(d->packets);
  av_frame_free(&d->frame);
  avcodec_free_context(&d->context);
  av_free(d);
}

int libav_decoder_add(libav_decoder *d, const uint8_t *bytes, size_t size) {
  AVPacket **packets = av_realloc_array(d->packets, d->count + 1, sizeof *packets);
  if (!packets) return 0;
  d->packets = packets;
  AVPacket *packet = av_packet_alloc();
  if (!packet || av_new_packet(packet, (int)size) < 0) return 0;
  memcpy(packet->data, bytes, size);
  packets[d->count++] = packet;
  return 1;
}

int libav_decoder_decode(libav_decoder *d, size_t index) {
  if (avcodec_send_packet(d->context, d->packets[index]) < 0) return 0;
  if (avcodec_receive_frame(d->context, d->frame) < 0) return 0;
  av_frame_unref(d->frame);
  return 1;
}
