import Foundation

/// A folder of a test's own, gone with it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "asset-reader-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }
}

/// The ffmpeg command: maker of the tests' files, and their judge.
enum FFmpegTool {
  struct Failure: Error, CustomStringConvertible { var description: String }

  static let path = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  static var isPresent: Bool { path != nil }

  /// Runs ffmpeg and returns its standard output.
  @discardableResult
  static func run(_ arguments: [String]) throws -> [UInt8] {
    guard let path else { throw Failure(description: "there is no ffmpeg") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-nostdin", "-v", "error", "-y"] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "ffmpeg \(arguments.joined(separator: " ")) failed")
    }
    return [UInt8](data)
  }

  /// Runs ffmpeg with arguments in one line.
  @discardableResult
  static func run(_ line: String) throws -> [UInt8] {
    try run(line.split(separator: " ").map(String.init))
  }

  /// True where ffmpeg, told to take everything ill, has a word to say about a file.
  static func complains(about file: String) throws -> Bool {
    guard let path else { throw Failure(description: "there is no ffmpeg") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [
      "-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", "-i", file, "-f", "null", "-",
    ]
    let words = Pipe()
    process.standardError = words
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let data = words.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus != 0 || !data.isEmpty
  }
}
