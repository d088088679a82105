extension RecordingReport {
  /// The outcome of a recording, best first.
  public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Every frame that the device delivered is in the file exactly once.
    case complete
    /// The file is valid, but frames were dropped, repeated or damaged, audio was lost, someone
    /// else moved or deleted the file, or one of its two places was lost.
    case imperfect
    /// The file is valid, but ends early.
    case endedEarly
    /// A movie is incomplete or missing.
    case failed

    /// Orders outcomes from best to worst.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
      switch self {
      case .complete: 0
      case .imperfect: 1
      case .endedEarly: 2
      case .failed: 3
      }
    }
  }
}
