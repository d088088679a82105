#include <libavformat/avformat.h>

#include "libraries.h"

#define FORMAT(result, name, parameters, arguments)                                               \
  LATE_CALL(libav_format, result, name, parameters, arguments)

/* What became const in FFmpeg 5 and in FFmpeg 7. */
#if LIBAVFORMAT_VERSION_MAJOR >= 59
#define CONST_5 const
#else
#define CONST_5
#endif
#if LIBAVFORMAT_VERSION_MAJOR >= 61
#define CONST_7 const
#else
#define CONST_7
#endif

FORMAT(const AVClass *, avformat_get_class, (void), ())
FORMAT(const AVInputFormat *, av_demuxer_iterate, (void **state), (state))
FORMAT(CONST_5 AVInputFormat *, av_find_input_format, (const char *name), (name))
FORMAT(CONST_5 AVOutputFormat *, av_guess_format,
       (const char *name, const char *file, const char *type), (name, file, type))

FORMAT(AVFormatContext *, avformat_alloc_context, (void), ())
FORMAT(void, avformat_free_context, (AVFormatContext *context), (context))
FORMAT(int, avformat_open_input,
       (AVFormatContext **context, const char *url, CONST_5 AVInputFormat *format,
        AVDictionary **options),
       (context, url, format, options))
FORMAT(void, avformat_close_input, (AVFormatContext **context), (context))
FORMAT(int, avformat_find_stream_info, (AVFormatContext *context, AVDictionary **options),
       (context, options))
FORMAT(int, av_read_frame, (AVFormatContext *context, AVPacket *packet), (context, packet))
FORMAT(int, av_seek_frame, (AVFormatContext *context, int stream, int64_t time, int flags),
       (context, stream, time, flags))
FORMAT(int, avformat_index_get_entries_count, (const AVStream *stream), (stream))
FORMAT(const AVIndexEntry *, avformat_index_get_entry, (AVStream *stream, int index),
       (stream, index))
FORMAT(AVRational, av_guess_frame_rate,
       (AVFormatContext *context, AVStream *stream, AVFrame *frame), (context, stream, frame))
FORMAT(AVRational, av_guess_sample_aspect_ratio,
       (AVFormatContext *context, AVStream *stream, AVFrame *frame), (context, stream, frame))

FORMAT(int, avformat_alloc_output_context2,
       (AVFormatContext **context, CONST_5 AVOutputFormat *format, const char *name,
        const char *file),
       (context, format, name, file))
FORMAT(AVStream *, avformat_new_stream, (AVFormatContext *context, const AVCodec *codec),
       (context, codec))
#if LIBAVCODEC_VERSION_INT < AV_VERSION_INT(60, 31, 102)
#if LIBAVFORMAT_VERSION_MAJOR >= 59
FORMAT(uint8_t *, av_stream_new_side_data,
       (AVStream *stream, enum AVPacketSideDataType type, size_t size), (stream, type, size))
#else
FORMAT(uint8_t *, av_stream_new_side_data,
       (AVStream *stream, enum AVPacketSideDataType type, int size), (stream, type, size))
#endif
#endif
FORMAT(int, avformat_write_header, (AVFormatContext *context, AVDictionary **options),
       (context, options))
FORMAT(int, av_write_frame, (AVFormatContext *context, AVPacket *packet), (context, packet))
FORMAT(int, av_interleaved_write_frame, (AVFormatContext *context, AVPacket *packet),
       (context, packet))
FORMAT(int, av_write_trailer, (AVFormatContext *context), (context))

FORMAT(AVIOContext *, avio_alloc_context,
       (unsigned char *buffer, int size, int writes, void *owner,
        int (*read)(void *owner, uint8_t *bytes, int count),
        int (*write)(void *owner, CONST_7 uint8_t *bytes, int count),
        int64_t (*seek)(void *owner, int64_t offset, int whence)),
       (buffer, size, writes, owner, read, write, seek))
FORMAT(void, avio_context_free, (AVIOContext **context), (context))
FORMAT(void, avio_flush, (AVIOContext *context), (context))
FORMAT(int64_t, avio_seek, (AVIOContext *context, int64_t offset, int whence),
       (context, offset, whence))
