import Foundation
import TestSupport
import Testing

/// The pictures that the lab's feeder and its camera send, and which of them a movie's frames are.
struct KnownPictures {
  let width: Int
  let height: Int
  /// Y, Cb and Cr of each picture, one after the other, 10-bit codes.
  private let pictures: [[UInt16]]

  /// The pictures repeat after so many.
  var period: Int { pictures.count }

  /// What `lab-feed` feeds, at ten bits.
  init(feeder size: (width: Int, height: Int), folder: TemporaryFolder) throws {
    try self.init(
      size, folder: folder, tool: "lab-feed", ["--fourcc", "Y210", "--frames", "84"],
      emit: "--emit", input: ["-f", "rawvideo", "-pix_fmt", "y210le", "-video_size"],
      hasSize: true)
  }

  /// The first JPEG pictures of a stream of `lab-usb`, decoded by libavcodec.
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
    pictures = try Self.pictures(planar, samples: width * height * 2)
  }

  private static func pictures(_ path: String, samples: Int) throws -> [[UInt16]] {
    let data = try Data(contentsOf: URL(filePath: path))
    return stride(from: 0, to: data.count - data.count % (samples * 2), by: samples * 2).map { at in
      data[at..<at + samples * 2].withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    }
  }

  /// A frame of a movie: the picture that it shows, and how well, in decibels.
  struct Match: CustomStringConvertible {
    let picture: Int
    let quality: Double
    var description: String { "\(picture) (\(quality) dB)" }
  }

  /// The frames of a movie.
  func matches(_ movie: String, folder: TemporaryFolder) throws -> [Match] {
    let raw = folder.path("decoded.yuv")
    try Judges.ffmpeg([
      "-i", movie, "-map", "0:v", "-fps_mode", "passthrough", "-pix_fmt", "yuv422p10le", "-f",
      "rawvideo", raw,
    ])
    return try Self.pictures(raw, samples: width * height * 2).map { frame in
      // Few samples say which picture it is, all of them how well it is kept.
      let candidates = pictures.indices.map { ($0, Self.error(frame, pictures[$0], step: 211)) }
      let best = try #require(candidates.min { $0.1 < $1.1 }?.0)
      let error = Self.error(frame, pictures[best], step: 1)
      return Match(picture: best, quality: 10 * log10(1023 * 1023 / max(error, 1e-6)))
    }
  }

  /// The mean squared error over each `step`th sample.
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
