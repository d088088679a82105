import Foundation

/// A program outside this package that judges files.
struct Tool {
  /// What a program said.
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// True where the environment asks for the long runs (`TEST_ALL=1`).
  static let isThorough = ProcessInfo.processInfo.environment["TEST_ALL"] == "1"

  /// Runs a program found on the path, and waits for it.
  static func run(_ name: String, _ arguments: [String]) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardInput = FileHandle.nullDevice
    let folder = try TemporaryFolder()
    let (output, errors) = (folder.path("output"), folder.path("errors"))
    for path in [output, errors] { try Data().write(to: URL(fileURLWithPath: path)) }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: try String(contentsOfFile: output, encoding: .utf8),
      errors: try String(contentsOfFile: errors, encoding: .utf8))
  }

  /// Entries of a stream as ffprobe prints them: `codec_name=prores`, without order.
  static func probe(_ path: String, _ stream: String, _ entries: String) throws -> Set<String> {
    let result = try run(
      "ffprobe",
      [
        "-v", "quiet", "-select_streams", stream, "-show_entries", entries, "-of",
        "default=noprint_wrappers=1", path,
      ])
    return Set(lines(result.output))
  }

  /// What MediaInfo says about fields of a part of the file: `Video`, `%CodecID%|%Format%`.
  static func mediaInfo(_ path: String, _ part: String, _ fields: String) throws -> String {
    try run("mediainfo", ["--Inform=\(part);\(fields)", path]).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Decodes all of a movie and stops at the first fault; what was said, which should be nothing.
  static func strictDecode(_ path: String, _ options: [String] = []) throws -> String {
    let result = try run(
      "ffmpeg",
      ["-v", "error", "-xerror", "-err_detect", "explode", "-i", path] + options
        + ["-f", "null", "-"])
    return result.errors + (result.status == 0 ? "" : "status \(result.status)")
  }

  /// Frames of pictures that ffprobe finds in a file.
  static func videoFrameCount(_ path: String) throws -> Int {
    let result = try run(
      "ffprobe",
      [
        "-v", "quiet", "-select_streams", "v:0", "-count_packets", "-show_entries",
        "stream=nb_read_packets", "-of", "default=noprint_wrappers=1:nokey=1", path,
      ])
    return Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}

/// A folder that is gone when its last reference is.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "quicktime-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { path + "/" + name }
}
