import CVideo4Linux
public import MediaCore
import SystemPackage

/// The timings of a digital signal (HDMI, SDI, DVI): its size, its rate, its blanking.
public struct V4L2Timings: Sendable, Hashable {
  /// Pixels in a row.
  public var width: Int
  /// Rows of a frame, both fields together.
  public var height: Int
  /// True for two fields a frame.
  public var isInterlaced: Bool
  /// Pixels a second, blanking included.
  public var pixelClock: Int64
  /// Pixels of a row, blanking included.
  public var totalWidth: Int
  /// Rows of a frame, blanking included.
  public var totalHeight: Int
  /// The nominal rate is lowered by 1000/1001.
  public var isReducedRate: Bool
  /// True where the receiver can tell 60 from 60000/1001; otherwise only the user knows.
  public var canDetectReducedRate: Bool
  /// The shape of a pixel, from the frame shape that the signal is reported to have; nil if nothing is reported
  /// about it.
  public var pixelAspectRatio: PixelAspectRatio?
  /// The kernel's structure, as it came.
  let raw: Raw

  struct Raw: Hashable, Sendable {
    let bytes: [UInt8]
  }

  init(_ raw: v4l2_dv_timings) {
    let bt = raw.bt
    self.width = Int(bt.width)
    self.height = Int(bt.height)
    self.isInterlaced = bt.interlaced != 0
    self.pixelClock = Int64(clamping: bt.pixelclock)
    self.totalWidth = Int(bt.width) + Int(bt.hfrontporch) + Int(bt.hsync) + Int(bt.hbackporch)
    let first = Int(bt.vfrontporch) + Int(bt.vsync) + Int(bt.vbackporch)
    let second = Int(bt.il_vfrontporch) + Int(bt.il_vsync) + Int(bt.il_vbackporch)
    self.totalHeight = Int(bt.height) + first + (bt.interlaced != 0 ? second : 0)
    self.isReducedRate = bt.flags & UInt32(V4L2_DV_FL_REDUCED_FPS) != 0
    self.canDetectReducedRate = bt.flags & UInt32(V4L2_DV_FL_CAN_DETECT_REDUCED_FPS) != 0
    self.pixelAspectRatio = Self.pixelAspectRatio(bt)
    self.raw = Raw(bytes: withUnsafeBytes(of: raw) { Array($0) })
  }

  private static func pixelAspectRatio(_ bt: v4l2_bt_timings) -> PixelAspectRatio? {
    let code = bt.flags & UInt32(V4L2_DV_FL_HAS_CEA861_VIC) != 0 ? bt.cea861_vic : 0
    let isStated = bt.flags & UInt32(V4L2_DV_FL_HAS_PICTURE_ASPECT) != 0
    let stated = (Int64(bt.picture_aspect.numerator), Int64(bt.picture_aspect.denominator))
    // 0:0 means square pixels, or that the aspect ratio is unknown.
    guard
      let shape = isStated && stated.0 > 0 && stated.1 > 0 ? stated : frameShape(ofCode: code),
      let horizontal = Int32(exactly: shape.0.multipliedSaturating(by: Int64(bt.height))),
      let vertical = Int32(exactly: shape.1.multipliedSaturating(by: Int64(bt.width)))
    else { return nil }
    return PixelAspectRatio(horizontal, vertical)
  }

  /// The shape of the frame that a video code of CEA-861 stands for; nil if its pixels are square or
  /// it has another shape.
  private static func frameShape(ofCode code: UInt8) -> (Int64, Int64)? {
    switch code {
    // Standard definition, in pairs of 4:3 and 16:9.
    case 2, 6, 8, 10, 12, 14, 17, 21, 23, 25, 27, 29, 35, 37, 42, 44, 48, 50, 52, 54, 56, 58:
      (4, 3)
    case 3, 7, 9, 11, 13, 15, 18, 22, 24, 26, 28, 30, 36, 38, 43, 45, 49, 51, 53, 55, 57, 59:
      (16, 9)
    default: nil
    }
  }

  /// Frames a second; nil where the receiver has not measured the signal's blanking.
  public var frameRate: FrameRate? {
    // Blanking that a driver reckoned below 0 is far above all that there is.
    let total = totalWidth.multipliedSaturating(by: totalHeight)
    guard (1...Int(UInt32.max)).contains(total), pixelClock > 0 else { return nil }
    // A reduced rate lies in the flag alone: the clock stays the nominal one.
    let reduced = isReducedRate && canDetectReducedRate
    return FrameRate(
      nearest: Double(pixelClock) / Double(total) * (reduced ? 1000.0 / 1001.0 : 1))
  }

