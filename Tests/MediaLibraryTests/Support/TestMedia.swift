import Foundation
import MediaCore
import QuickTime

/// Small files of the kinds that a library takes.
enum TestMedia {
  /// A PNG by its header; `seed` makes its bytes its own.
  static func png(width: Int = 16, height: Int = 8, seed: Int = 0) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + [UInt8]("IHDR".utf8)
      + big(width) + big(height) + [8, 2, 0, 0, 0] + [UInt8]("seed \(seed)".utf8)
  }

  /// A DNG by its tags: RAW of a camera, shot at a certain time.
  static func dng(width: Int = 4000, height: Int = 3000, seed: Int = 0) -> [UInt8] {
    let texts: [(tag: Int, text: String)] = [
      (271, "Maker"), (272, "Camera 7"), (306, "2022:05:24 10:11:12"),
    ]
    var entries: [[UInt8]] = [
      entry(254, 4, 1, little(0)), entry(256, 4, 1, little(width)),
      entry(257, 4, 1, little(height)), entry(262, 3, 1, little(32803)),
    ]
    var data: [UInt8] = []
    let count = entries.count + texts.count + 1
    let dataStart = 8 + 2 + count * 12 + 4
    for (tag, text) in texts {
      let bytes = [UInt8](text.utf8) + [0]
      entries.append(entry(tag, 2, bytes.count, little(dataStart + data.count)))
      data += bytes
    }
    entries.append(entry(50706, 1, 4, [1, 4, 0, 0]))
    return [0x49, 0x49, 0x2A, 0] + little(8) + [UInt8(count), 0] + entries.flatMap { $0 }
      + little(0) + data + [UInt8]("seed \(seed)".utf8)
  }

  /// A short ProRes movie as our own writer makes it; the pictures are no pictures, the index is one.
  static func movie(
    _ url: URL, codec: VideoCodecType = .proRes422HQ, frames: Int = 3, seed: UInt8 = 0
  ) throws {
    var configuration = MovieWriter.Configuration()
    configuration.metadata.make = "Maker"
    configuration.metadata.model = "Camera 9"
    configuration.metadata.creationDate = "2022-05-24T10:11:12+0000"
    let writer = try MovieWriter(
      file: PosixMovieFile(path: url.path, mode: .create), configuration: configuration)
    let track = try writer.addVideoTrack(
      VideoTrackDescription(
        codec: codec, dimensions: VideoDimensions(width: 1920, height: 1080), frameRate: .fps25))
    if let start = Timecode("01:00:00:00", frameRate: .fps25) {
      _ = try writer.addTimecodeTrack(TimecodeTrackDescription(start: start), for: track)
    }
    try writer.start()
    for frame in 0..<frames {
      let bytes = [UInt8](repeating: UInt8(frame) &+ seed, count: 5000)
      try bytes.withUnsafeBytes { try writer.appendVideo($0, to: track, duration: 1000) }
    }
    _ = try writer.finish()
  }

  private static func big(_ number: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func little(_ number: Int) -> [UInt8] { big(number).reversed() }

  private static func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
    [UInt8(tag & 0xFF), UInt8(tag >> 8), UInt8(type), 0] + little(count) + value
  }
}
