/// Loudness by EBU R128 and ITU-R BS.1770: of this moment, and of all since a measurement began.
public struct Loudness: Sendable, Hashable, Codable {
  /// The loudness of the last 400 ms in LUFS; nil below -70.
  public var momentary: Double?
  /// The loudness of the last three seconds in LUFS; nil below -70.
  public var shortTerm: Double?
  /// The loudness since the measurement began in LUFS, what is silent or far softer than the rest left
  /// out; nil while all is.
  public var integrated: Double?
  /// The loudness range since the measurement began, in LU; nil for the first three seconds.
  public var range: Double?
  /// The largest true peak since the measurement began, in dBTP: of the signal between the samples, too.
  /// Nil for digital silence.
  public var truePeak: Double?
  /// Seconds of sound since the measurement began.
  public var seconds: Double
  /// Channels that are measured, from the first one on: one, two as stereo or six as 5.1 where there are so
  /// many, else the first two as stereo.
  public var channels: Int
  /// The number of the take that is measured; nil where the measurement is of the input.
  public var take: Int?
  /// Frames of sound that were lost on the way to the measurement; nil for none.
  public var lostFrames: Int?

  /// A measurement that has heard nothing.
  public init(channels: Int, seconds: Double = 0) {
    self.channels = channels
    self.seconds = seconds
  }

  /// The channels of a programme among those that a device has.
  static func channels(of count: Int) -> Int { [1, 2, 6].contains(count) ? count : min(count, 2) }
}
