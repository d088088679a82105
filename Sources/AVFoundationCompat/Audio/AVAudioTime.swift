/// When an audio buffer begins: on the host clock, in frames of its stream, or both.
public final class AVAudioTime: Sendable, Hashable {
  /// Nanoseconds on the host clock; 0 if ``isHostTimeValid`` is false.
  public let hostTime: UInt64
  /// True if the time has a host clock value.
  public let isHostTimeValid: Bool
  /// Frames since the stream began; 0 if ``isSampleTimeValid`` is false.
  public let sampleTime: AVAudioFramePosition
  /// True if the time has a frame count.
  public let isSampleTimeValid: Bool
  /// Frames per second; 0 if ``isSampleTimeValid`` is false.
  public let sampleRate: Double

  private init(_ hostTime: UInt64?, _ sampleTime: AVAudioFramePosition?, _ sampleRate: Double) {
    (self.hostTime, isHostTimeValid) = (hostTime ?? 0, hostTime != nil)
    (self.sampleTime, isSampleTimeValid) = (sampleTime ?? 0, sampleTime != nil)
    self.sampleRate = sampleRate
  }

  /// A time on the host clock.
  public convenience init(hostTime: UInt64) { self.init(hostTime, nil, 0) }

  /// A time in frames.
  public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    self.init(nil, sampleTime, sampleRate)
  }

  /// A time on the host clock and in frames.
  public convenience init(
    hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double
  ) { self.init(hostTime, sampleTime, sampleRate) }

  /// Converts seconds to host clock units; 0 for negative seconds.
  public static func hostTime(forSeconds seconds: Double) -> UInt64 {
    guard seconds > 0 else { return 0 }
    return UInt64(exactly: (seconds * 1e9).rounded()) ?? .max
  }

  /// Converts a host clock time to seconds.
  public static func seconds(forHostTime hostTime: UInt64) -> Double { Double(hostTime) / 1e9 }

  /// The time with its missing value filled in from an anchor that has both values at the same rate.
  ///
  /// - Returns: Nil if the anchor lacks a value, this time has neither, the rates differ, or the result is out of
  ///   range.
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

  /// Hashes the host time and the frame count.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(hostTime)
    hasher.combine(sampleTime)
  }
}
