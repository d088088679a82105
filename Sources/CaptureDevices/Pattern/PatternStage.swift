import Synchronization

/// Where patterns and tones that play together find each other: the generators of one catalogue
/// share a stage.
final class PatternStage: Sendable {
  private struct Latest { weak var conductor: PatternConductor? }
  private let latest = Mutex(Latest())

  /// The pattern that was opened last; nil where there is none any more.
  var conductor: PatternConductor? { latest.withLock { $0.conductor } }

  /// A pattern was opened.
  func enter(_ conductor: PatternConductor) { latest.withLock { $0.conductor = conductor } }
}
