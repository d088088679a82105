import Foundation

/// What the environment requests for a test run.
package enum TestRun {
  /// True with `TEST_ALL=1`: the long variants and the slow tests run too.
  package static let isThorough = ProcessInfo.processInfo.environment["TEST_ALL"] == "1"
}
