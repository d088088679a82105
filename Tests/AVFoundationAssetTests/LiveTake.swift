import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Keeps a writer's segments, as the origin server of a live stream does.
final class SegmentKeeper: AVAssetWriterDelegate, Sendable {
  struct Segment: Sendable {
    var data: Data
    var type: AVAssetSegmentType
    var report: AVAssetSegmentReport
  }

  private let kept = Mutex<[Segment]>([])

  var segments: [Segment] { kept.withLock { $0 } }
  var initialization: Data { segments.first?.data ?? Data() }
  var media: [Segment] { Array(segments.dropFirst()) }

  func assetWriter(
    _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data,
    segmentType: AVAssetSegmentType, segmentReport: AVAssetSegmentReport?
  ) {
    guard let segmentReport else { return }
    let segment = Segment(data: segmentData, type: segmentType, report: segmentReport)
    kept.withLock { $0.append(segment) }
  }

  /// A track's report in each media segment.
  func tracks(_ mediaType: AVMediaType) -> [AVAssetSegmentTrackReport] {
    media.compactMap { segment in
      segment.report.trackReports.first { $0.mediaType == mediaType }
    }
  }
}

/// A recorder that streams: video at 25 frames a second and audio at 44.1 kHz, from a given source
/// time.
struct LiveTake {
  let writer = AVAssetWriter(contentType: .mpeg4Movie)
  let video: AVAssetWriterInput?
  let audio: AVAssetWriterInput?
  let start: CMTime

  init(
    _ codec: AVVideoCodecType? = .h264, hasAudio: Bool = true,
    start: CMTime = CMTime(value: 10, timescale: 1)
  ) {
    video = codec.map { codec in
      AVAssetWriterInput(
        mediaType: .video,
        outputSettings: [AVVideoCodecKey: codec, AVVideoWidthKey: 128, AVVideoHeightKey: 96])
    }
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
      AVEncoderBitRateKey: 64_000,
    ]
    audio = hasAudio ? AVAssetWriterInput(mediaType: .audio, outputSettings: settings) : nil
    self.start = start
  }

  func begin(_ delegate: any AVAssetWriterDelegate) throws {
    writer.delegate = delegate
    for input in [video, audio].compactMap(\.self) {
      #expect(writer.canAdd(input))
      writer.add(input)
    }
    try #require(writer.startWriting(), "\(String(describing: writer.error))")
    writer.startSession(atSourceTime: start)
  }

  /// Appends frames, each with its own gray, and the audio of the same time unless silent.
  func append(_ frames: Range<Int>, isSilent: Bool = false) async throws {
    for frame in frames {
      if let video {
        while !video.isReadyForMoreMediaData { await Task.yield() }
        #expect(
          video.append(
            CMSampleBuffer(
              .video(try Self.frame(frame)),
              presentationTimeStamp: start + CMTime(value: Int64(frame), timescale: 25),
              duration: CMTime(value: 1, timescale: 25))))
      }
      if let audio, !isSilent {
        while !audio.isReadyForMoreMediaData { await Task.yield() }
        #expect(audio.append(try tone(frame * 1764, 1764)))
      }
    }
  }

  func finish() async {
    video?.markAsFinished()
    audio?.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
  }

  private static func frame(_ frame: Int) throws -> PixelBuffer {
    var buffer = try MutablePixelBuffer(
      PixelBuffer.Description(format: .yuv422p10, width: 128, height: 96, color: .bt709))
    for plane in 0..<3 {
      buffer.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        let code = plane == 0 ? 100 + UInt16(frame % 25) * 30 : 512
        bytes.bindMemory(to: UInt16.self).update(repeating: code)
      }
    }
    return buffer.finish()
  }

  /// 441 Hz: a period of 100 samples.
  private func tone(_ first: Int, _ count: Int) throws -> CMSampleBuffer {
    let format = AudioFormat(sampleRate: 44_100, channelCount: 1, sampleFormat: .int16)
    let bytes = (first..<first + count).flatMap { place -> [UInt8] in
      let value = UInt16(bitPattern: place % 100 < 50 ? 8000 : -8000)
      return [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
    }
    return CMSampleBuffer(
      .audio(try MediaCore.AudioBuffer(format: format, bytes: bytes)),
      presentationTimeStamp: start + CMTime(value: Int64(first), timescale: 44_100))
  }
}
