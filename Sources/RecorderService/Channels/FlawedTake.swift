import RecorderControl
public import TakeReports

/// A take that did not end as intended.
public struct FlawedTake: Sendable, Hashable, Codable {
  /// The movie's path.
  public var path: String
  public var outcome: RecordingReport.Outcome
  /// Frames that are missing.
  public var dropped: Int
  /// Frames that are repeated.
  public var repeated: Int
  /// Frames that are damaged.
  public var damaged: Int
  /// Why it ended and which copies were lost, in words; missing if there is nothing to say.
  public var message: String?

  /// - Returns: nil for a take without flaws.
  init?(_ take: RecorderEvent.FinishedTake) {
    guard take.outcome != .complete else { return nil }
    path = take.path
    (outcome, message) = (take.outcome, take.message)
    (dropped, repeated, damaged) = (take.dropped, take.repeated, take.damaged)
  }

  /// A take whose recorder died during it. Its dropped frames are unknown.
  init(lost path: String, _ message: String) {
    self.path = path
    (outcome, self.message) = (.failed, message)
    (dropped, repeated, damaged) = (0, 0, 0)
  }
}
