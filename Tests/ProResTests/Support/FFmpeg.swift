import Foundation

/// FFmpeg's command as a second opinion; tests that need it are skipped where it is missing.
enum FFmpeg {
  static let isAvailable = FileManager.default.isExecutableFile(atPath: path)
  private static let path = "/usr/bin/ffmpeg"

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func run(_ arguments: [String]) throws -> CommandRun.Output {
    try CommandRun.run(path, ["-hide_banner", "-nostdin", "-v", "error"] + arguments)
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
    return [UInt8](output.standardOutput)
  }
}
