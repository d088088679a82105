public import MediaCore

/// Detects silence on all channels.
public struct SilenceDetector: Sendable, Hashable {
  /// The peak below which a channel counts as silent, in dBFS.
  public var threshold = -60.0
  /// The minimum duration of silence, in seconds.
  public var least = 10.0
  public private(set) var condition = SustainedCondition.absent

  public init() {}

  /// Evaluates the levels of a run of audio. Without channels, there is no silence.
  ///
  /// - Parameters:
  ///   - levels: The level of each channel.
  ///   - seconds: When the run ended.
  /// - Returns: True when silence has lasted long enough, false when it ends after that; otherwise
  ///   nil.
  public mutating func observe(_ levels: [LevelMeter.Level], at seconds: Double) -> Bool? {
    let isSilent =
      !levels.isEmpty && levels.allSatisfy { $0.peak.map { $0 < threshold } ?? true }
    return condition.update(isSilent, at: seconds, least: least)
  }
}
