import Foundation
import TestSupport
import Testing

/// The frames sent by the lab's feeder and camera, to identify a movie's frames.
struct KnownFrames {
  let width: Int
  let height: Int
  /// The Y, Cb and Cr planes of each frame, in 10-bit codes.
  private let frames: [[UInt16]]

  /// The number of frames after which they repeat.
  var period: Int { frames.count }

  /// The 10-bit frames of `lab-feed`.
  init(feeder size: (width: Int, height: Int), folder: TemporaryFolder) throws {
    try self.init(
      size, folder: folder, tool: "lab-feed", ["--fourcc", "Y210", "--frames", "84"],
      emit: "--emit", input: ["-f", "rawvideo", "-pix_fmt", "y210le", "-video_size"],
      hasSize: true)
  }

  /// The first JPEG frames of a `lab-usb` stream, decoded by libavcodec.
  init(camera size: (width: Int, height: Int), folder: TemporaryFolder) throws {
    try self.init(
      size, folder: folder, tool: "lab-usb", ["--frames", "60"], emit: "--emit-mjpeg",
      input: ["-f", "mjpeg"], hasSize: false)
  }

  private init(
    _ size: (width: Int, height: Int), folder: TemporaryFolder, tool: String, _ options: [String],
    emit: String, input: [String], hasSize: Bool
  ) throws {
    width = size.width
    height = size.height
    let dimensions = "\(width)x\(height)"
    let path = folder.path("known.raw")
    let made = try Command.run(
      "\(Lab.tools)/\(tool)", [emit, path, "--size", dimensions] + options)
    try #require(made.status == 0, "\(made.output)")
    let planar = folder.path("known.yuv")
    try Judges.ffmpeg(
      input + (hasSize ? [dimensions] : []) + [
        "-i", path, "-fps_mode", "passthrough", "-vf", "scale=out_range=tv,format=yuv422p10le",
        "-f", "rawvideo", planar,
      ])
    frames = try Self.frames(planar, samples: width * height * 2)
  }

  private static func frames(_ path: String, samples: Int) throws -> [[UInt16]] {
    let data = try Data(contentsOf: URL(filePath: path))
    return stride(from: 0, to: data.count - data.count % (samples * 2), by: samples * 2).map { at in
      data[at..<at + samples * 2].withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    }
  }

  /// The known frame that a movie's frame matches, and how well, in decibels.
  struct Match: CustomStringConvertible {
    let frame: Int
    let quality: Double
    var description: String { "\(frame) (\(quality) dB)" }
  }

  func matches(_ movie: String, folder: TemporaryFolder) throws -> [Match] {
    let raw = folder.path("decoded.yuv")
    try Judges.ffmpeg([
      "-i", movie, "-map", "0:v", "-fps_mode", "passthrough", "-pix_fmt", "yuv422p10le", "-f",
      "rawvideo", raw,
    ])
    return try Self.frames(raw, samples: width * height * 2).map { frame in
      // A few samples identify the frame; all of them determine the quality.
      let candidates = frames.indices.map { ($0, Self.error(frame, frames[$0], step: 211)) }
      let best = try #require(candidates.min { $0.1 < $1.1 }?.0)
      let error = Self.error(frame, frames[best], step: 1)
      return Match(frame: best, quality: 10 * log10(1023 * 1023 / max(error, 1e-6)))
    }
  }

  /// The mean squared error over every `step`th sample.
  private static func error(_ a: [UInt16], _ b: [UInt16], step: Int) -> Double {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        var sum = 0
        var count = 0
        var at = 0
        while at < a.count {
          let difference = Int(a[at]) - Int(b[at])
          sum += difference * difference
          count += 1
          at += step
        }
        return Double(sum) / Double(count)
      }
    }
  }
}
