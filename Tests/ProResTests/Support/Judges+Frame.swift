import Foundation
import TestSupport

extension Judges {
  /// One frame of FFmpeg's test image, encoded.
  static func frame(
    encoder: String, size: String, format: String = "yuv422p10le", options: [String] = []
  ) throws -> [UInt8] {
    [UInt8](
      try ffmpeg(
        [
          "-f", "lavfi", "-i", "testsrc2=s=\(size),noise=alls=20", "-frames:v", "1", "-pix_fmt",
          format, "-threads", "1", "-c:v", encoder,
        ] + options + ["-f", "rawvideo", "pipe:1"]))
  }
}
