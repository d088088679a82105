/// A condition that counts once it has lasted: a fade to black is no fault, ten seconds of black are.
public enum SustainedCondition: Sendable, Hashable {
  /// It does not hold.
  case absent
  /// It holds since an instant, in seconds, and has not lasted yet.
  case suspected(since: Double)
  /// It has lasted, and holds.
  case present(since: Double)

  /// True once it has lasted.
  public var isPresent: Bool { if case .present = self { true } else { false } }

  /// Takes what is so now.
  ///
  /// - Parameters:
  ///   - holds: Whether it holds at that instant.
  ///   - seconds: The instant, on a clock that does not jump.
  ///   - least: For how long it must hold to count, in seconds.
  /// - Returns: True where it has just begun to count, false where it has just ended; else nil.
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
