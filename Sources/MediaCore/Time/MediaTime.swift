/// An exact point or span on a media timeline: `value / timescale` seconds.
///
/// The semantics are those of Core Media's `CMTime`: a result is exact wherever it can be
/// represented, and carries ``Flags/hasBeenRounded`` where it cannot. Infinity, indefinite and
/// invalid times propagate through arithmetic instead of trapping.
public struct MediaTime: Sendable {
  /// Properties of a time beyond its number.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// The bits, numbered as in `CMTimeFlags`.
    public let rawValue: UInt32
    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The time is meant; without it every other field is meaningless.
    public static let valid = Flags(rawValue: 1)
    /// Some computation behind this time lost precision.
    public static let hasBeenRounded = Flags(rawValue: 2)
    /// Later than every number.
    public static let positiveInfinity = Flags(rawValue: 4)
    /// Earlier than every number.
    public static let negativeInfinity = Flags(rawValue: 8)
    /// Not known, as the duration of a live stream.
    public static let indefinite = Flags(rawValue: 16)
  }

  /// The numerator, in units of `1 / timescale` seconds.
  public var value: Int64
  /// Units a second, greater than zero for a numeric time; another number makes that invalid.
  public var timescale: Int32 {
    didSet { self = MediaTime(value: value, timescale: timescale, flags: flags, epoch: epoch) }
  }
  /// Validity, infinity, rounding.
  public private(set) var flags: Flags
  /// The timeline that the time belongs to; times of different epochs do not compare as numbers.
  public let epoch: Int64

  /// A time from all of its fields; invalid where the flags claim a number and `timescale` is not
  /// positive.
  public init(value: Int64, timescale: Int32, flags: Flags, epoch: Int64) {
    let special: Flags = [.positiveInfinity, .negativeInfinity, .indefinite]
    self.value = value
    self.timescale = timescale
    self.flags = timescale > 0 || !flags.isDisjoint(with: special) ? flags : []
    self.epoch = epoch
  }

  /// A numeric time; invalid where `timescale` is not positive.
  public init(value: Int64, timescale: Int32) {
    self.init(
      value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
  }

  /// The nearest time to `seconds` at a time scale, halves away from zero; flagged as rounded
  /// where `seconds` is no multiple. The scale is halved until the number fits. Invalid for NaN,
  /// infinite where whole seconds do not fit.
  public init(seconds: Double, preferredTimescale timescale: Int32) {
    guard timescale > 0, !seconds.isNaN else {
      self = .invalid
      return
    }
    var timescale = timescale
    while timescale > 0 {
      let scaled = seconds * Double(timescale)
      let rounded = scaled.rounded(.toNearestOrAwayFromZero)
      if let value = Int64(exactly: rounded) {
        self.init(
          value: value, timescale: timescale,
          flags: rounded == scaled ? .valid : [.valid, .hasBeenRounded], epoch: 0)
        return
      }
      timescale /= 2
    }
    self = seconds > 0 ? .positiveInfinity : .negativeInfinity
  }

  /// Not a time at all.
  public static let invalid = MediaTime(value: 0, timescale: 0, flags: [], epoch: 0)
  /// A time that is not known.
  public static let indefinite = MediaTime(
    value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// Later than every number.
  public static let positiveInfinity = MediaTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// Earlier than every number.
  public static let negativeInfinity = MediaTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
  /// Zero seconds.
  public static let zero = MediaTime(value: 0, timescale: 1)

  /// True for everything but ``invalid``.
  public var isValid: Bool { flags.contains(.valid) }
  /// True for ``indefinite``.
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  /// True for ``positiveInfinity``.
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  /// True for ``negativeInfinity``.
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  /// True where the time is a number.
  public var isNumeric: Bool {
    flags.intersection([.valid, .positiveInfinity, .negativeInfinity, .indefinite]) == .valid
  }
  /// True where some computation behind this time lost precision.
  public var hasBeenRounded: Bool { isValid && flags.contains(.hasBeenRounded) }

  /// The time in seconds, as near as a `Double` holds it; NaN where it is not a number or infinity.
  public var seconds: Double {
    if isNumeric { return Double(value) / Double(timescale) }
    if isPositiveInfinity { return .infinity }
    if isNegativeInfinity { return -.infinity }
    return .nan
  }

  /// The time in nanoseconds, halves away from zero; nil where it is no number or does not fit.
  public var nanoseconds: Int64? {
    let scaled = converted(toTimescale: 1_000_000_000, rounding: .roundHalfAwayFromZero)
    return scaled.isNumeric ? scaled.value : nil
  }
}
