/// Loudness by EBU R128 and ITU-R BS.1770: at this moment, and since a measurement began.
public struct Loudness: Sendable, Hashable, Codable {
  /// The loudness of the last 400 ms in LUFS; nil below -70.
  public var momentary: Double?
  /// The loudness of the last three seconds in LUFS; nil below -70.
  public var shortTerm: Double?
  /// The gated loudness since the measurement began in LUFS, without silence and passages far
  /// softer than the rest; nil while nothing else was heard.
  public var integrated: Double?
  /// The loudness range since the measurement began, in LU; nil for the first three seconds.
  public var range: Double?
  /// The largest true peak since the measurement began, in dBTP, including the signal between
  /// samples; nil for digital silence.
  public var truePeak: Double?
  /// The duration of the measurement in seconds.
  public var seconds: Double
  /// The number of channels measured, from the first: one, two as stereo, or six as 5.1 if there
  /// are exactly as many, otherwise the first two as stereo.
  public var channels: Int
  /// The number of the measured take; nil if the input is measured.
  public var take: Int?
  /// Audio frames lost before they were measured; nil for none.
  public var lostFrames: Int?

  public init(channels: Int, seconds: Double = 0) {
    self.channels = channels
    self.seconds = seconds
  }

  /// The number of programme channels among a device's channels.
  static func channels(of count: Int) -> Int { [1, 2, 6].contains(count) ? count : min(count, 2) }
}
