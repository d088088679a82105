/// Core Video's SMPTE timecode: hours, minutes, seconds and frames.
public struct CVSMPTETime: Sendable, Hashable {
  /// The subframe number.
  public var subframes: Int16
  /// The number of subframes in a frame.
  public var subframeDivisor: Int16
  /// Frames since the start of the count.
  public var counter: UInt32
  /// A ``CVSMPTETimeType``.
  public var type: UInt32
  /// ``CVSMPTETimeFlags``.
  public var flags: UInt32
  public var hours: Int16
  public var minutes: Int16
  public var seconds: Int16
  public var frames: Int16

  /// All zeros.
  public init() {
    self.init(
      subframes: 0, subframeDivisor: 0, counter: 0, type: 0, flags: 0, hours: 0, minutes: 0,
      seconds: 0, frames: 0)
  }

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

/// The frame rate, with Apple's raw values.
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

/// Flags of a timecode, with Apple's raw values.
public struct CVSMPTETimeFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let valid = CVSMPTETimeFlags(rawValue: 1)
  /// The timecode is counting.
  public static let running = CVSMPTETimeFlags(rawValue: 2)
}
