import Foundation
import Testing

/// Programs of others that judge our files.
enum Judges {
  static let arePresent = ["ffmpeg", "ffprobe", "mediainfo"].allSatisfy { find($0) != nil }

  static func find(_ name: String) -> URL? {
    if name.hasPrefix("/") { return URL(filePath: name) }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    return folders.map { URL(filePath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Runs a judge; its standard output and standard error.
  static func run(_ name: String, _ arguments: [String]) throws -> (output: String, errors: String)
  {
    let process = Process()
    let binary: URL = try #require(find(name))
    process.executableURL = binary
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let folder = try TemporaryFolder()
    let output = try folder.emptyFile("output")
    let errors = try folder.emptyFile("errors")
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return (
      String(decoding: try Data(contentsOf: output), as: UTF8.self),
      String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    )
  }

  /// Makes something with ffmpeg.
  static func ffmpeg(_ arguments: [String]) throws {
    let (_, errors) = try run("ffmpeg", ["-v", "error", "-y"] + arguments)
    #expect(errors.isEmpty, "ffmpeg: \(errors)")
  }

  /// What ffprobe says of the first stream of pictures.
  static func videoStream(_ path: String) throws -> [String: String] {
    try stream(path, "v:0")
  }

  /// What ffprobe says of a stream.
  static func stream(_ path: String, _ selection: String) throws -> [String: String] {
    let (output, _) = try run(
      "ffprobe",
      ["-v", "error", "-select_streams", selection, "-show_streams", "-of", "default=nw=1", path])
    return pairs(output)
  }

  /// What ffprobe says of the first decoded picture.
  static func firstFrame(_ path: String) throws -> [String: String] {
    let (output, _) = try run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-read_intervals", "%+#1", "-show_frames", "-of",
        "default=nw=1", path,
      ])
    return pairs(output)
  }

  /// The first frame's timecode by ffprobe.
  static func timecode(_ path: String) throws -> String? {
    try videoStream(path)["TAG:timecode"]
  }

  /// What a strict decode complains about; empty where it has not a word to say.
  static func strictComplaints(_ path: String, of judge: String = "ffmpeg") throws -> String {
    let (_, errors) = try run(
      judge,
      ["-v", "error", "-xerror", "-err_detect", "explode", "-i", path, "-f", "null", "-"])
    return errors
  }

  /// The different values that ffprobe finds of a fact over all decoded pictures.
  static func frameValues(_ path: String, _ key: String) throws -> Set<String> {
    let (output, _) = try run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=\(key)", "-of",
        "default=nw=1:nk=1", path,
      ])
    return Set(output.split(separator: "\n").map(String.init))
  }

  /// One fact by MediaInfo, such as `Video;%Format%`.
  static func mediaInfo(_ path: String, _ fact: String) throws -> String {
    try run("mediainfo", ["--Inform=\(fact)", path]).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func pairs(_ text: String) -> [String: String] {
    var result: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2, result[String(parts[0])] == nil {
        result[String(parts[0])] = String(parts[1])
      }
    }
    return result
  }
}
