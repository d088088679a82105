#include "libraries.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "CLibav.h"

/* The library versions this was compiled against: another major version has different structures. */
late_library libav_format = {"libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR), NULL};
late_library libav_codec = {"libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR), NULL};

void libav_load(void) {
  late_library_load(&libav_format);
  late_library_load(&libav_codec);
}
