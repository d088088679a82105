/// A constant frame rate as an exact fraction of frames a second.
public struct FrameRate: Hashable, Sendable {
  /// Frames in ``denominator`` seconds, greater than zero, in lowest terms.
  public let numerator: Int32
  /// Seconds, greater than zero, in lowest terms; 1001 for the NTSC family.
  public let denominator: Int32

  /// A rate, reduced to lowest terms; nil unless both are positive.
  public init?(_ numerator: Int32, _ denominator: Int32 = 1) {
    guard numerator > 0, denominator > 0 else { return nil }
    let divisor = Int32(greatestCommonDivisor(Int64(numerator), Int64(denominator)))
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  private init(exact numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// 24000/1001.
  public static let fps23_976 = FrameRate(exact: 24000, 1001)
  public static let fps24 = FrameRate(exact: 24, 1)
  public static let fps25 = FrameRate(exact: 25, 1)
  /// 30000/1001.
  public static let fps29_97 = FrameRate(exact: 30000, 1001)
  public static let fps30 = FrameRate(exact: 30, 1)
  /// 48000/1001.
  public static let fps47_952 = FrameRate(exact: 48000, 1001)
  public static let fps48 = FrameRate(exact: 48, 1)
  public static let fps50 = FrameRate(exact: 50, 1)
  /// 60000/1001.
  public static let fps59_94 = FrameRate(exact: 60000, 1001)
  public static let fps60 = FrameRate(exact: 60, 1)

  /// The rates that broadcast and cinema use, slowest first.
  public static let standard: [FrameRate] = [
    .fps23_976, .fps24, .fps25, .fps29_97, .fps30, .fps47_952, .fps48, .fps50, .fps59_94, .fps60,
  ]

  public var framesPerSecond: Double { Double(numerator) / Double(denominator) }

  /// The whole number of frames that a timecode counts in a second: 30 for 29.97.
  public var nominalFramesPerSecond: Int {
    Int((Int64(numerator) + Int64(denominator) - 1) / Int64(denominator))
  }

  /// True for the rates that run 1000/1001 slower than their nominal one.
  public var isNTSC: Bool { denominator == 1001 }

  /// The rate as a whole number or a fraction: `25`, `30000/1001`.
  package var fraction: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }

  /// The duration of one frame, exactly: 1001/30000 for 29.97.
  public var frameDuration: MediaTime {
    MediaTime(value: Int64(denominator), timescale: numerator)
  }

  /// The time scale of a QuickTime video track at this rate, so that a frame lasts a whole number
  /// of units: 30000 for 29.97 (a frame is 1001), a multiple of 1000 for whole rates (25000; 1000).
  public var mediaTimescale: Int32 {
    if denominator > 1 { return numerator }
    return numerator <= 1_000_000 ? numerator * 1000 : numerator
  }

  /// The start of frame `index`, exactly, at ``mediaTimescale``.
  public func time(ofFrame index: Int64) -> MediaTime {
    let scale = mediaTimescale
    let unit = Int64(scale) / Int64(numerator) * Int64(denominator)
    return MediaTime(value: unit, timescale: scale) * index
  }

  /// The frame slot nearest to `time`, halves up; nil where the time is no number.
  public func frameIndex(nearest time: MediaTime) -> Int64? {
    guard time.isNumeric else { return nil }
    let numerator = Int128(time.value) * Int128(self.numerator) * 2
    let denominator = Int128(time.timescale) * Int128(self.denominator)
    let doubled = numerator + denominator
    let quotient =
      doubled >= 0
      ? doubled / (denominator * 2) : -((-doubled + denominator * 2 - 1) / (denominator * 2))
    return Int64(exactly: quotient)
  }
}

extension FrameRate: Comparable {
  /// Orders by speed.
  public static func < (lhs: FrameRate, rhs: FrameRate) -> Bool {
    Int64(lhs.numerator) * Int64(rhs.denominator) < Int64(rhs.numerator) * Int64(lhs.denominator)
  }
}

extension FrameRate: LosslessStringConvertible {
  /// Reads `25`, `24000/1001`, and decimals: `23.976`, `23.98`, `29.97`, `59.94` mean the exact
  /// 1001-based rate; another decimal is taken as it is, to six places. Nil for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let top = Int32(parts[0]), let bottom = Int32(parts[1]) {
      self.init(top, bottom)
      return
    }
    if let whole = Int32(description), !description.hasPrefix("+") {
      self.init(whole)
      return
    }
    guard parts.count == 1, let value = Double(description), value.isFinite, value > 0,
      value <= 1000, description.allSatisfy({ $0.isNumber || $0 == "." })
    else { return nil }
    let nominal = value.rounded(.up)
    let ntsc = nominal * 1000 / 1001
    if value != nominal, [24, 30, 48, 60, 120].contains(nominal), (value - ntsc).magnitude < 0.0051
    {
      self.init(Int32(nominal) * 1000, 1001)
      return
    }
    self.init(Int32((value * 1_000_000).rounded()), 1_000_000)
  }

  /// The usual short name: `23.976`, `25`, `29.97`, or the fraction where there is none.
  public var description: String {
    if denominator == 1 { return "\(numerator)" }
    switch self {
    case .fps23_976: return "23.976"
    case .fps29_97: return "29.97"
    case .fps47_952: return "47.952"
    case .fps59_94: return "59.94"
    default: return "\(numerator)/\(denominator)"
    }
  }
}
