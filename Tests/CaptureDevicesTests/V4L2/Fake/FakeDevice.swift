import CVideo4Linux
import SystemPackage

@testable import CaptureDevices

/// A device of the fake kernel: its properties and its behavior.
struct FakeDevice: Sendable {
  /// A list or a span of frame intervals, as fractions of a second.
  enum Intervals: Sendable {
    case none
    case list([(UInt32, UInt32)])
    case span(min: (UInt32, UInt32), max: (UInt32, UInt32), isContinuous: Bool)
  }
  enum Sizes: Sendable {
    case none
    case list([(UInt32, UInt32)])
    case span(
      width: ClosedRange<UInt32>, height: ClosedRange<UInt32>, step: UInt32, isContinuous: Bool)
  }
  struct Filled: Sendable {
    var index: Int
    var sequence: UInt32
    var flags: UInt32
    var stamp: Int64
    var bytesUsed: UInt32
    var field = V4L2_FIELD_NONE.rawValue
  }

  struct Control: Sendable {
    var type = V4L2_CTRL_TYPE_INTEGER
    var range: ClosedRange<Int64>
    var step: UInt64 = 1
    var flags: Int32 = 0
    var value: Int64
    /// The entries of a menu, with their values in an integer menu; nil for the whole range.
    var menu: [Int64: Int64]?
  }

  var card = "Fake Camera"
  var driver = "fake"
  var bus = "usb-fake-1"
  var capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
  var codes: [String] = ["YUYV"]
  var repeatsCodesForEver = false
  var sizes = Sizes.list([(64, 32)])
  var intervals = Intervals.list([(1, 25), (1001, 30000)])
  var width: UInt32 = 64
  var height: UInt32 = 32
  var code: UInt32 = 0
  var field = V4L2_FIELD_NONE.rawValue
  var bytesPerLine: UInt32?
  var sizeImage: UInt32?
  /// Memory blocks of a frame if the device is multi-planar.
  var blocks: [(bytesPerLine: UInt32, size: UInt32)] = []
  var interval: (UInt32, UInt32) = (1, 25)
  var ignoresRates = false
  var grantedBuffers: UInt32 = 32
  var inputs: [String] = ["Camera 1"]
  var input: Int32 = 0
  var inputStatus: UInt32 = 0
  var signal: Result<v4l2_dv_timings, Errno>?
  var timings = v4l2_dv_timings()
  var isGone = false
  /// By number.
  var controls: [UInt32: Control] = [:]
  /// Bytes of the compound controls, by number.
  var structures: [UInt32: [UInt8]] = [:]
  var colorspace = V4L2_COLORSPACE_REC709
  var transferFunction = V4L2_XFER_FUNC_DEFAULT

  var queued: [Int] = []
  var filled: [Filled] = []
  var events: [UInt32] = []
  var isStreaming = false
  var dequeueErrors: [Errno] = []

  mutating func reset() {
    queued = []
    filled = []
    isStreaming = false
  }

  mutating func fill(
    sequence: UInt32, flags: UInt32, stamp: Int64, bytesUsed: Int?, index: Int?,
    field: v4l2_field = V4L2_FIELD_NONE
  ) -> Bool {
    guard isStreaming else { return false }
    let next: Int
    if let index {
      next = index
    } else {
      guard !queued.isEmpty else { return false }
      next = queued.removeFirst()
    }
    filled.append(
      Filled(
        index: next, sequence: sequence, flags: flags, stamp: stamp,
        bytesUsed: bytesUsed.map { UInt32($0) } ?? blocks.first?.size ?? imageSize,
        field: field.rawValue))
    return true
  }

  var imageSize: UInt32 { sizeImage ?? (bytesPerLine ?? width * 2) * height }

  static let names: [UInt: String] = Dictionary(
    uniqueKeysWithValues: [
      V4L2Request.queryCapability, .enumerateFormats, .getFormat, .setFormat, .tryFormat,
      .enumerateFrameSizes, .enumerateFrameIntervals, .getParameters, .setParameters,
      .enumerateInputs, .getInput, .setInput, .getStandard, .setStandard, .queryStandard,
      .cropCapability, .queryTimings, .enumerateTimings, .getTimings, .setTimings, .queryControl,
      .queryMenu, .getControls, .setControls, .requestBuffers, .queryBuffer, .queueBuffer,
      .dequeueBuffer, .streamOn, .streamOff, .subscribeEvent, .dequeueEvent,
    ].map { ($0.code, $0.name) })

