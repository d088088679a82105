import CVideo4Linux

/// An ioctl request: its code, and its name for messages.
struct V4L2Request: Sendable, Hashable {
  let code: UInt
  let name: String

  private init(_ code: UInt, _ name: String) {
    self.code = code
    self.name = "VIDIOC_" + name
  }

  static let queryCapability = V4L2Request(CV4L2_QUERYCAP, "QUERYCAP")
  static let enumerateFormats = V4L2Request(CV4L2_ENUM_FMT, "ENUM_FMT")
  static let getFormat = V4L2Request(CV4L2_G_FMT, "G_FMT")
  static let setFormat = V4L2Request(CV4L2_S_FMT, "S_FMT")
  static let tryFormat = V4L2Request(CV4L2_TRY_FMT, "TRY_FMT")
  static let enumerateFrameSizes = V4L2Request(CV4L2_ENUM_FRAMESIZES, "ENUM_FRAMESIZES")
  static let enumerateFrameIntervals = V4L2Request(CV4L2_ENUM_FRAMEINTERVALS, "ENUM_FRAMEINTERVALS")
  static let getParameters = V4L2Request(CV4L2_G_PARM, "G_PARM")
  static let setParameters = V4L2Request(CV4L2_S_PARM, "S_PARM")
  static let enumerateInputs = V4L2Request(CV4L2_ENUMINPUT, "ENUMINPUT")
  static let getInput = V4L2Request(CV4L2_G_INPUT, "G_INPUT")
  static let setInput = V4L2Request(CV4L2_S_INPUT, "S_INPUT")
  static let getStandard = V4L2Request(CV4L2_G_STD, "G_STD")
  static let setStandard = V4L2Request(CV4L2_S_STD, "S_STD")
  static let queryStandard = V4L2Request(CV4L2_QUERYSTD, "QUERYSTD")
  static let cropCapability = V4L2Request(CV4L2_CROPCAP, "CROPCAP")
  static let queryTimings = V4L2Request(CV4L2_QUERY_DV_TIMINGS, "QUERY_DV_TIMINGS")
  static let enumerateTimings = V4L2Request(CV4L2_ENUM_DV_TIMINGS, "ENUM_DV_TIMINGS")
  static let getTimings = V4L2Request(CV4L2_G_DV_TIMINGS, "G_DV_TIMINGS")
  static let setTimings = V4L2Request(CV4L2_S_DV_TIMINGS, "S_DV_TIMINGS")
  static let queryControl = V4L2Request(CV4L2_QUERY_EXT_CTRL, "QUERY_EXT_CTRL")
  static let queryMenu = V4L2Request(CV4L2_QUERYMENU, "QUERYMENU")
  static let getControls = V4L2Request(CV4L2_G_EXT_CTRLS, "G_EXT_CTRLS")
  static let setControls = V4L2Request(CV4L2_S_EXT_CTRLS, "S_EXT_CTRLS")
  static let requestBuffers = V4L2Request(CV4L2_REQBUFS, "REQBUFS")
  static let queryBuffer = V4L2Request(CV4L2_QUERYBUF, "QUERYBUF")
  static let queueBuffer = V4L2Request(CV4L2_QBUF, "QBUF")
  static let dequeueBuffer = V4L2Request(CV4L2_DQBUF, "DQBUF")
  static let streamOn = V4L2Request(CV4L2_STREAMON, "STREAMON")
  static let streamOff = V4L2Request(CV4L2_STREAMOFF, "STREAMOFF")
  static let subscribeEvent = V4L2Request(CV4L2_SUBSCRIBE_EVENT, "SUBSCRIBE_EVENT")
  static let dequeueEvent = V4L2Request(CV4L2_DQEVENT, "DQEVENT")
}
