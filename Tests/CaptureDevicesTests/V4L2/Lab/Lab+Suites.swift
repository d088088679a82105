import Foundation
import TestSupport
import Testing

/// Tests of real devices run in the lab's machine: a test on the host boots it with the test
/// program itself and the name of a suite, and only that suite runs inside.
extension Lab {
  /// Why tests are skipped.
  static var reason: Comment { Comment(rawValue: obstacle ?? "the lab can be booted") }

  /// Boots the machine and runs one suite of this test program in it.
  static func run(suite: String, _ options: [String] = []) async throws {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let command =
      ["--timeout", "240"] + options + [
        "--", program, "--testing-library", "swift-testing", "--filter", suite,
      ]
    let result = try await Command.runAside("\(folder)/lab-run", command)
    let output = result.output + result.errors
    let passed = output.contains("Test run with") && output.contains("passed")
    #expect(
      result.status == 0 && passed,
      "\(suite) in the lab ended with \(result.status):\n\(result.failures)")
  }
}
