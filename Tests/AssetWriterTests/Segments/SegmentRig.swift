import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import AssetWriter

/// Takes of numbered frames and numbered samples, split and whole.
struct SegmentRig {
  let folder: TemporaryFolder
  var rate = FrameRate.fps25
  var frames = 50
  /// Frames that are never appended.
  var missing: Set<Int> = []
  /// Samples in an audio buffer, and the number of samples by which audio is ahead of the video.
  var bufferLength = 1000
  var audioLead = 0
  var noise = 60
  var policy = SegmentPolicy()
  /// Frames before which a new segment is requested.
  var requests: Set<Int> = []
  var configure: (inout AssetWriter.Configuration) -> Void = { _ in }

  init() throws { folder = try TemporaryFolder() }

  static func makeFile(_ url: URL) throws(QuickTimeError) -> any MovieFile {
    try PosixMovieFile(path: url.path, mode: .create)
  }

  /// Writes the take; returns the report.
  func record(
    _ name: String, makeFile: @escaping SegmentFiles.MakeFile = SegmentRig.makeFile
  ) async throws -> (report: AssetWriter.Report, error: AssetWriterError?) {
    var configuration = AssetWriter.Configuration()
    configuration.segments = policy
    configuration.startTimecode = Timecode("09:59:59:20", frameRate: rate)
    configuration.synchronizesFragments = false
    configure(&configuration)
    let writer = AssetWriter(
      outputURL: URL(filePath: folder.path(name)), configuration: configuration,
      makeFile: makeFile)
    let settings = VideoOutputSettings(
      codec: .proRes422, width: 128, height: 96, frameRate: rate, encoder: .native)
    let video = try writer.inputReceiver(for: AssetWriterInput(outputSettings: settings))
    let audio = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: AudioOutputSettings(format: TestMedia.stereo24)))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    var error: AssetWriterError?
    do throws(AssetWriterError) {
      try await feed(writer, video, audio)
      try writer.endSession(atSourceTime: rate.time(ofFrame: Int64(frames)))
      try await writer.finishWriting()
    } catch let failure {
      error = failure
      _ = try? await writer.finishWriting()
    }
    return (writer.report, error)
  }

  private func feed(
    _ writer: AssetWriter, _ video: AssetWriterInput.SampleBufferReceiver,
    _ audio: AssetWriterInput.SampleBufferReceiver
  ) async throws(AssetWriterError) {
    var position = 0
    let end = samples(frames)
    for number in 0..<frames {
      if requests.contains(number) { try writer.startNewSegment() }
      if !missing.contains(number) {
        try await video.append(frame(number))
      }
      let isLast = number == frames - 1
      while position < (isLast ? end : min(samples(number + 1) + audioLead, end)) {
        try await audio.append(tone(position, min(bufferLength, end - position)))
        position += bufferLength
      }
    }
  }

  /// The frames drawn so far, by number and noise, because many takes share them.
  private static let frames = Mutex<[[Int]: PixelBuffer]>([:])

  private func frame(_ number: Int) throws(AssetWriterError) -> SampleBuffer {
    let drawn = Self.frames.withLock { $0[[number, noise]] }
    guard let frame = drawn ?? (try? TestMedia.frame(number, noise: noise)),
      let sample = try? TestMedia.video(number, rate: rate, frame: frame)
    else { throw AssetWriterError(.outOfResources, "no picture") }
    if drawn == nil { Self.frames.withLock { $0[[number, noise]] = frame } }
    return sample
  }

  private func tone(_ position: Int, _ count: Int) throws(AssetWriterError) -> SampleBuffer {
    guard let sample = try? TestMedia.audio(from: position, count: count) else {
      throw AssetWriterError(.outOfResources, "no sound")
    }
    return sample
  }

  func samples(_ frame: Int) -> Int {
    Int(rate.time(ofFrame: Int64(frame)).converted(toTimescale: 48_000).value)
  }

  /// Compares a split take with the whole one: the bytes of every frame, the value of every sample,
  /// the timecode of every segment, and each file by itself.
  func compare(_ report: AssetWriter.Report, with whole: String) async throws {
    let segments = report.segments
    let path = folder.path(whole)
    if !FileManager.default.fileExists(atPath: path) {
      var uncut = self
      uncut.policy = SegmentPolicy()
      uncut.requests = []
      let error = try await uncut.record(whole).error
      #expect(error == nil)
    }
    var bytes: [[UInt8]] = []
    var audio: [Int32] = []
    var frame: Int64 = 0
    for (index, segment) in segments.enumerated() {
      #expect(segment.number == index + 1)
      #expect(segment.firstFrame == frame)
      #expect(segment.isValid)
      let file = try judge(segment.path)
      #expect(file.packets.count == Int(segment.frameCount))
      bytes += file.packets
      let length = samples(Int(frame + segment.frameCount)) - samples(Int(frame))
      #expect(file.audio.count / 2 == length, "sound of segment \(segment.number)")
      audio += file.audio
      let expected = Timecode("09:59:59:20", frameRate: rate)?.advanced(by: frame).description
      #expect(file.timecode == expected)
      #expect(segment.startTimecode == expected)
      let size = try FileManager.default.attributesOfItem(atPath: segment.path)[.size] as? Int64
      #expect(segment.fileSize == size)
      frame += segment.frameCount
    }
    #expect(frame == Int64(frames))
    let uncut = try judge(path)
    #expect(bytes == uncut.packets)
    #expect(audio == uncut.audio)
    #expect(report.fileBytes == segments.reduce(0) { $0 + $1.fileSize })
  }

  /// The video packets, the audio samples and the timecode; everything is decoded.
  private func judge(
    _ path: String
  ) throws -> (packets: [[UInt8]], audio: [Int32], timecode: String?) {
    struct Facts: Decodable {
      struct Packet: Decodable {
        var codec_type: String
        var pts: Int64?
        var size: String
        var pos: String
      }
      var packets: [Packet]
      var streams: [Probe.Stream]
    }
    let probe = try Judges.run(
      "ffprobe",
      [
        "-v", "error", "-of", "json", "-show_packets", "-show_streams", path,
      ])
    let facts = try JSONDecoder().decode(Facts.self, from: probe.data)
    let frames = facts.packets.filter { $0.codec_type == "video" }
    #expect(frames.first?.pts == 0)
    let file = try Data(contentsOf: URL(filePath: path))
    let decoded = try Judges.run(
      Judges.decoder,
      [
        "-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", "-i", path,
        "-map", "0:a", "-f", "s32le", "pipe:1", "-map", "0:v", "-f", "null", "/dev/null",
      ])
    #expect(decoded.errors == "" && decoded.status == 0)
    return (
      try frames.map { packet in
        let start = try #require(Int(packet.pos))
        return [UInt8](file[start..<start + (try #require(Int(packet.size)))])
      },
      Judges.words(decoded.data, as: Int32.self),
      facts.streams.first { $0.codec_type == "video" }?.tags?["timecode"]
    )
  }
}
