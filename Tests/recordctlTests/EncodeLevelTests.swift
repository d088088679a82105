import Foundation
import TestSupport
import Testing

/// What becomes of full-range white and black, checked with ffmpeg's decoder.
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
    /// The layout in which the frame is drawn, and its highest code; ffmpeg converts from this layout to `layout`
    /// without loss.
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

    var frame: String {
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

  /// All sources in one run of each program, because most of the time of a run is its start.
  @Test func full_range_white_and_black_are_converted_to_video_range() throws {
    let inputs = Self.sources.enumerated().map { folder.path("\($0)\($1.file.dropFirst())") }
    var making = Self.sources.flatMap { ["-f", "lavfi", "-i", $0.frame] }
    for (index, source) in Self.sources.enumerated() {
      making += ["-map", "\(index)", "-frames:v", "1", "-pix_fmt", source.layout]
      if !source.isRGB, !source.layout.hasPrefix("gray") { making += ["-color_range", "pc"] }
      making += ["-c:v", source.codec, inputs[index]]
    }
    try Judges.ffmpeg(making)
    for (codec, layout) in [("hq", "yuv422p10le"), ("4444", "yuv444p10le")] {
      let chosen = zip(Self.sources, inputs).filter { codec == "hq" || $0.0.isRGB }
      let run = try Recordctl(
        ["encode"] + chosen.map(\.1) + ["--output-folder", folder.path(codec), "--codec", codec])
      #expect(run.status == 0, "\(run.errors)")
      let outputs = chosen.map { input in
        folder.path(codec) + "/"
          + URL(filePath: input.1).deletingPathExtension().lastPathComponent + ".mov"
      }
      let matrices = try Judges.run(
        "mediainfo", ["--Inform=Video;%matrix_coefficients%\\n"] + outputs
      ).output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      try #require(matrices.count >= chosen.count)
      var reading = outputs.flatMap { ["-i", $0] }
      for index in outputs.indices {
        reading += ["-map", "\(index)", "-f", "rawvideo", "-pix_fmt", layout]
        reading.append(folder.path("\(index).raw"))
      }
      try Judges.ffmpeg(reading)
      for (index, made) in chosen.enumerated() {
        try check(URL(filePath: folder.path("\(index).raw")), of: made.0)
        if made.0.isRGB {
          #expect(matrices[index] == "BT.709", "\(made.0)")
        } else {
          #expect(matrices[index] != "Identity", "\(made.0)")
        }
      }
    }
  }

  private func check(_ raw: URL, of source: Source) throws {
    let words = Judges.words(try Data(contentsOf: raw), as: UInt16.self)
    try #require(words.count >= 128 * 64 * 2)
    #expect(words[32 * 128 + 20] == 940 && words[32 * 128 + 100] == 64, "\(source)")
    let chroma = words[(128 * 64)...]
    #expect(chroma.allSatisfy { (511...513).contains($0) }, "\(source)")
  }
}
