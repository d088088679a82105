import AssetWriter
import Foundation
import MediaCore
import TestSupport
import Testing

/// Writes compressed movies briefly.
struct CompressedTake {
  var fileType = FileType.mp4
  var video: VideoOutputSettings? = Self.settings()
  var audio: AudioOutputSettings? = Self.audio(.aac(bitRate: nil))
  /// Presentation times of the frames, in milliseconds.
  var times: [Int64] = (0..<25).map { $0 * 40 }
  var frames: (Int) throws -> PixelBuffer = { try TestMedia.frame($0) }
  /// Sample frames of a 1 kHz tone.
  var audioFrames = 48_000
  var end: MediaTime?
  var fragments = MediaTime.invalid

  static let hasEncoders = EncoderCapabilities.current.interframeCodecs == [.h264, .hevc]
  static let absence: Comment = "libavcodec has no H.264 or HEVC encoder"

  static func settings(_ codec: VideoCodecType = .h264) -> VideoOutputSettings {
    var settings = VideoOutputSettings(codec: codec, width: 128, height: 96)
    settings.keepsFrameTimes = true
    settings.encoderThreads = 1
    return settings
  }

  static func audio(_ compression: AudioCompression, channels: Int = 2) -> AudioOutputSettings {
    var settings = AudioOutputSettings(
      format: AudioFormat(sampleRate: 48_000, channelCount: channels, sampleFormat: .int16))
    settings.compression = compression
    return settings
  }

  /// A frame of one color, in 10-bit codes.
  static func plain(_ codes: [UInt16], width: Int = 128, height: Int = 96) throws -> PixelBuffer {
    var buffer = try MutablePixelBuffer(
      PixelBuffer.Description(format: .yuv422p10, width: width, height: height, color: .bt709))
    for plane in 0..<3 {
      buffer.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        let words = bytes.bindMemory(to: UInt16.self)
        words.update(repeating: codes[plane])
      }
    }
    return buffer.finish()
  }

  /// A 1 kHz tone at half of full scale: a period of 48 samples.
  static func tone(from first: Int, count: Int, format: AudioFormat) throws -> AudioBuffer {
    // A fifth-order approximation of a quarter sine, extended by symmetry: exactness does not
    // matter.
    let quarter: [Int16] = [
      0, 2139, 4240, 6270, 8192, 9973, 11_585, 12_998, 14_189, 15_137, 15_826, 16_244,
    ]
    func sample(_ index: Int) -> Int16 {
      let (part, place) = (index % 48 / 12, index % 12)
      let rising = quarter[place]
      let falling = place == 0 ? 16_384 : quarter[12 - place]
      switch part {
      case 0: return rising
      case 1: return falling
      case 2: return -rising
      default: return -falling
      }
    }
    var period: [UInt8] = []
    for index in first..<first + 48 {
      let value = UInt16(bitPattern: sample(index))
      for _ in 0..<format.channelCount {
        period += [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
      }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity((count + 48) * format.bytesPerFrame)
    for _ in 0..<(count + 47) / 48 { bytes += period }
    bytes.removeLast(bytes.count - count * format.bytesPerFrame)
    return try AudioBuffer(format: format, bytes: bytes)
  }

  @discardableResult
  func write(
    to path: String, prepare: (AssetWriter) -> Void = { _ in }
  ) async throws -> AssetWriter.Report {
    let writer = try AssetWriter(path: path, fileType: fileType)
    prepare(writer)
    return try await write(with: writer)
  }

  /// Writes the take with a writer that was not started.
  func write(with writer: AssetWriter) async throws -> AssetWriter.Report {
    writer.movieFragmentInterval = fragments
    let (frames, audio) = try inputs(of: writer)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    try await append(frames, audio)
    if let end { try writer.endSession(atSourceTime: end) }
    return try await writer.finishWriting()
  }

  typealias Receiver = AssetWriterInput.SampleBufferReceiver

  func inputs(of writer: AssetWriter) throws -> (Receiver?, Receiver?) {
    let frames = try video.map {
      try writer.inputReceiver(for: AssetWriterInput(outputSettings: $0))
    }
    let receiver = try audio.map {
      try writer.inputReceiver(for: AssetWriterInput(outputSettings: $0))
    }
    return (frames, receiver)
  }

  func append(_ video: Receiver?, _ audio: Receiver?) async throws {
    var appended = 0
    for (number, time) in times.enumerated() where video != nil {
      try await video?.append(
        SampleBuffer(
          .video(try self.frames(number)),
          presentationTimeStamp: MediaTime(value: time, timescale: 1000),
          duration: MediaTime(value: 40, timescale: 1000)))
      if let audio { try await appendAudio(audio, &appended, upTo: Int(time + 40) * 48) }
    }
    try video?.finish()
    if let audio { try await appendAudio(audio, &appended, upTo: audioFrames) }
    try audio?.finish()
  }

  private func appendAudio(_ receiver: Receiver, _ appended: inout Int, upTo end: Int) async throws
  {
    guard let format = audio?.format else { return }
    while appended < min(end, audioFrames) {
      let count = min(4800, min(end, audioFrames) - appended)
      try await receiver.append(
        SampleBuffer(
          .audio(try Self.tone(from: appended, count: count, format: format)),
          presentationTimeStamp: MediaTime(
            value: Int64(appended), timescale: Int32(format.sampleRate))))
      appended += count
    }
  }
}

extension CompressedTake {
  /// Presentation times of the frames, in milliseconds.
  static func times(_ path: String) throws -> [Int64] {
    let base = try #require(try Judges.probe(path).stream("video").time_base)
    let units = try #require(Int64(base.split(separator: "/").last ?? ""))
    return try Judges.packets(path, stream: "v:0").compactMap(\.pts).sorted().map {
      ($0 * 1000 + units / 2) / units
    }
  }

  /// The names of a file's outermost boxes, in order.
  static func boxes(_ path: String) throws -> [String] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var (place, names) = (0, [String]())
    while place + 8 <= bytes.count {
      let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      names.append(String(decoding: bytes[place + 4..<place + 8], as: UTF8.self))
      guard size >= 8 else { break }
      place += size
    }
    return names
  }
}
