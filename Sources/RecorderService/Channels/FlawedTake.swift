import RecorderControl
public import TakeReports

/// A take that did not end as it was to.
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
  /// Why it ended, and which of its copies were lost, as text; missing if neither applies.
  public var message: String?

  /// - Returns: nil where the take is as it was to be.
  init?(_ take: RecorderEvent.FinishedTake) {
    guard take.outcome != .complete else { return nil }
    path = take.path
    (outcome, message) = (take.outcome, take.message)
    (dropped, repeated, damaged) = (take.dropped, take.repeated, take.damaged)
  }

  /// A take whose recorder has ended in it: nobody counts its frames any more.
  init(lost path: String, _ message: String) {
    self.path = path
    (outcome, self.message) = (.failed, message)
    (dropped, repeated, damaged) = (0, 0, 0)
  }
}
