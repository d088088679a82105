import Foundation

/// How much of a long test to run.
enum Thoroughness {
  /// True where the environment asks for the long runs (`TEST_ALL=1`).
  static let isThorough = ProcessInfo.processInfo.environment["TEST_ALL"] == "1"
}
