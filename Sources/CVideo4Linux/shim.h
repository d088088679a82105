// V4L2 definitions that Swift cannot import: request codes, which are macros with type arguments; a
// variadic function; function-like macros; and codes missing from older headers.
#pragma once

#include <linux/videodev2.h>
#include <libv4l2.h>
#include <libv4lconvert.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>

// Request codes.
static const unsigned long CV4L2_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long CV4L2_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long CV4L2_G_FMT = VIDIOC_G_FMT;
static const unsigned long CV4L2_S_FMT = VIDIOC_S_FMT;
static const unsigned long CV4L2_TRY_FMT = VIDIOC_TRY_FMT;
static const unsigned long CV4L2_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long CV4L2_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long CV4L2_G_PARM = VIDIOC_G_PARM;
static const unsigned long CV4L2_S_PARM = VIDIOC_S_PARM;
static const unsigned long CV4L2_ENUMINPUT = VIDIOC_ENUMINPUT;
static const unsigned long CV4L2_G_INPUT = VIDIOC_G_INPUT;
static const unsigned long CV4L2_S_INPUT = VIDIOC_S_INPUT;
static const unsigned long CV4L2_G_STD = VIDIOC_G_STD;
static const unsigned long CV4L2_S_STD = VIDIOC_S_STD;
static const unsigned long CV4L2_QUERYSTD = VIDIOC_QUERYSTD;
static const unsigned long CV4L2_CROPCAP = VIDIOC_CROPCAP;
static const unsigned long CV4L2_QUERY_DV_TIMINGS = VIDIOC_QUERY_DV_TIMINGS;
static const unsigned long CV4L2_ENUM_DV_TIMINGS = VIDIOC_ENUM_DV_TIMINGS;
static const unsigned long CV4L2_G_DV_TIMINGS = VIDIOC_G_DV_TIMINGS;
static const unsigned long CV4L2_S_DV_TIMINGS = VIDIOC_S_DV_TIMINGS;
static const unsigned long CV4L2_QUERY_EXT_CTRL = VIDIOC_QUERY_EXT_CTRL;
static const unsigned long CV4L2_QUERYMENU = VIDIOC_QUERYMENU;
static const unsigned long CV4L2_G_EXT_CTRLS = VIDIOC_G_EXT_CTRLS;
static const unsigned long CV4L2_S_EXT_CTRLS = VIDIOC_S_EXT_CTRLS;
static const unsigned long CV4L2_REQBUFS = VIDIOC_REQBUFS;
static const unsigned long CV4L2_QUERYBUF = VIDIOC_QUERYBUF;
static const unsigned long CV4L2_QBUF = VIDIOC_QBUF;
static const unsigned long CV4L2_DQBUF = VIDIOC_DQBUF;
static const unsigned long CV4L2_STREAMON = VIDIOC_STREAMON;
static const unsigned long CV4L2_STREAMOFF = VIDIOC_STREAMOFF;
static const unsigned long CV4L2_SUBSCRIBE_EVENT = VIDIOC_SUBSCRIBE_EVENT;
static const unsigned long CV4L2_DQEVENT = VIDIOC_DQEVENT;

/// ioctl(2) with its one pointer argument.
static inline int cv4l2_ioctl(int descriptor, unsigned long request, void *argument) {
  return ioctl(descriptor, request, argument);
}

/// An event descriptor that does not block, closed on exec; -1 and errno on failure.
static inline int cv4l2_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
/// Makes an event descriptor readable.
static inline int cv4l2_eventfd_signal(int descriptor) { return eventfd_write(descriptor, 1); }

/// An inotify descriptor that does not block, closed on exec; -1 and errno on failure.
static inline int cv4l2_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }
/// Watches a folder for names that appear, disappear or change their permissions.
static inline int cv4l2_inotify_add(int descriptor, const char *folder) {
  return inotify_add_watch(descriptor, folder, IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVE);
}

// The output formats of libv4lconvert.
static const uint32_t CV4L2_PIX_FMT_BGR24 = V4L2_PIX_FMT_BGR24;
static const uint32_t CV4L2_PIX_FMT_YUV420 = V4L2_PIX_FMT_YUV420;

// The kernel's rules for the meaning of DEFAULT in color fields, which are macros.
static inline uint32_t cv4l2_default_colorspace(int is_sdtv, int is_hdtv) {
  return V4L2_MAP_COLORSPACE_DEFAULT(is_sdtv, is_hdtv);
}
static inline uint32_t cv4l2_default_xfer_func(uint32_t colorspace) {
  return V4L2_MAP_XFER_FUNC_DEFAULT(colorspace);
}
static inline uint32_t cv4l2_default_ycbcr_enc(uint32_t colorspace) {
  return V4L2_MAP_YCBCR_ENC_DEFAULT(colorspace);
}
static inline uint32_t cv4l2_default_quantization(int is_rgb, uint32_t colorspace,
                                                  uint32_t ycbcr_enc) {
  return V4L2_MAP_QUANTIZATION_DEFAULT(is_rgb, colorspace, ycbcr_enc);
}

/// The mark that the color fields of `v4l2_pix_format` are filled in.
static const uint32_t CV4L2_PIX_FMT_PRIV_MAGIC = V4L2_PIX_FMT_PRIV_MAGIC;

// Definitions newer than the oldest header in use.
#ifndef V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS
#define V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS (1 << 4)
#endif
#ifndef V4L2_DV_FL_CAN_DETECT_REDUCED_FPS
#define V4L2_DV_FL_CAN_DETECT_REDUCED_FPS (1 << 9)
#endif
#ifndef V4L2_PIX_FMT_Y210
#define V4L2_PIX_FMT_Y210 v4l2_fourcc('Y', '2', '1', '0')
#endif
#ifndef V4L2_PIX_FMT_Y212
#define V4L2_PIX_FMT_Y212 v4l2_fourcc('Y', '2', '1', '2')
#endif
#ifndef V4L2_PIX_FMT_Y216
#define V4L2_PIX_FMT_Y216 v4l2_fourcc('Y', '2', '1', '6')
#endif
#ifndef V4L2_PIX_FMT_NV20
#define V4L2_PIX_FMT_NV20 v4l2_fourcc('N', 'V', '2', '0')
#endif

/// Structure controls: an HDMI receiver's copy of the source's HDR10 metadata.
static const uint32_t CV4L2_CID_HDR10_CLL_INFO = V4L2_CID_COLORIMETRY_HDR10_CLL_INFO;
static const uint32_t CV4L2_CID_HDR10_MASTERING_DISPLAY =
    V4L2_CID_COLORIMETRY_HDR10_MASTERING_DISPLAY;
