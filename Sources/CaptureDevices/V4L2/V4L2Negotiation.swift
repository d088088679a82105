import CVideo4Linux
import MediaCore

/// What a device agreed to deliver, and all that follows from it.
struct V4L2Agreement {
  var frame: V4L2FrameFormat
  var input: V4L2Input?
  var timings: V4L2Timings?
  var frameRate: FrameRate?
  /// The layout of the device's buffers; nil if they hold compressed or odd frames.
  var layout: V4L2Layout?
  var description: V4L2FrameDescription
  /// The description of the delivered frames.
  var details: PixelBuffer.Description
  /// How a buffer becomes a frame.
  var assembly: Assembly

  /// How the device's buffers become frames.
  enum Assembly: Hashable, Sendable {
    /// The buffer is the frame, and goes back when the frame is released.
    case inPlace
    /// The buffer is copied: the driver writes into buffers that it has handed out.
    case copied
    /// A buffer holds a field: two make a frame.
    case woven
  }

  /// What a buffer holds: a frame, or one field of it.
  var bufferDetails: PixelBuffer.Description {
    var held = details
    held.height = frame.height
    return held
  }
}

extension V4L2Handle {
  /// Sets the device to a request.
  func agree(
    on request: CaptureStreamRequest, capability: V4L2Capability
  ) throws(CaptureError) -> V4L2Agreement {
    guard capability.isStreaming else {
      throw CaptureError(
        .deviceFailed, "\(node) (\(capability.card)) cannot stream; choose another device"
      )
    }
    guard let wanted = request.format.video, let code = request.format.nativeCode else {
      throw CaptureError(
        .formatUnavailable,
        "\(node) does not offer this format; choose another of the device's formats")
    }
    if let index = request.format.inputIndex { try selectInput(index) }
    var input: V4L2Input?
    if let index = try currentInput() { input = try self.input(index) }
    let timings =
      input?.hasDigitalTimings == true ? try followSignal(input: input?.name ?? "its input") : nil
    if let input, input.hasStandards { try followStandard() }

    let frame = try setFrameFormat(code, wanted, capability: capability)
    let rate = try setRate(request, frame: frame, timings: timings)
    let description = V4L2FrameDescription(
      frame, input: input, signal: timings,
      pixelAspectRatio: try pixelAspectRatio(of: frame),
      keepsMosaic: wanted.pixelFormat?.isBayer == true)
    guard let pixelFormat = description.format.pixelFormat else {
      throw CaptureError(
        .formatUnavailable,
        "\(node) delivers \(frame.fourCC), which libv4l2 cannot decode; "
          + "choose another of the device's formats")
    }
    let layout = description.isEmulated ? nil : try V4L2Layout(frame, node: node)
    // A loopback's writer goes round its few buffers whether or not their readers are done.
    let assembly: V4L2Agreement.Assembly =
      frame.deliversFields ? .woven : capability.driver == "v4l2 loopback" ? .copied : .inPlace
    guard layout != nil || !frame.deliversFields else { throw fieldsApart() }
    return V4L2Agreement(
      frame: frame, input: input, timings: timings, frameRate: rate, layout: layout,
      description: description,
      details: PixelBuffer.Description(
        format: pixelFormat, width: frame.width, height: frame.dimensions.height,
        color: description.format.color, fieldOrder: description.format.fieldOrder,
        pixelAspectRatio: description.format.pixelAspectRatio), assembly: assembly)
  }

  private func fieldsApart() -> CaptureError {
    CaptureError(
      .formatUnavailable,
      "\(node) delivers fields in an unsupported order; "
        + "choose another of the device's formats, or set the source to a progressive signal")
  }

  /// Sets size and layout; the fields of a frame line by line where the device can.
  private func setFrameFormat(
    _ code: FourCharCode, _ wanted: VideoFormatDescription, capability: V4L2Capability
  ) throws(CaptureError) -> V4L2FrameFormat {
    var frame = V4L2FrameFormat(
      type: capability.bufferType, code: code.v4l2, width: wanted.dimensions.width,
      height: wanted.dimensions.height, field: V4L2_FIELD_ANY)
    let first = try setFormat(frame)
    var agreed = first
    if first.fieldOrder == nil || first.deliversFields {
      frame.field = V4L2_FIELD_INTERLACED.rawValue
      agreed = try setFormat(frame)
      if agreed.deliversFields || agreed.fieldOrder == nil && first.deliversFields {
        // A device that scales takes the height for a field's.
        frame.field = V4L2_FIELD_ALTERNATE.rawValue
        frame.height = wanted.dimensions.height / 2
        agreed = try setFormat(frame)
      }
    }
    guard agreed.code == code.v4l2, agreed.dimensions == wanted.dimensions else {
      throw CaptureError(
        .formatUnavailable,
        "\(node) offers \(agreed.fourCC) \(agreed.dimensions), not \(code) \(wanted.dimensions); "
          + "choose another of the device's formats")
    }
    guard agreed.fieldOrder != nil else { throw fieldsApart() }
    return agreed
  }

  /// Sets the rate, or takes that of the signal.
  private func setRate(
    _ request: CaptureStreamRequest, frame: V4L2FrameFormat, timings: V4L2Timings?
  ) throws(CaptureError) -> FrameRate? {
    let wanted =
      request.frameRate
      ?? request.format.videoSupportedFrameRateRanges.map(\.maxFrameRate).max()
    let offered: [FrameRate]
    if let timings {
      offered = V4L2FormatEnumerator.rates(of: timings).list
    } else {
      offered = try setFrameRate(wanted, type: frame.type).map { [$0] } ?? []
    }
    guard !offered.isEmpty, let asked = request.frameRate else { return offered.first ?? wanted }
    guard let match = offered.first(where: { $0.isNear(asked) }) else {
      let list = offered.map(\.description).joined(separator: " or ")
      throw CaptureError(
        .formatUnavailable,
        "\(node) delivers \(frame.dimensions) at \(list) frames per second, not \(asked): ask for that "
          + "rate, or change the source's")
    }
    return match
  }

  /// Sets an analogue input to the standard that it receives, where that is plain.
  private func followStandard() throws(CaptureError) {
    guard let found = try ask(.queryStandard, v4l2_std_id(0)),
      let current = try ask(.getStandard, v4l2_std_id(0)), found != 0, found & current == 0
    else { return }
    var standard = found
    try require(.setStandard, &standard)
  }

  /// The shape of a pixel if the frame is not scaled; nil if the device does not report it, or reports what
  /// the kernel fills in for it.
  private func pixelAspectRatio(
    of frame: V4L2FrameFormat
  ) throws(CaptureError) -> PixelAspectRatio? {
    var crop = v4l2_cropcap()
    crop.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    guard let answer = try ask(.cropCapability, crop),
      Int(answer.defrect.width) == frame.width, Int(answer.defrect.height) == frame.height
    else { return nil }
    // The kernel reports height to width, and 1:1 for a driver that does not know it.
    let ratio = PixelAspectRatio(
      Int32(clamping: answer.pixelaspect.denominator), Int32(clamping: answer.pixelaspect.numerator)
    )
    return ratio == .square ? nil : ratio
  }
}
