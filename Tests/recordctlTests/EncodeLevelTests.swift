import Foundation
import TestSupport
import Testing

/// What becomes of white and black of full range, judged by ffmpeg's decoder.
@Suite(
  .tags(.judges), .serialized,
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct EncodeLevelTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Source: Sendable, CustomTestStringConvertible {
    var file: String
    var codec: String
    var layout: String
    /// The layout, and its highest code, in which the picture is drawn: one from which ffmpeg comes
    /// to `layout` without loss.
    var drawn: (layout: String, white: Int)
    var isRGB: Bool { layout.contains("rgb") || layout.contains("gbr") || layout.contains("bgr") }
    var testDescription: String { "\(codec) \(layout) in \(file)" }

    init(
      _ file: String, _ codec: String, _ layout: String, drawn: String = "gbrp", _ white: Int = 255
    ) {
      self.file = file
      self.codec = codec
      self.layout = layout
      self.drawn = (drawn, white)
    }

    /// Left half white, right half black.
    var picture: String {
      let code = "'if(lt(X,64),\(drawn.white),0)'"
      let codes =
        isRGB
        ? "r=\(code):g=\(code):b=\(code)"
        : layout.hasPrefix("gray")
          ? "lum=\(code)" : "lum=\(code):cb=\((drawn.white + 1) / 2):cr=\((drawn.white + 1) / 2)"
      return "color=black:s=128x64:r=25:d=0.04,format=\(drawn.layout),geq=\(codes)"
    }
  }

  static let sources = [
    Source("a.mov", "png", "rgb24"),
    Source("a.mov", "qtrle", "rgb24"),
    Source("a.mkv", "ffv1", "bgr0"),
    Source("a.mkv", "ffv1", "gbrp10le", drawn: "gbrp10le", 1023),
    Source("a.mkv", "ffv1", "gbrp12le", drawn: "gbrp12le", 4095),
    Source("a.mp4", "libx264rgb", "rgb24"),
    Source("a.avi", "rawvideo", "bgr24"),
    Source("a.nut", "rawvideo", "rgb565le"),
    Source("a.dpx", "dpx", "gbrp10be", drawn: "gbrp10le", 1023),
    Source("a.dpx", "dpx", "rgb24"),
    Source("a.nut", "rawvideo", "gray", drawn: "gray"),
    Source("a.mkv", "ffv1", "gray10le", drawn: "gray10le", 1023),
    Source("a.mkv", "ffv1", "gray16le", drawn: "gray16le", 65_535),
    Source("a.mkv", "ffv1", "yuv422p", drawn: "yuv422p"),
    Source("a.mkv", "ffv1", "yuv420p10le", drawn: "yuv420p10le", 1023),
    Source("a.mkv", "ffv1", "yuv444p12le", drawn: "yuv444p12le", 4095),
    Source("a.mov", "mjpeg", "yuvj420p", drawn: "yuvj420p"),
  ]

  @Test(arguments: sources)
  func white_and_black_of_full_range_are_those_of_video(_ source: Source) throws {
    let input = folder.path(source.file)
    try Judges.ffmpeg(
      ["-f", "lavfi", "-i", source.picture, "-frames:v", "1", "-pix_fmt", source.layout]
        + (source.isRGB || source.layout.hasPrefix("gray") ? [] : ["-color_range", "pc"])
        + ["-c:v", source.codec, input])
    for codec in source.isRGB ? ["hq", "4444"] : ["hq"] {
      let output = folder.path("\(codec).mov")
      let run = try Recordctl(["encode", input, "-o", output, "--codec", codec])
      #expect(run.status == 0, "\(run.errors)")
      let layout = codec == "hq" ? "yuv422p10le" : "yuv444p10le"
      let raw = folder.path("raw")
      try Judges.ffmpeg(["-i", output, "-f", "rawvideo", "-pix_fmt", layout, raw])
      let bytes = try Data(contentsOf: URL(filePath: raw))
      let words = bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
      #expect(words[32 * 128 + 20] == 940 && words[32 * 128 + 100] == 64)
      let chroma = words[(128 * 64)...]
      #expect(chroma.allSatisfy { (511...513).contains($0) })
      let stream = try Judges.videoStream(output)
      #expect(stream["color_space"] != "gbr")
      if source.isRGB { #expect(stream["color_space"] == "bt709") }
    }
  }
}
