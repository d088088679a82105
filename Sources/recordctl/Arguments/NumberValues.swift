import ArgumentParser

// Numbers of the command line. A negative one is a value like any other, and is refused by its meaning.

extension Int {
  /// Reads whole numbers of a range.
  static func argument(in range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
    { text in
      let span = "an integer from \(range.lowerBound) to \(range.upperBound)"
      guard let number = Int(text) else {
        throw ValidationError("invalid number '\(text)'; write \(span)")
      }
      try check(text, number < range.lowerBound && range.lowerBound == 1, range ~= number, span)
      return number
    }
  }
}

extension Double {
  /// Reads numbers of a range.
  static func argument(in range: ClosedRange<Double>) -> @Sendable (String) throws -> Double {
    { text in
      let span = "a number from \(short(range.lowerBound)) to \(short(range.upperBound))"
      guard let number = Double(text), number.isFinite else {
        throw ValidationError("invalid number '\(text)'; write \(span)")
      }
      try check(text, number <= 0 && range.lowerBound > 0, range ~= number, span)
      return number
    }
  }

  private static func short(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}

/// Refuses a number that is out of its range.
private func check(
  _ text: String, _ mustBePositive: Bool, _ isInRange: Bool, _ span: String
) throws {
  guard !mustBePositive else { throw ValidationError("'\(text)' must be positive; write \(span)") }
  guard isInRange else { throw ValidationError("'\(text)' is out of range; write \(span)") }
}
