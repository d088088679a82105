package import Foundation

package enum Command {
  package struct Result: Sendable {
    package var status: Int32
    /// Standard output.
    package var data: Data
    /// Standard error.
    package var errors: String

    package var output: String { String(decoding: data, as: UTF8.self) }

    /// The lines that report failures, or the last lines if there are none.
    package var failures: String {
      let lines = (output + errors).split(separator: "\n")
      let marks = ["✘", "recorded an issue", "error:", "Fatal", "↳", "lab-run"]
      let telling = lines.filter { line in marks.contains { line.contains($0) } }
      return (telling.isEmpty ? lines.suffix(30) : telling.suffix(60)).joined(separator: "\n")
    }
  }

  /// Runs a program to its end. Blocks the thread.
  ///
  /// - Parameters:
  ///   - program: A path, or a name that is looked up in `PATH`.
  ///   - input: The program's standard input.
  ///   - environment: Its environment; nil for the test's own.
  ///   - limit: Seconds after which it is killed; its status is then 9.
  @discardableResult
  package static func run(
    _ program: String, _ arguments: [String], input: Data = Data(),
    environment: [String: String]? = nil, in workingFolder: URL? = nil, limit: Double = 600
  ) throws -> Result {
    let process = Process()
    let isPath = program.hasPrefix("/")
    process.executableURL = URL(filePath: isPath ? program : "/usr/bin/env")
    process.arguments = isPath ? arguments : [program] + arguments
    if let environment { process.environment = environment }
    if let workingFolder { process.currentDirectoryURL = workingFolder }
    // Files instead of pipes, because nobody has to empty them while the program runs.
    let folder = try TemporaryFolder()
    process.standardInput = try FileHandle(
      forReadingFrom: folder.write([UInt8](input), "input"))
    process.standardOutput = try FileHandle(forWritingTo: folder.emptyFile("output"))
    process.standardError = try FileHandle(forWritingTo: folder.emptyFile("errors"))
    try withSignalsUnblocked { try process.run() }
    // The work item stays queued until its time even if it is canceled, so it must not hold the
    // process and its files.
    let number = process.processIdentifier
    let killer = DispatchWorkItem { kill(number, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: killer)
    process.waitForExit()
    killer.cancel()
    return Result(
      status: process.terminationStatus, data: try Data(contentsOf: folder.url("output")),
      errors: String(decoding: try Data(contentsOf: folder.url("errors")), as: UTF8.self))
  }

  /// Like ``run(_:_:input:environment:in:limit:)``, but off the cooperative pool.
  package static func runAside(
    _ program: String, _ arguments: [String], limit: Double = 600
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Swift.Result { try run(program, arguments, limit: limit) })
      }
    }
  }

  /// Tests run on threads that block all signals. A child inherits that and could not be ended.
  package static func withSignalsUnblocked(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }
}
