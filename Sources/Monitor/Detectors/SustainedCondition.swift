/// A condition that must last to count: a fade to black is not a fault, ten seconds of black are.
public enum SustainedCondition: Sendable, Hashable {
  /// It does not hold.
  case absent
  /// It has held since an instant, in seconds, but not long enough.
  case suspected(since: Double)
  /// It has held long enough, since an instant in seconds.
  case present(since: Double)

  /// True if the condition has held long enough.
  public var isPresent: Bool { if case .present = self { true } else { false } }

  /// Updates the state.
  ///
  /// - Parameters:
  ///   - holds: Whether the condition holds at this instant.
  ///   - seconds: The instant, on a monotonic clock.
  ///   - least: How long the condition must hold to count, in seconds.
  /// - Returns: True when it has held long enough, false when it ends after that; otherwise nil.
  public mutating func update(_ holds: Bool, at seconds: Double, least: Double) -> Bool? {
    switch (self, holds) {
    case (.absent, true):
      self = .suspected(since: seconds)
      return update(true, at: seconds, least: least)
    case (.suspected(let since), true) where seconds - since >= least:
      self = .present(since: since)
      return true
    case (.suspected, false):
      self = .absent
      return nil
    case (.present, false):
      self = .absent
      return false
    case (.absent, false), (.suspected, true), (.present, true): return nil
    }
  }
}
