import Foundation

/// What the environment asks of a run of the tests.
package enum TestRun {
  /// True with `TEST_ALL=1`: the long variants run too, and tests that must be slow.
  package static let isThorough = ProcessInfo.processInfo.environment["TEST_ALL"] == "1"
}
