import Foundation

/// FFmpeg's command as a second opinion; tests that need it are skipped where it is missing.
enum FFmpeg {
  static let isAvailable = FileManager.default.isExecutableFile(atPath: path)
  private static let path = "/usr/bin/ffmpeg"

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Output {
    let standardOutput: [UInt8]
    let standardError: String
    let status: Int32
  }

  static func run(_ arguments: [String], input: [UInt8] = []) throws -> Output {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-hide_banner", "-nostdin", "-v", "error"] + arguments
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ProResTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["input", "output", "error"].map { folder.appendingPathComponent($0) }
    try Data(input).write(to: files[0])
    for file in files.dropFirst() { try Data().write(to: file) }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()
    return Output(
      standardOutput: [UInt8](try Data(contentsOf: files[1])),
      standardError: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self),
      status: process.terminationStatus)
  }

  /// One frame of FFmpeg's test picture, encoded.
  static func frame(
    encoder: String, size: String, format: String = "yuv422p10le", options: [String] = []
  ) throws -> [UInt8] {
    let output = try run(
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(size),noise=alls=20", "-frames:v", "1", "-pix_fmt",
        format,
      ]
        + ["-threads", "1", "-c:v", encoder] + options + ["-f", "rawvideo", "pipe:1"])
    guard output.status == 0 else { throw Failure(description: output.standardError) }
    return output.standardOutput
  }
}
