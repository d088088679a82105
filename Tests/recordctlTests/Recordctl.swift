import Foundation
import MovieTools
import TestSupport
import Testing

/// A run of the real binary, and what it said.
struct Recordctl {
  let status: Int32
  let output: String
  let errors: String

  /// The binary that was built with the tests.
  static let binary: URL = {
    // On Linux the tests are an executable of their own, beside recordctl.
    let tests = URL(filePath: CommandLine.arguments.first ?? "").standardized
    let beside = tests.deletingLastPathComponent().appending(path: "recordctl")
    if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    return Bundle.main.bundleURL.appending(path: "recordctl")
  }()

  /// `photo` with a sensor that leaves the processors time for the photo: each frame is computed.
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
    // The user's own presets stay out of the tests.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_CONFIG_HOME": "/nonexistent"]) { $1 }
      .merging(environment) { $1 }
    process.standardInput =
      try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
    // Files and not pipes: nobody has to empty them while the process runs.
    let folder = try TemporaryFolder()
    let outputFile = try folder.emptyFile("stdout")
    let errorFile = try folder.emptyFile("stderr")
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : -1
    output = try String(contentsOf: outputFile, encoding: .utf8)
    errors = try String(contentsOf: errorFile, encoding: .utf8)
  }

  /// Starts the binary and leaves it running; what it says is not kept.
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

  /// Whether `verify` accepts a movie, asked of the library that does its work: no process is started.
  static func isValid(_ path: String) throws -> Bool {
    try MovieVerifier(path: path).run().isValid
  }

  /// The bytes of a file; 0 where there is none.
  static func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// The output as JSON.
  func json() throws -> Any {
    try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
  }

  /// A list of objects in the output, by its key.
  func objects(_ key: String) throws -> [[String: Any]]? {
    (try json() as? [String: Any])?[key] as? [[String: Any]]
  }

  /// Checks that the command refused in one line that names each of `words`.
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