  /// True where both describe one signal, measured twice.
  func matches(_ other: V4L2Timings) -> Bool {
    width == other.width && height == other.height && isInterlaced == other.isInterlaced
      && isReducedRate == other.isReducedRate
      // As the kernel compares: a receiver's clock is accurate to a quarter of a megahertz at best.
      && abs(pixelClock - other.pixelClock) <= max(250_000, pixelClock / 2000)
      && hasBlanking(of: other)
  }

  /// True where a frame takes as long, blanking included: CEA-861 sends several rates with one clock, and
  /// only the blanking tells 1080p50 from 1080p60. The nearest two, 24 and 25, are 4 % apart.
  private func hasBlanking(of other: V4L2Timings) -> Bool {
    let mine = totalWidth.multipliedSaturating(by: totalHeight)
    let theirs = other.totalWidth.multipliedSaturating(by: other.totalHeight)
    // Not every receiver measures it.
    let size = width.multipliedSaturating(by: height)
    guard mine > size, theirs > size else { return true }
    return abs(mine - theirs) <= mine / 100
  }

  /// The kernel's structure.
  var structure: v4l2_dv_timings {
    var value = v4l2_dv_timings()
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: raw.bytes.prefix($0.count)) }
    return value
  }
}

/// What a query of the signal found.
enum V4L2Signal: Sendable, Hashable {
  /// A signal with these timings.
  case present(V4L2Timings)
  /// Nothing is connected or nothing arrives (ENOLINK).
  case absent
  /// Something arrives that the receiver cannot lock to (ENOLCK).
  case unlocked
  /// A signal beyond what the receiver can take (ERANGE).
  case outOfRange
  /// The device has no digital timings, or cannot ask now.
  case unknown
}

extension V4L2Handle {
  /// The signal that arrives now, whether or not the device is set to it.
  func querySignal() throws(CaptureError) -> V4L2Signal {
    var raw = v4l2_dv_timings()
    do {
      try call(.queryTimings, &raw)
    } catch .noLink {
      return .absent
    } catch .noLocks {
      return .unlocked
    } catch .outOfRange {
      return .outOfRange
    } catch .deviceGone {
      throw CaptureError.gone(node)
    } catch {
      return .unknown
    }
    return .present(V4L2Timings(raw))
  }

  /// The timings that the device is set to; nil where it has none.
  func currentTimings() throws(CaptureError) -> V4L2Timings? {
    try ask(.getTimings, v4l2_dv_timings()).map(V4L2Timings.init)
  }

  /// Sets the device to a signal.
  func setTimings(_ timings: V4L2Timings) throws(CaptureError) {
    var raw = timings.structure
    do {
      try call(.setTimings, &raw)
    } catch .outOfRange, .invalidArgument {
      throw CaptureError(
        .formatUnavailable,
        "\(node) does not support a signal of \(timings.width)x\(timings.height): set the source to "
          + "another one")
    } catch {
      throw CaptureError.calling(.setTimings, on: node, error)
    }
  }

  /// The timings that the device can take, of those it lists.
  func enumerateTimings() throws(CaptureError) -> [V4L2Timings] {
    var list: [V4L2Timings] = []
    for index in 0..<512 as Range<UInt32> {
      var raw = v4l2_enum_dv_timings()
      raw.index = index
      guard let answer = try ask(.enumerateTimings, raw) else { break }
      list.append(V4L2Timings(answer.timings))
    }
    return list
  }

  /// Sets the device to the signal that arrives, and says which it is.
  ///
  /// - Throws: ``CaptureError/Code/signalLost`` without one,
  ///   ``CaptureError/Code/formatUnavailable`` for one that the receiver cannot take.
  func followSignal(input: String) throws(CaptureError) -> V4L2Timings? {
    switch try querySignal() {
    case .present(let timings):
      if var current = try currentTimings(), current.matches(timings) {
        current.pixelAspectRatio = timings.pixelAspectRatio ?? current.pixelAspectRatio
        return current
      }
      try setTimings(timings)
      return timings
    case .absent:
      throw CaptureError(
        .signalLost,
        "\(node): no signal at \(input): connect a source and switch it on",
        errno: .noLink)
    case .unlocked:
      throw CaptureError(
        .signalLost,
        "\(node): the signal at \(input) is unstable: check the cable and the source",
        errno: .noLocks)
    case .outOfRange:
      throw CaptureError(
        .formatUnavailable,
        "\(node): the signal at \(input) exceeds the device's limits: set the source to a "
          + "smaller size or rate", errno: .outOfRange)
    case .unknown:
      return try currentTimings()
    }
  }
}
