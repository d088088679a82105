import CVideo4Linux
import MediaCore

/// Lists what a device can deliver: formats, sizes and rates, for each of its inputs.
struct V4L2FormatEnumerator {
  let handle: V4L2Handle
  let capability: V4L2Capability

  /// Sizes offered where a device takes any within a span.
  static let usualSizes: [VideoDimensions] = [
    (3840, 2160), (4096, 2160), (2048, 1080), (1920, 1080), (1280, 720), (720, 576), (720, 486),
    (720, 480), (640, 480), (640, 360), (320, 240),
  ].map { VideoDimensions(width: $0.0, height: $0.1) }

  /// The formats of every input, in the device's own order.
  ///
  /// Inputs other than the present one are selected in turn and the present one restored, which
  /// a device that is streaming refuses; it lists the present one's alone.
  func formats() throws(CaptureError) -> [CaptureDevice.Format] {
    let inputs = try handle.inputs()
    guard let current = try handle.currentInput(), !inputs.isEmpty else {
      return try formats(of: nil)
    }
    var all: [CaptureDevice.Format] = []
    var isMoved = false
    for input in inputs {
      if input.index != current {
        var number = Int32(input.index)
        guard (try? handle.call(.setInput, &number)) != nil else { continue }
        isMoved = true
      } else if isMoved {
        try handle.selectInput(current)
        isMoved = false
      }
      all += try formats(of: input)
    }
    if isMoved { try handle.selectInput(current) }
    return all
  }

  private func formats(of input: V4L2Input?) throws(CaptureError) -> [CaptureDevice.Format] {
    var signal: V4L2Timings?
    var isSet = true
    if let input, input.hasDigitalTimings {
      let current = try handle.currentTimings()
      if case .present(let found) = try handle.querySignal() {
        signal = found
        isSet = current?.matches(found) == true
      } else {
        signal = current
      }
    }
    var list: [CaptureDevice.Format] = []
    for code in try codes() {
      for size in try sizes(code: code, input: input, signal: signal) {
        list += try formats(code: code, size: size, input: input, signal: signal, isSet: isSet)
      }
    }
    return list
  }

  /// The codes of the formats, in the device's order.
  private func codes() throws(CaptureError) -> [UInt32] {
    var codes: [UInt32] = []
    for index in 0..<256 as Range<UInt32> {
      var raw = v4l2_fmtdesc()
      raw.type = capability.bufferType.rawValue
      raw.index = index
      guard let answer = try handle.ask(.enumerateFormats, raw) else { break }
      if !codes.contains(answer.pixelformat) { codes.append(answer.pixelformat) }
    }
    return codes
  }

