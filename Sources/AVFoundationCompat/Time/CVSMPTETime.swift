/// An address of a frame in hours, minutes, seconds and frames, as Core Video has it.
public struct CVSMPTETime: Sendable, Hashable {
  /// Parts of a frame.
  public var subframes: Int16
  /// Parts that a frame has.
  public var subframeDivisor: Int16
  /// Frames since the count began.
  public var counter: UInt32
  /// A ``CVSMPTETimeType``.
  public var type: UInt32
  /// ``CVSMPTETimeFlags``.
  public var flags: UInt32
  public var hours: Int16
  public var minutes: Int16
  public var seconds: Int16
  public var frames: Int16

  /// Zeros.
  public init() {
    self.init(
      subframes: 0, subframeDivisor: 0, counter: 0, type: 0, flags: 0, hours: 0, minutes: 0,
      seconds: 0, frames: 0)
  }

  /// An address from its parts.
  public init(
    subframes: Int16, subframeDivisor: Int16, counter: UInt32, type: UInt32, flags: UInt32,
    hours: Int16, minutes: Int16, seconds: Int16, frames: Int16
  ) {
    self.subframes = subframes
    self.subframeDivisor = subframeDivisor
    self.counter = counter
    self.type = type
    self.flags = flags
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
    self.frames = frames
  }
}

/// How many frames a second has; the numbers are Apple's.
public enum CVSMPTETimeType: UInt32, Sendable, Hashable, CaseIterable {
  case type24 = 0
  case type25 = 1
  case type30Drop = 2
  case type30 = 3
  case type2997 = 4
  case type2997Drop = 5
  case type60 = 6
  case type5994 = 7
}

/// What is known of an address; the numbers are Apple's.
public struct CVSMPTETimeFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32
  /// Flags from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The address is meant.
  public static let valid = CVSMPTETimeFlags(rawValue: 1)
  /// It is counted on.
  public static let running = CVSMPTETimeFlags(rawValue: 2)
}
