import Foundation
import Testing

/// The virtual machine with real kernel devices, and what tests need inside and outside of it.
///
/// A test of real devices runs in the machine: the host's test boots it with the test program
/// itself and the name of a suite; inside, that suite alone runs.
enum Lab {
  /// True inside the machine.
  static let isGuest = ProcessInfo.processInfo.environment["V4L2LAB_GUEST"] != nil

  static let folder: String = {
    var url = URL(filePath: #filePath)
    while url.path != "/" {
      url.deleteLastPathComponent()
      let lab = url.appending(path: "Lab").path
      if FileManager.default.isExecutableFile(atPath: lab + "/lab-run") { return lab }
    }
    return "Lab"
  }()

  static let cache =
    ProcessInfo.processInfo.environment["V4L2LAB_CACHE"] ?? "/var/tmp/v4l2lab"

  /// Why the machine cannot be booted here; nil where it can.
  static let obstacle: String? = {
    if isGuest { return "the lab's own guest boots no other" }
    if getuid() != 0 { return "the lab needs root: its guest reads the host's files" }
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let hasQEMU = paths.contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/qemu-system-x86_64")
    }
    if !hasQEMU { return "there is no QEMU: run Lab/lab-setup" }
    guard FileManager.default.fileExists(atPath: cache + "/kver") else {
      return "the lab has no kernel: run Lab/lab-setup"
    }
    return nil
  }()

  static var canBoot: Bool { obstacle == nil }
  static var reason: Comment { Comment(rawValue: obstacle ?? "the lab can be booted") }

  /// Boots the machine and runs one suite of this test program in it.
  static func run(suite: String, _ options: [String] = []) async throws {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let command =
      ["--timeout", "240"] + options + [
        "--", program, "--testing-library", "swift-testing", "--filter", suite,
      ]
    let result = try await Command.run("\(folder)/lab-run", command)
    let passed = result.output.contains("Test run with") && result.output.contains("passed")
    #expect(
      result.status == 0 && passed,
      "\(suite) in the lab ended with \(result.status):\n\(result.failures)")
  }
}

/// Runs other programs.
enum Command {
  struct Result: Sendable {
    var status: Int32
    var output: String

    /// The lines that say what went wrong, or else the last ones.
    var failures: String {
      let lines = output.split(separator: "\n")
      let marks = ["✘", "recorded an issue", "error:", "Fatal", "↳", "lab-run"]
      let telling = lines.filter { line in marks.contains { line.contains($0) } }
      return (telling.isEmpty ? lines.suffix(30) : telling.suffix(60)).joined(separator: "\n")
    }
  }

  /// Runs a program to its end, off the cooperative pool.
  static func run(_ program: String, _ arguments: [String]) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Swift.Result { try runBlocking(program, arguments) })
      }
    }
  }

  @discardableResult
  static func runBlocking(_ program: String, _ arguments: [String]) throws -> Result {
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
