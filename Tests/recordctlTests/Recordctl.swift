import Foundation
import MovieTools
import TestSupport
import Testing

/// A run of the real binary, with its output.
struct Recordctl {
  let status: Int32
  let output: String
  let errors: String

  /// The binary built with the tests.
  static let binary: URL = {
    // On Linux the tests are an executable beside recordctl.
    let tests = URL(filePath: CommandLine.arguments.first ?? "").standardized
    let beside = tests.deletingLastPathComponent().appending(path: "recordctl")
    if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    return Bundle.main.bundleURL.appending(path: "recordctl")
  }()

  /// `photo` with a slow sensor, because each frame is computed: this leaves processor time for the photo.
  static let photo = ["photo", "--device", "pattern:raw?rate=5", "--size", "640x480"]

  /// Runs the binary to its end.
  ///
  /// - Parameter input: What it reads on standard input.
  @discardableResult
  init(
    _ arguments: [String], input: URL? = nil, environment: [String: String] = [:],
    in workingFolder: URL? = nil
  ) throws {
    let process = Process()
    process.executableURL = Self.binary
    process.arguments = arguments
    if let workingFolder { process.currentDirectoryURL = workingFolder }
    // Keeps the user's own presets out of the tests.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_CONFIG_HOME": "/nonexistent"]) { $1 }
      .merging(environment) { $1 }
    process.standardInput =
      try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
    // Files instead of pipes, so nothing has to drain them while the process runs.
    let folder = try TemporaryFolder()
    let outputFile = try folder.emptyFile("stdout")
    let errorFile = try folder.emptyFile("stderr")
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    process.waitForExit()
    status = process.terminationReason == .exit ? process.terminationStatus : -1
    output = try String(contentsOf: outputFile, encoding: .utf8)
    errors = try String(contentsOf: errorFile, encoding: .utf8)
  }

  /// Starts the binary and returns while it runs; its output is discarded.
  static func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = binary
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Whether `verify` accepts a movie; calls the library that `verify` uses, without starting a process.
  static func isValid(_ path: String) throws -> Bool {
    try MovieVerifier(path: path).run().isValid
  }

  /// The size of a file in bytes; 0 if there is none.
  static func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  func json() throws -> Any {
    try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
  }

  /// A list of objects in the JSON output, by its key.
  func objects(_ key: String) throws -> [[String: Any]]? {
    (try json() as? [String: Any])?[key] as? [[String: Any]]
  }

  /// Checks that the command refused with one line that contains each of `words`.
  func expectRefusal(
    status wanted: Int32 = 2, naming words: String...,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(status == wanted, "\(errors)", sourceLocation: location)
    #expect(output.isEmpty, sourceLocation: location)
    let lines = errors.split(separator: "\n")
    #expect(lines.count == 1, "\(errors)", sourceLocation: location)
    #expect(errors.hasPrefix("recordctl: "), "\(errors)", sourceLocation: location)
    for word in words {
      #expect(errors.contains(word), "\(errors)", sourceLocation: location)
    }
  }
}
