/// The pause before a retry in seconds, longer each time.
struct RetryPause {
  static let first = 5
  static let longest = 300

  private(set) var seconds = first

  /// Returns the current pause and lengthens the next one.
  mutating func take() -> Int {
    defer { seconds = min(seconds * 2, Self.longest) }
    return seconds
  }
}