  private func fourcc(_ text: String) -> UInt32 {
    text.utf8.enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32($1.offset * 8) }
  }

  // MARK: Answers

  mutating func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) throws(Errno) {
    func at<Value>(_ type: Value.Type) -> UnsafeMutablePointer<Value> {
      argument.assumingMemoryBound(to: type)
    }
    switch request {
    case V4L2Request.queryCapability.code: capability(at(v4l2_capability.self))
    case V4L2Request.enumerateFormats.code:
      let list = at(v4l2_fmtdesc.self)
      let index = Int(list.pointee.index)
      if repeatsCodesForEver {
        list.pointee.pixelformat = fourcc(codes[0])
        return
      }
      guard index < codes.count else { throw .invalidArgument }
      list.pointee.pixelformat = fourcc(codes[index])
    case V4L2Request.tryFormat.code, V4L2Request.setFormat.code, V4L2Request.getFormat.code:
      format(at(v4l2_format.self), request: request)
    case V4L2Request.enumerateFrameSizes.code: try frameSize(at(v4l2_frmsizeenum.self))
    case V4L2Request.enumerateFrameIntervals.code: try frameInterval(at(v4l2_frmivalenum.self))
    case V4L2Request.getParameters.code, V4L2Request.setParameters.code:
      parameters(at(v4l2_streamparm.self), isSet: request == V4L2Request.setParameters.code)
    case V4L2Request.enumerateInputs.code: try inputFacts(at(v4l2_input.self))
    case V4L2Request.getInput.code:
      guard !inputs.isEmpty else { throw .inappropriateIOCTLForDevice }
      at(Int32.self).pointee = input
    case V4L2Request.setInput.code: input = at(Int32.self).pointee
    case V4L2Request.queryTimings.code:
      guard let signal else { throw .inappropriateIOCTLForDevice }
      at(v4l2_dv_timings.self).pointee = try signal.get()
    case V4L2Request.getTimings.code: at(v4l2_dv_timings.self).pointee = timings
    case V4L2Request.setTimings.code:
      timings = at(v4l2_dv_timings.self).pointee
      width = timings.bt.width
      height = timings.bt.height
    case V4L2Request.queryControl.code: try describe(at(v4l2_query_ext_ctrl.self))
    case V4L2Request.queryMenu.code:
      let item = at(v4l2_querymenu.self)
      guard let control = controls[item.pointee.id] else { throw .invalidArgument }
      guard let menu = control.menu else { break }
      guard let number = menu[Int64(item.pointee.index)] else { throw .invalidArgument }
      if control.type == V4L2_CTRL_TYPE_INTEGER_MENU { item.pointee.value = number }
    case V4L2Request.getControls.code, V4L2Request.setControls.code:
      try exchange(
        at(v4l2_ext_controls.self), isSet: request == V4L2Request.setControls.code)
    case V4L2Request.subscribeEvent.code: break
    case V4L2Request.dequeueEvent.code:
      guard !events.isEmpty else { throw .noSuchFileOrDirectory }
      at(v4l2_event.self).pointee.type = events.removeFirst()
    case V4L2Request.requestBuffers.code, V4L2Request.queryBuffer.code,
      V4L2Request.queueBuffer.code, V4L2Request.dequeueBuffer.code, V4L2Request.streamOn.code,
      V4L2Request.streamOff.code:
      try stream(request, argument)
    default: throw .inappropriateIOCTLForDevice
    }
  }

  private func capability(_ raw: UnsafeMutablePointer<v4l2_capability>) {
    withUnsafeMutableBytes(of: &raw.pointee.card) { $0.copyBytes(from: card.utf8) }
    withUnsafeMutableBytes(of: &raw.pointee.bus_info) { $0.copyBytes(from: bus.utf8) }
    withUnsafeMutableBytes(of: &raw.pointee.driver) { $0.copyBytes(from: driver.utf8) }
    raw.pointee.capabilities = UInt32(V4L2_CAP_DEVICE_CAPS)
    raw.pointee.device_caps = capabilities
  }

  private mutating func format(_ raw: UnsafeMutablePointer<v4l2_format>, request: UInt) {
    let isMultiPlanar = raw.pointee.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
    let wanted =
      isMultiPlanar ? raw.pointee.fmt.pix_mp.pixelformat : raw.pointee.fmt.pix.pixelformat
    let known = codes.map(fourcc)
    let chosen = known.contains(wanted) ? wanted : code != 0 ? code : known.first ?? 0
    if request == V4L2Request.setFormat.code { code = chosen }
    if case .list(let list) = sizes, request != V4L2Request.getFormat.code, !isMultiPlanar {
      let size = (raw.pointee.fmt.pix.width, raw.pointee.fmt.pix.height)
      if list.contains(where: { $0 == size }) { (width, height) = size }
    }
    if isMultiPlanar {
      raw.pointee.fmt.pix_mp.pixelformat = chosen
      raw.pointee.fmt.pix_mp.width = width
      raw.pointee.fmt.pix_mp.height = height
      raw.pointee.fmt.pix_mp.field = UInt32(field)
      raw.pointee.fmt.pix_mp.num_planes = UInt8(blocks.count)
      withUnsafeMutableBytes(of: &raw.pointee.fmt.pix_mp.plane_fmt) { bytes in
        for (index, block) in blocks.enumerated() {
          var plane = v4l2_plane_pix_format()
          plane.bytesperline = block.bytesPerLine
          plane.sizeimage = block.size
          bytes.storeBytes(
            of: plane, toByteOffset: index * MemoryLayout<v4l2_plane_pix_format>.size,
            as: v4l2_plane_pix_format.self)
        }
      }
    } else {
      raw.pointee.fmt.pix.pixelformat = chosen
      raw.pointee.fmt.pix.width = width
      raw.pointee.fmt.pix.height = height
      raw.pointee.fmt.pix.field = UInt32(field)
      raw.pointee.fmt.pix.bytesperline = bytesPerLine ?? width * 2
      raw.pointee.fmt.pix.sizeimage = imageSize
      raw.pointee.fmt.pix.colorspace = colorspace.rawValue
      raw.pointee.fmt.pix.xfer_func = transferFunction.rawValue
      raw.pointee.fmt.pix.priv = CV4L2_PIX_FMT_PRIV_MAGIC
    }
  }

  private func frameSize(_ raw: UnsafeMutablePointer<v4l2_frmsizeenum>) throws(Errno) {
    let index = Int(raw.pointee.index)
    switch sizes {
    case .none: throw .inappropriateIOCTLForDevice
    case .list(let list):
      guard index < list.count else { throw .invalidArgument }
      raw.pointee.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
      raw.pointee.discrete = v4l2_frmsize_discrete(width: list[index].0, height: list[index].1)
    case .span(let width, let height, let step, let isContinuous):
      guard index == 0 else { throw .invalidArgument }
      raw.pointee.type =
        (isContinuous ? V4L2_FRMSIZE_TYPE_CONTINUOUS : V4L2_FRMSIZE_TYPE_STEPWISE).rawValue
      raw.pointee.stepwise = v4l2_frmsize_stepwise(
        min_width: width.lowerBound, max_width: width.upperBound, step_width: step,
        min_height: height.lowerBound, max_height: height.upperBound, step_height: step)
    }
  }

  private func frameInterval(_ raw: UnsafeMutablePointer<v4l2_frmivalenum>) throws(Errno) {
    let index = Int(raw.pointee.index)
    func fraction(_ pair: (UInt32, UInt32)) -> v4l2_fract {
      v4l2_fract(numerator: pair.0, denominator: pair.1)
    }
    switch intervals {
    case .none: throw .inappropriateIOCTLForDevice
    case .list(let list):
      guard index < list.count else { throw .invalidArgument }
      raw.pointee.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
      raw.pointee.discrete = fraction(list[index])
    case .span(let least, let most, let isContinuous):
      guard index == 0 else { throw .invalidArgument }
      raw.pointee.type =
        (isContinuous ? V4L2_FRMIVAL_TYPE_CONTINUOUS : V4L2_FRMIVAL_TYPE_STEPWISE).rawValue
      raw.pointee.stepwise = v4l2_frmival_stepwise(
        min: fraction(least), max: fraction(most), step: fraction((1, 1)))
    }
  }

  private mutating func parameters(
    _ raw: UnsafeMutablePointer<v4l2_streamparm>, isSet: Bool
  ) {
    let wanted = raw.pointee.parm.capture.timeperframe
    if isSet, !ignoresRates { interval = (wanted.numerator, wanted.denominator) }
    raw.pointee.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
    raw.pointee.parm.capture.timeperframe = v4l2_fract(
      numerator: interval.0, denominator: interval.1)
  }

  private func inputFacts(_ raw: UnsafeMutablePointer<v4l2_input>) throws(Errno) {
    let index = Int(raw.pointee.index)
    guard index < inputs.count else { throw .invalidArgument }
    withUnsafeMutableBytes(of: &raw.pointee.name) { $0.copyBytes(from: inputs[index].utf8) }
    raw.pointee.status = inputStatus
    raw.pointee.capabilities = signal == nil ? 0 : UInt32(V4L2_IN_CAP_DV_TIMINGS)
  }

  // MARK: Controls

  private func describe(_ raw: UnsafeMutablePointer<v4l2_query_ext_ctrl>) throws(Errno) {
    let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    let wanted = raw.pointee.id & ~next
    let id =
      raw.pointee.id & next == 0
      ? wanted : controls.keys.filter { $0 > wanted }.min() ?? wanted
    guard let control = controls[id], raw.pointee.id & next == 0 || id > wanted else {
      throw .invalidArgument
    }
    raw.pointee.id = id
    raw.pointee.type = control.type.rawValue
    raw.pointee.minimum = control.range.lowerBound
    raw.pointee.maximum = control.range.upperBound
    raw.pointee.step = control.step
    raw.pointee.flags = UInt32(bitPattern: control.flags)
  }

  private mutating func exchange(
    _ list: UnsafeMutablePointer<v4l2_ext_controls>, isSet: Bool
  ) throws(Errno) {
    if !isSet, list.pointee.count == 1, let raw = list.pointee.controls,
      let bytes = structures[raw.pointee.id]
    {
      guard Int(raw.pointee.size) == bytes.count, let target = raw.pointee.ptr else {
        throw .noSpace
      }
      target.copyMemory(from: bytes, byteCount: bytes.count)
      return
    }
    guard list.pointee.count == 1, let raw = list.pointee.controls,
      var control = controls[raw.pointee.id]
    else { throw .invalidArgument }
    let isWide = control.type == V4L2_CTRL_TYPE_INTEGER64
    guard isSet else {
      if isWide {
        raw.pointee.value64 = control.value
      } else {
        raw.pointee.value = Int32(clamping: control.value)
      }
      return
    }
    guard control.flags & V4L2_CTRL_FLAG_READ_ONLY == 0 else { throw .permissionDenied }
    guard control.flags & V4L2_CTRL_FLAG_GRABBED == 0 else { throw .resourceBusy }
    let value = isWide ? raw.pointee.value64 : Int64(raw.pointee.value)
    guard control.range.contains(value) else { throw .outOfRange }
    control.value = value
    controls[raw.pointee.id] = control
  }

  // MARK: Streaming

  private mutating func stream(
    _ request: UInt, _ argument: UnsafeMutableRawPointer
  ) throws(Errno) {
    let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
    switch request {
    case V4L2Request.requestBuffers.code:
      let raw = argument.assumingMemoryBound(to: v4l2_requestbuffers.self)
      raw.pointee.count = min(raw.pointee.count, grantedBuffers)
    case V4L2Request.queryBuffer.code:
      if let planes = planes(buffer) {
        for (index, block) in blocks.enumerated() {
          planes[index].length = block.size
          planes[index].m.mem_offset = buffer.pointee.index * 16 + UInt32(index)
        }
      } else {
        buffer.pointee.length = imageSize
        buffer.pointee.m.offset = buffer.pointee.index
      }
    case V4L2Request.queueBuffer.code:
      let index = Int(buffer.pointee.index)
      guard !queued.contains(index) else { throw .invalidArgument }
      queued.append(index)
    case V4L2Request.dequeueBuffer.code:
      if !dequeueErrors.isEmpty { throw dequeueErrors.removeFirst() }
      guard !filled.isEmpty else { throw .resourceTemporarilyUnavailable }
      let next = filled.removeFirst()
      buffer.pointee.index = UInt32(next.index)
      buffer.pointee.sequence = next.sequence
      buffer.pointee.flags = next.flags
      buffer.pointee.field = next.field
      buffer.pointee.timestamp.tv_sec = Int(next.stamp / 1_000_000_000)
      buffer.pointee.timestamp.tv_usec = Int(next.stamp % 1_000_000_000 / 1000)
      if let planes = planes(buffer) {
        for (index, block) in blocks.enumerated() { planes[index].bytesused = block.size }
        planes[0].bytesused = next.bytesUsed
      } else {
        buffer.pointee.bytesused = next.bytesUsed
      }
    case V4L2Request.streamOn.code: isStreaming = true
    default: reset()
    }
  }

  private func planes(
    _ buffer: UnsafeMutablePointer<v4l2_buffer>
  ) -> UnsafeMutablePointer<v4l2_plane>? {
    buffer.pointee.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
      ? buffer.pointee.m.planes : nil
  }
}
