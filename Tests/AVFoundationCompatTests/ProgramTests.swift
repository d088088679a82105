import Foundation
import TestSupport
import Testing

/// The programs in `Programs`: built with the tests in Swift 6 mode, and by the slow tests in Swift
/// 5 mode.
@Suite(.timeLimit(.minutes(10))) struct ProgramTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Programs")
  private static let products = URL(filePath: Bundle.main.bundlePath)

  /// The names by which the programs are run.
  private static func names() throws -> [String] {
    let list = try run(products.appending(path: "ported-programs"), [])
    try #require(list.status == 2)
    return list.output.split(separator: "\n").map(String.init)
  }

  private static func run(
    _ program: URL, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Command.Result {
    try Command.run(
      program.path, arguments,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
  }

  /// Runs all programs of an executable in turn, each with its own folder and library.
  private func runAll(_ program: URL) throws {
    let names = try Self.names()
    #expect(names.count == 21)
    for name in names {
      let folder = try TemporaryFolder()
      let result = try Self.run(
        program, [name, folder.url.path],
        environment: [
          "RECORDCTL_LIBRARY": folder.url("Library").path, "XDG_CONFIG_HOME": folder.url.path,
        ])
      #expect(result.status == 0, "\(name): \(result.output)\(result.errors)")
    }
  }

  @Test func the_ported_programs_run_successfully() throws {
    try runAll(Self.products.appending(path: "ported-programs"))
  }

  @Test(.tags(.slow), .enabled(if: TestRun.isThorough, "TEST_ALL is not set"))
  func the_programs_compile_and_run_in_swift_5_mode() throws {
    guard SwiftCompiler.isThere else { try Test.cancel("swiftc is not installed") }
    let folder = try TemporaryFolder()
    let program = folder.url("programs")
    let script = Self.folder.appending(path: "../../../scripts/compile-ported-programs")
    let result = try Self.run(
      script, ["5", program.path], environment: ["PRODUCTS": Self.products.path])
    try #require(result.status == 0, "\(result.output)\(result.errors)")
    try runAll(program)
  }
}