  /// The sizes of a format. A signal has one; a range is represented by the usual sizes in it and
  /// its ends; a device that lists none has the one that is set.
  private func sizes(
    code: UInt32, input: V4L2Input?, signal: V4L2Timings?
  ) throws(CaptureError) -> [VideoDimensions] {
    if let signal { return [VideoDimensions(width: signal.width, height: signal.height)] }
    let current = try handle.currentFormat(type: capability.bufferType)?.dimensions
    if let current, input?.hasStandards == true { return [current] }
    var sizes: [VideoDimensions] = []
    for index in 0..<512 as Range<UInt32> {
      var raw = v4l2_frmsizeenum()
      raw.index = index
      raw.pixel_format = code
      guard let answer = try handle.ask(.enumerateFrameSizes, raw) else { break }
      if answer.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
        let size = VideoDimensions(
          width: Int(answer.discrete.width), height: Int(answer.discrete.height))
        if !sizes.contains(size) { sizes.append(size) }
      } else {
        sizes = Self.sizes(in: answer.stepwise, current: current)
        break
      }
    }
    return sizes.isEmpty ? current.map { [$0] } ?? [] : sizes
  }

  /// The usual sizes in a span, largest first, with its ends and the size the device is set to.
  static func sizes(
    in span: v4l2_frmsize_stepwise, current: VideoDimensions?
  ) -> [VideoDimensions] {
    func fits(_ value: Int, _ least: UInt32, _ most: UInt32, _ step: UInt32) -> Bool {
      value >= Int(least) && value <= Int(most) && (value - Int(least)) % Int(max(step, 1)) == 0
    }
    let ends = [
      VideoDimensions(width: Int(span.max_width), height: Int(span.max_height)),
      VideoDimensions(width: Int(span.min_width), height: Int(span.min_height)),
    ]
    var sizes: [VideoDimensions] = []
    for size in [current].compactMap(\.self) + ends + usualSizes
    where fits(size.width, span.min_width, span.max_width, span.step_width)
      && fits(size.height, span.min_height, span.max_height, span.step_height)
      && !sizes.contains(size)
    {
      sizes.append(size)
    }
    return sizes.sorted {
      ($0.width.multipliedSaturating(by: $0.height), $0.width)
        > ($1.width.multipliedSaturating(by: $1.height), $1.width)
    }
  }

  /// One format at one size; none if the device takes neither, and two for a sensor's mosaic that
  /// libv4l2 can convert: the converted format, and the mosaic itself. `isSet` is false if the device
  /// is set to another signal than the one that arrives.
  private func formats(
    code: UInt32, size: VideoDimensions, input: V4L2Input?, signal: V4L2Timings?, isSet: Bool
  ) throws(CaptureError) -> [CaptureDevice.Format] {
    let wanted = V4L2FrameFormat(
      type: capability.bufferType, code: code, width: size.width, height: size.height,
      field: V4L2_FIELD_ANY)
    // While the device streams it may refuse even to try: then it is asked for nothing more.
    var tried = try handle.tryFormat(wanted) ?? wanted
    guard tried.code == code else { return [] }
    if signal == nil, tried.dimensions != size { return [] }
    // A signal sets size and scan whatever the device was asked for.
    if !isSet { tried.field = V4L2_FIELD_ANY.rawValue }
    tried.width = size.width
    tried.height = tried.deliversFields ? size.height / 2 : size.height
    var rates: V4L2Rates
    if let signal {
      rates = Self.rates(of: signal)
    } else {
      rates = try handle.frameRates(code: code, width: size.width, height: size.height)
      if rates.ranges.isEmpty, let rate = try handle.setFrameRate(nil, type: wanted.type) {
        rates.list = [rate]
        rates.ranges = [.init(minFrameRate: rate, maxFrameRate: rate)]
      }
    }
    let frame = V4L2FrameDescription(tried, input: input, signal: signal)
    let isMosaic = PixelFormat(v4l2: tried.fourCC)?.isBayer == true
    let mosaic =
      isMosaic && frame.isEmulated
      ? V4L2FrameDescription(tried, input: input, signal: signal, keepsMosaic: true) : nil
    return [frame, mosaic].compactMap(\.self).map { frame in
      CaptureDevice.Format(
        formatDescription: .video(frame.format), nativeCode: tried.fourCC,
        frameRates: rates.list, videoSupportedFrameRateRanges: rates.ranges,
        inputIndex: input?.index, isEmulated: frame.isEmulated)
    }
  }

  /// The rates that a signal may have: one, or two where the receiver cannot tell 60 from 59.94.
  static func rates(of signal: V4L2Timings) -> V4L2Rates {
    guard let rate = signal.frameRate else { return V4L2Rates() }
    var rates = V4L2Rates(list: [rate])
    if !signal.canDetectReducedRate, rate.denominator == 1, rate.numerator % 6 == 0,
      let lowered = FrameRate(rate.numerator * 1000, 1001)
    {
      rates.list.append(lowered)
    }
    rates.ranges = rates.list.map { .init(minFrameRate: $0, maxFrameRate: $0) }
    return rates
  }
}

/// The format of an agreed format's frames, for their consumers.
struct V4L2FrameDescription: Hashable {
  let format: VideoFormatDescription
  let emulation: V4L2Emulation?

  /// True if libv4l2 makes the frames.
  var isEmulated: Bool { emulation != nil }

  /// - Parameters:
  ///   - agreed: The device's answer.
  ///   - input: The input; one with a video signal has a video signal's default colors.
  ///   - signal: The signal, where it sets size and scan.
  ///   - pixelAspectRatio: The shape of a pixel; nil for that of the signal, if the frame is not scaled,
  ///     else for square.
  ///   - keepsMosaic: True for a sensor's samples as they are, even if libv4l2 could convert them.
  init(
    _ agreed: V4L2FrameFormat, input: V4L2Input?, signal: V4L2Timings?,
    pixelAspectRatio: PixelAspectRatio? = nil, keepsMosaic: Bool = false
  ) {
    let isWhole = signal.map {
      agreed.dimensions == VideoDimensions(width: $0.width, height: $0.height)
    }
    let pixelAspectRatio =
      pixelAspectRatio ?? (isWhole == true ? signal?.pixelAspectRatio : nil) ?? .square
    let isVideoSignal = input.map { $0.hasDigitalTimings || $0.hasStandards } ?? false
    let native = V4L2Layout.pixelFormat(of: agreed.fourCC)?.format
    let isRGB = native?.descriptor.subsampling == .rgb
    let color = agreed.color(isRGB: isRGB, isVideoSignal: isVideoSignal)
    let standard = FieldOrder.interlaced(height: agreed.dimensions.height)
    // A device that leaves the scan open delivers that of the signal.
    let order =
      agreed.field == V4L2_FIELD_ANY.rawValue && signal?.isInterlaced == true
      ? standard : agreed.fieldOrder ?? standard
    let isReadAsItIs = native.map { !$0.isBayer || keepsMosaic } ?? false
    self.emulation = isReadAsItIs ? nil : V4L2Emulation(agreed.fourCC, color: color)
    if let layout = emulation?.format ?? native {
      self.format = VideoFormatDescription(
        PixelBuffer.Description(
          format: layout, width: agreed.width, height: agreed.dimensions.height,
          color: emulation?.color ?? color, fieldOrder: order,
          pixelAspectRatio: pixelAspectRatio))
    } else {
      self.format = VideoFormatDescription(
        codec: agreed.fourCC, dimensions: agreed.dimensions, color: color, fieldOrder: order,
        pixelAspectRatio: pixelAspectRatio)
    }
  }
}
