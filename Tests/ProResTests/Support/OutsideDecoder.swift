import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ProRes

/// A decoder that shares no code with this project and judges its frames. Tests use those that are
/// installed.
///
/// - Debian's FFmpeg, `/usr/bin/ffmpeg`.
/// - A newer FFmpeg: `NewerFFmpeg`.
/// - `prores-judge`, a filter from frames (standard input) to planar words (standard output), with
///   a decoder written from RDD 36; its argument is the bit depth. It is looked up in `PATH`.
struct OutsideDecoder: Sendable, CustomTestStringConvertible {
  /// Decoded planes: Y, Cb, Cr and, if present, alpha.
  typealias Planes = [[UInt16]]

  let testDescription: String
  let isFFmpeg: Bool
  private let path: String

  static let all: [OutsideDecoder] = (ffmpegs + [independent]).compactMap(\.self)

  /// Both versions of FFmpeg in extended runs; else the newer one, if it is available, because Debian's takes ten
  /// times as long to start.
  private static let ffmpegs = TestRun.isExtended ? [debian, newer] : [newer ?? debian]
  static let ffmpeg = ffmpegs.compactMap(\.self).first
  static let debian = OutsideDecoder("FFmpeg", at: "/usr/bin/ffmpeg", isFFmpeg: true)

  static let newer = NewerFFmpeg.path.flatMap {
    OutsideDecoder("newer FFmpeg", at: $0, isFFmpeg: true)
  }

  private static let independent = Judges.find("prores-judge").flatMap {
    OutsideDecoder("independent decoder", at: $0.path, isFFmpeg: false)
  }

  private init?(_ name: String, at path: String, isFFmpeg: Bool) {
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
    testDescription = name
    self.path = path
    self.isFFmpeg = isFFmpeg
  }

  /// Why a decoder refused the frames.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// Decodes frames of one size, strictly: any complaint is a refusal.
  ///
  /// Nothing is converted: the words are the decoder's, with 10 or 12 bits.
  func decode(_ frames: [[UInt8]], depth: Int = 10) throws -> [Planes] {
    let first = try #require(frames.first)
    let header = try FrameHeader(parsing: first.span.bytes)
    let output =
      isFFmpeg
      ? try runFFmpeg(frames, depth)
      : try Command.run(path, ["\(depth)"], input: Data(frames.joined()))
    // The filter reports its number of frames.
    guard output.status == 0, !isFFmpeg || output.errors.isEmpty else {
      throw Refusal(description: "\(testDescription): \(output.errors.prefix(300))")
    }
    let chroma = header.chromaFormat == .yuv444 ? header.width : (header.width + 1) / 2
    let hasAlpha = header.alpha != FrameHeader.AlphaChannelType.none
    let widths = [header.width, chroma, chroma] + (hasAlpha ? [header.width] : [])
    let words = output.data.count / 2
    guard words == widths.reduce(0, +) * header.height * frames.count else {
      throw Refusal(description: "\(testDescription): \(words) words of \(frames.count) frames")
    }
    return output.data.withUnsafeBytes { bytes in
      var offset = 0
      return frames.map { _ in
        widths.map { width in
          let count = width * header.height
          defer { offset += count * 2 }
          return [UInt16](unsafeUninitializedCapacity: count) { words, filled in
            UnsafeMutableRawBufferPointer(words).copyMemory(
              from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count * 2]))
            filled = count
          }
        }
      }
    }
  }

  /// The planes for which the decoder is trusted.
  ///
  /// The independent decoder arranges the four blocks of a 4:4:4 chroma macroblock in luma's order.
  /// In RDD 36 (figure 8) they go down first, and FFmpeg agrees.
  func judged(_ planes: Planes, _ profile: ProResProfile) -> Planes {
    isFFmpeg || !profile.is4444 ? planes : Array(planes[..<1])
  }

  /// The pixel formats that each FFmpeg can write, by its path.
  private static let written = Mutex<[String: Set<String>]>([:])

  /// Whether an FFmpeg can convert frames to a pixel format.
  func writes(pixelFormat name: String) -> Bool {
    Self.written.withLock { written in
      if let known = written[path] { return known.contains(name) }
      guard let list = try? Command.run(path, ["-v", "error", "-pix_fmts"]) else { return false }
      var names: Set<String> = []
      for line in list.output.split(separator: "\n") {
        let fields = line.split(separator: " ")
        guard fields.count > 1, fields[0].dropFirst().first == "O" else { continue }
        names.insert(String(fields[1]))
      }
      written[path] = names
      return names.contains(name)
    }
  }

  /// Runs FFmpeg for tasks other than decoding.
  func runFFmpeg(_ arguments: [String]) throws {
    let output = try Command.run(
      path, ["-hide_banner", "-nostdin", "-v", "error", "-y"] + arguments)
    guard output.status == 0 else { throw Refusal(description: output.errors) }
  }

  private func runFFmpeg(_ frames: [[UInt8]], _ depth: Int) throws -> Command.Result {
    let folder = try TemporaryFolder()
    for (number, frame) in frames.enumerated() { try folder.write(frame, "\(number).icpf") }
    // FFmpeg knows the bit depth to decode to from the sample entry code alone.
    return try Command.run(
      path,
      [
        "-hide_banner", "-nostdin", "-v", "error", "-xerror", "-err_detect", "explode",
        "-threads", "1", "-f", "image2", "-c:v", "prores", "-tag:v", depth == 12 ? "ap4h" : "apch",
        "-start_number", "0", "-i", folder.path("%d.icpf"), "-f",
        "rawvideo", "pipe:1",
      ])
  }
}
