import Foundation

/// What the environment requests for a test run.
package enum TestRun {
  /// True with `TEST_ALL=1`: the long variants and the slow tests run too.
  package static let isThorough = ProcessInfo.processInfo.environment["TEST_ALL"] == "1"
  /// True with `LAB=1`, as in continuous integration, or `TEST_ALL=1`: tests that take minutes run too.
  package static let isExtended =
    isThorough || ProcessInfo.processInfo.environment["LAB"] == "1"

  /// A test's arguments: representative ones, and more in the extended run.
  package static func arguments<Value>(_ always: [Value], extended more: [Value]) -> [Value] {
    isExtended ? always + more : always
  }
}
