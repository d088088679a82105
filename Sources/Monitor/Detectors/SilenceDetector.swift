public import MediaCore

/// Tells sound that is silent on every channel.
public struct SilenceDetector: Sendable, Hashable {
  /// The loudest peak that counts as silence, in dBFS.
  public var threshold = -60.0
  /// Seconds of silence that count.
  public var least = 10.0
  /// What was found.
  public private(set) var condition = SustainedCondition.absent

  /// A detector that has heard nothing.
  public init() {}

  /// Takes the levels of a stretch of sound; without channels there is nothing to be silent.
  ///
  /// - Parameters:
  ///   - levels: Those of each channel.
  ///   - seconds: When it ended.
  /// - Returns: True where silence has just begun to count, false where it has just ended; else nil.
  public mutating func observe(_ levels: [LevelMeter.Level], at seconds: Double) -> Bool? {
    let isSilent =
      !levels.isEmpty && levels.allSatisfy { $0.peak.map { $0 < threshold } ?? true }
    return condition.update(isSilent, at: seconds, least: least)
  }
}
