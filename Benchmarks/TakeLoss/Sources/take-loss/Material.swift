import Foundation
import Judge
import MediaCore
import ProRes
import QuickTime

/// A kind of take: what is recorded, with every possible frame and sample.
struct Material: Sendable {
  let name: String
  let profile: ProResProfile
  let width: Int
  let height: Int
  let hasAudio: Bool
  /// Coded frames, used in a loop. libavcodec has decoded each of them.
  let frames: [[UInt8]]

  static let rate = FrameRate.fps25
  static let audio = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int24)
  static let samplesPerFrame = 48_000 / 25
  /// Audio in which each sample identifies its position within a second.
  static let second: [UInt8] = (0..<48_000).flatMap { sample in
    let value = UInt32(sample * 173)
    let bytes = [0, 8, 16].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    return bytes + bytes
  }

  /// The kinds of takes: frames copied into their fragment (720p) and frames written from where they are (UHD),
  /// each with and without audio.
  static func all() throws -> [Material] {
    let small = try frames(.hq, 1280, 720, amplitude: 3)
    let large = try frames(.proxy, 3840, 2160, amplitude: 6)
    return [false, true].flatMap { audio in
      [
        Material(
          name: "720p25 HQ", profile: .hq, width: 1280, height: 720, hasAudio: audio, frames: small),
        Material(
          name: "UHD25 Proxy", profile: .proxy, width: 3840, height: 2160, hasAudio: audio,
          frames: large),
      ]
    }
  }

  /// Encodes noise, and lets libavcodec decode each frame strictly.
  private static func frames(
    _ profile: ProResProfile, _ width: Int, _ height: Int, amplitude: UInt64
  ) throws -> [[UInt8]] {
    let encoder = try ProResEncoder(
      configuration: ProResEncoder.Configuration(
        profile: profile, width: width, height: height, frameRate: rate))
    return try (0..<10).map { number in
      var image = try MutablePixelBuffer(.init(format: .p210, width: width, height: height))
      var state = UInt64(number) &* 977 | 1
      for plane in 0..<image.planeCount {
        image.withUnsafeMutableBytes(ofPlane: plane) { bytes in
          let words = bytes.bindMemory(to: UInt16.self)
          for index in words.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            words[index] =
              UInt16(400 + index / 64 % 200 + Int((state >> 40) % (amplitude * 8))) << 6
          }
        }
      }
      var bytes = [UInt8](repeating: 0, count: encoder.maximumFrameSize)
      let frame = image.finish()
      let count = try bytes.withUnsafeMutableBytes { try encoder.encode(frame, into: $0) }
      bytes.removeLast(bytes.count - count)
      guard bytes.withUnsafeBytes({ isIntact($0, profile, width, height) }) else {
        throw Failure(message: "libavcodec finds fault with frame \(number) of the material")
      }
      return bytes
    }
  }

  /// True if libavcodec decodes a frame without complaint.
  func isIntact(_ frame: UnsafeRawBufferPointer) -> Bool {
    Self.isIntact(frame, profile, width, height)
  }

  private static func isIntact(
    _ frame: UnsafeRawBufferPointer, _ profile: ProResProfile, _ width: Int, _ height: Int
  ) -> Bool {
    let code = profile.codec.rawValue.utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return judge_decode(
      code, Int32(width), Int32(height), frame.baseAddress, frame.count) == 0
  }

  /// A writer with the tracks of this kind, and the frames in memory as from an encoder.
  func begin(_ path: String) throws -> (MovieWriter, [TrackID]) {
    let file = try PosixMovieFile(path: path, mode: .overwrite)
    let writer = try MovieWriter(file: file)
    var tracks = [
      try writer.addVideoTrack(
        VideoTrackDescription(
          codec: profile.codec, dimensions: VideoDimensions(width: width, height: height),
          frameRate: Self.rate))
    ]
    if hasAudio {
      tracks.append(try writer.addAudioTrack(AudioTrackDescription(format: Self.audio)))
    }
    if let start = Timecode("01:00:00:00", frameRate: Self.rate) {
      _ = try writer.addTimecodeTrack(TimecodeTrackDescription(start: start), for: tracks[0])
    }
    try writer.start()
    return (writer, tracks)
  }

  /// Appends a frame and its audio.
  func append(
    _ frame: Int, _ memory: [UnsafeMutableRawBufferPointer], to writer: MovieWriter,
    _ tracks: [TrackID]
  ) throws {
    try writer.appendVideo(UnsafeRawBufferPointer(memory[frame % memory.count]), to: tracks[0])
    guard hasAudio else { return }
    let size = Self.samplesPerFrame * Self.audio.bytesPerFrame
    let first = frame % 25 * size
    try Self.second.withUnsafeBytes { second in
      let bytes = UnsafeRawBufferPointer(rebasing: second[first..<(first + size)])
      try writer.appendAudio(bytes, frames: Self.samplesPerFrame, to: tracks[1])
    }
  }

  /// The frames in memory of whole pages, like the encoder's.
  func alignedFrames() -> [UnsafeMutableRawBufferPointer] {
    frames.map { bytes in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 4096)
      memory.copyBytes(from: bytes)
      return memory
    }
  }
}

struct Failure: Error, CustomStringConvertible {
  var message: String
  var description: String { message }
}
