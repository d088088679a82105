import CVideo4Linux
import MediaCore

/// A format as the device and we agree on it: `v4l2_format`, single- or multi-planar.
struct V4L2FrameFormat: Hashable, Sendable {
  /// One block of memory of a frame.
  struct Block: Hashable, Sendable {
    /// Bytes from a row to the next; of the luma rows, where the block holds chroma too.
    var bytesPerLine: Int
    /// Bytes that the device wants for the block.
    var size: Int
  }

  var type: v4l2_buf_type
  var code: UInt32
  var width: Int
  var height: Int
  var field: UInt32
  var colorspace: UInt32
  var transferFunction: UInt32
  var encoding: UInt32
  var quantization: UInt32
  var blocks: [Block]

  /// What is asked of a device that is to decide the rest.
  init(type: v4l2_buf_type, code: UInt32, width: Int, height: Int, field: v4l2_field) {
    self.type = type
    self.code = code
    self.width = width
    self.height = height
    self.field = field.rawValue
    self.colorspace = 0
    self.transferFunction = 0
    self.encoding = 0
    self.quantization = 0
    self.blocks = []
  }

  init(_ raw: v4l2_format) {
    self.type = v4l2_buf_type(rawValue: raw.type)
    if type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE {
      let pix = raw.fmt.pix_mp
      self.code = pix.pixelformat
      self.width = Int(pix.width)
      self.height = Int(pix.height)
      self.field = pix.field
      self.colorspace = pix.colorspace
      self.transferFunction = UInt32(pix.xfer_func)
      self.encoding = UInt32(pix.ycbcr_enc)
      self.quantization = UInt32(pix.quantization)
      self.blocks = withUnsafeBytes(of: pix.plane_fmt) { bytes in
        let size = MemoryLayout<v4l2_plane_pix_format>.size
        return (0..<min(Int(pix.num_planes), bytes.count / size)).map {
          let plane = bytes.loadUnaligned(
            fromByteOffset: $0 * size, as: v4l2_plane_pix_format.self)
          return Block(bytesPerLine: Int(plane.bytesperline), size: Int(plane.sizeimage))
        }
      }
    } else {
      let pix = raw.fmt.pix
      self.code = pix.pixelformat
      self.width = Int(pix.width)
      self.height = Int(pix.height)
      self.field = pix.field
      self.colorspace = pix.colorspace
      // Without the magic number an old driver left the newer fields undefined.
      let isExtended = pix.priv == CV4L2_PIX_FMT_PRIV_MAGIC
      self.transferFunction = isExtended ? pix.xfer_func : 0
      self.encoding = isExtended ? pix.ycbcr_enc : 0
      self.quantization = isExtended ? pix.quantization : 0
      self.blocks = [Block(bytesPerLine: Int(pix.bytesperline), size: Int(pix.sizeimage))]
    }
  }

  /// The kernel's structure of the same.
  var structure: v4l2_format {
    var raw = v4l2_format()
    raw.type = type.rawValue
    if type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE {
      raw.fmt.pix_mp.pixelformat = code
      raw.fmt.pix_mp.width = UInt32(clamping: width)
      raw.fmt.pix_mp.height = UInt32(clamping: height)
      raw.fmt.pix_mp.field = field
    } else {
      raw.fmt.pix.pixelformat = code
      raw.fmt.pix.width = UInt32(clamping: width)
      raw.fmt.pix.height = UInt32(clamping: height)
      raw.fmt.pix.field = field
      raw.fmt.pix.colorspace = colorspace
      raw.fmt.pix.xfer_func = transferFunction
      raw.fmt.pix.ycbcr_enc = encoding
      raw.fmt.pix.quantization = quantization
      raw.fmt.pix.bytesperline = UInt32(clamping: blocks.first?.bytesPerLine ?? 0)
      raw.fmt.pix.sizeimage = UInt32(clamping: blocks.first?.size ?? 0)
      raw.fmt.pix.priv = CV4L2_PIX_FMT_PRIV_MAGIC
    }
    return raw
  }

  var fourCC: FourCharCode { FourCharCode(v4l2: code) }
  /// True where each buffer holds one field, and ``height`` is the field's.
  var deliversFields: Bool { field == V4L2_FIELD_ALTERNATE.rawValue }
  /// The size of a frame, both fields together.
  var dimensions: VideoDimensions {
    VideoDimensions(width: width, height: deliversFields ? height * 2 : height)
  }

  /// Progressive, or the order of the two fields; nil if the fields of a frame lie one after the other in a buffer.
  var fieldOrder: FieldOrder? {
    switch v4l2_field(rawValue: field) {
    case V4L2_FIELD_ANY, V4L2_FIELD_NONE: .progressive
    case V4L2_FIELD_INTERLACED_TB: .topFieldFirst
    case V4L2_FIELD_INTERLACED_BT: .bottomFieldFirst
    // The kernel leaves the order to the standard.
    case V4L2_FIELD_INTERLACED, V4L2_FIELD_ALTERNATE: .interlaced(height: dimensions.height)
    default: nil
    }
  }

  /// What the numbers mean, the kernel's defaults resolved by the kernel's own rules.
  ///
  /// - Parameter isVideoSignal: True for an input that takes a video signal (HDMI, SDI, analogue),
  ///   where the size tells standard from high definition; a camera's default is sRGB.
  func color(isRGB: Bool, isVideoSignal: Bool) -> ColorDescription {
    let space =
      colorspace != 0
      ? colorspace
      : cv4l2_default_colorspace(
        isVideoSignal && dimensions.height <= 576 ? 1 : 0,
        isVideoSignal && dimensions.height > 576 ? 1 : 0)
    let transfer = transferFunction != 0 ? transferFunction : cv4l2_default_xfer_func(space)
    // Raw sensor data has no matrix; the macro knows no way to say so.
    let isRaw = space == V4L2_COLORSPACE_RAW.rawValue
    let matrix = encoding != 0 || isRaw ? encoding : cv4l2_default_ycbcr_enc(space)
    let range =
      quantization != 0
      ? quantization : cv4l2_default_quantization(isRGB ? 1 : 0, space, matrix)
    return ColorDescription(
      v4l2: .init(
        colorspace: space, transferFunction: transfer, encoding: matrix, quantization: range),
      isRGB: isRGB)
  }
}

extension V4L2Handle {
  /// The format that the device would use instead of the given one; nil if it does not say.
  func tryFormat(_ format: V4L2FrameFormat) throws(CaptureError) -> V4L2FrameFormat? {
    try ask(.tryFormat, format.structure).map(V4L2FrameFormat.init)
  }

  /// The format that the device is set to.
  func currentFormat(type: v4l2_buf_type) throws(CaptureError) -> V4L2FrameFormat? {
    var raw = v4l2_format()
    raw.type = type.rawValue
    return try ask(.getFormat, raw).map(V4L2FrameFormat.init)
  }

  /// Sets a format, and says what the device made of it.
  func setFormat(_ format: V4L2FrameFormat) throws(CaptureError) -> V4L2FrameFormat {
    var raw = format.structure
    try require(.setFormat, &raw)
    return V4L2FrameFormat(raw)
  }
}

extension FieldOrder {
  /// The order of a frame's fields by the standard of its size: 525 lines begin with the bottom
  /// field, 625 and high definition with the top.
  static func interlaced(height: Int) -> FieldOrder {
    height <= 486 ? .bottomFieldFirst : .topFieldFirst
  }
}
