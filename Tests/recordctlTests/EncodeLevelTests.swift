import Foundation
import TestSupport
import Testing

/// What becomes of white, black and colours of RGB, judged by ffmpeg's decoder.
@Suite(
  .serialized, .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct EncodeLevelTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Source: Sendable, CustomTestStringConvertible {
    var file: String
    var codec: String
    var layout: String
    var testDescription: String { "\(codec) \(layout) in \(file)" }
  }

  static let sources = [
    Source(file: "a.mov", codec: "png", layout: "rgb24"),
    Source(file: "a.mov", codec: "qtrle", layout: "rgb24"),
    Source(file: "a.mkv", codec: "ffv1", layout: "bgr0"),
    Source(file: "a.mkv", codec: "ffv1", layout: "gbrp10le"),
    Source(file: "a.mkv", codec: "ffv1", layout: "gbrp12le"),
    Source(file: "a.mp4", codec: "libx264rgb", layout: "rgb24"),
    Source(file: "a.avi", codec: "rawvideo", layout: "bgr24"),
    Source(file: "a.nut", codec: "rawvideo", layout: "rgb565le"),
    Source(file: "a.nut", codec: "rawvideo", layout: "gray"),
    Source(file: "a.dpx", codec: "dpx", layout: "gbrp10be"),
    Source(file: "a.dpx", codec: "dpx", layout: "rgb24"),
  ]

  @Test(arguments: sources)
  func white_and_black_of_rgb_are_those_of_video(_ source: Source) throws {
    let input = folder.path(source.file)
    // Left half white, right half black.
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "color=white:s=128x64:r=25:d=0.04,drawbox=x=64:w=64:h=64:c=black:t=fill",
      "-frames:v", "1", "-pix_fmt", source.layout, "-c:v", source.codec, input,
    ])
    for codec in ["hq", "4444"] where codec == "hq" || source.layout != "gray" {
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
      if source.layout != "gray" { #expect(stream["color_space"] == "bt709") }
    }
  }
}
