/// When a buffer of sound begins: on the clock of the host, in frames of its stream, or both.
public final class AVAudioTime: Sendable, Hashable {
  /// Nanoseconds of the host's clock; 0 where ``isHostTimeValid`` is false.
  public let hostTime: UInt64
  /// True where the time is on the host's clock.
  public let isHostTimeValid: Bool
  /// Frames from the stream's beginning; 0 where ``isSampleTimeValid`` is false.
  public let sampleTime: AVAudioFramePosition
  /// True where the time is in frames.
  public let isSampleTimeValid: Bool
  /// Frames a second; 0 where ``isSampleTimeValid`` is false.
  public let sampleRate: Double

  private init(_ hostTime: UInt64?, _ sampleTime: AVAudioFramePosition?, _ sampleRate: Double) {
    (self.hostTime, isHostTimeValid) = (hostTime ?? 0, hostTime != nil)
    (self.sampleTime, isSampleTimeValid) = (sampleTime ?? 0, sampleTime != nil)
    self.sampleRate = sampleRate
  }

  /// A time of the host's clock.
  public convenience init(hostTime: UInt64) { self.init(hostTime, nil, 0) }

  /// A time in frames.
  public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    self.init(nil, sampleTime, sampleRate)
  }

  /// A time of the host's clock that is one in frames, too.
  public convenience init(
    hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double
  ) { self.init(hostTime, sampleTime, sampleRate) }

  /// Seconds as the host's clock counts them: 0 for less than none.
  public static func hostTime(forSeconds seconds: Double) -> UInt64 {
    guard seconds > 0 else { return 0 }
    return UInt64(exactly: (seconds * 1e9).rounded()) ?? .max
  }

  /// A time of the host's clock in seconds.
  public static func seconds(forHostTime hostTime: UInt64) -> Double { Double(hostTime) / 1e9 }

  /// The time with what it lacks, from one that has both at the same rate.
  ///
  /// - Returns: Nil where the anchor has not both, the time has neither, the rates differ, or the result is no time.
  public func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
    let rate = anchorTime.sampleRate
    guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid, rate > 0 else { return nil }
    if isHostTimeValid, isSampleTimeValid { return self }
    if isSampleTimeValid {
      guard sampleRate == rate else { return nil }
      let seconds = (Double(sampleTime) - Double(anchorTime.sampleTime)) / rate
      let moved = Double(anchorTime.hostTime) + (seconds * 1e9).rounded()
      guard let host = UInt64(exactly: moved.rounded()) else { return nil }
      return AVAudioTime(hostTime: host, sampleTime: sampleTime, atRate: rate)
    }
    guard isHostTimeValid else { return nil }
    let seconds = (Double(hostTime) - Double(anchorTime.hostTime)) / 1e9
    let moved = Double(anchorTime.sampleTime) + seconds * rate
    guard let sample = Int64(exactly: moved.rounded()) else { return nil }
    return AVAudioTime(hostTime: hostTime, sampleTime: sample, atRate: rate)
  }

  /// True for the same time.
  public static func == (one: AVAudioTime, other: AVAudioTime) -> Bool {
    (one.hostTime, one.sampleTime, one.sampleRate, one.isHostTimeValid, one.isSampleTimeValid)
      == (
        other.hostTime, other.sampleTime, other.sampleRate, other.isHostTimeValid,
        other.isSampleTimeValid
      )
  }

  /// Feeds the time.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(hostTime)
    hasher.combine(sampleTime)
  }
}
