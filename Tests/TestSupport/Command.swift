import Foundation

/// Runs other programs.
package enum Command {
  package struct Result: Sendable {
    package var status: Int32
    package var output: String

    /// The lines that say what went wrong, or else the last ones.
    package var failures: String {
      let lines = output.split(separator: "\n")
      let marks = ["✘", "recorded an issue", "error:", "Fatal", "↳", "lab-run"]
      let telling = lines.filter { line in marks.contains { line.contains($0) } }
      return (telling.isEmpty ? lines.suffix(30) : telling.suffix(60)).joined(separator: "\n")
    }
  }

  /// Runs a program to its end, off the cooperative pool.
  package static func run(_ program: String, _ arguments: [String]) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Swift.Result { try runBlocking(program, arguments) })
      }
    }
  }

  @discardableResult
  package static func runBlocking(_ program: String, _ arguments: [String]) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }
}
