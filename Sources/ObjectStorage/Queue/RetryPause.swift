/// Seconds until what failed is tried again, longer each time.
struct RetryPause {
  static let first = 5
  static let longest = 300

  private(set) var seconds = first

  /// The seconds to wait now; the next ones are more.
  mutating func take() -> Int {
    defer { seconds = min(seconds * 2, Self.longest) }
    return seconds
  }
}
