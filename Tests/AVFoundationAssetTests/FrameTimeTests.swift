import AVFoundationCompat
import TestSupport
import Testing

/// When a writer's frames are shown.
@Suite(.timeLimit(.minutes(10)))
struct FrameTimeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes frames at these times, and reads back when they are shown.
  private func times(
    _ given: [CMTime], end: CMTime? = nil, settings more: [String: Any] = [:]
  ) async throws -> (starts: [Double], length: Double) {
    let url = folder.url("times.mov")
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let settings: [String: Any] = [
      AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
    ]
    let input = AVAssetWriterInput(
      mediaType: .video, outputSettings: settings.merging(more) { $1 })
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: given.first ?? .zero)
    for time in given {
      try await eventually("the input is ready") { input.isReadyForMoreMediaData }
      var frame: CVPixelBuffer?
      #expect(
        CVPixelBufferCreate(
          kCFAllocatorDefault, 64, 48, kCVPixelFormatType_422YpCbCr8, nil, &frame)
          == kCVReturnSuccess)
      #expect(adaptor.append(try #require(frame), withPresentationTime: time))
    }
    if let end { writer.endSession(atSourceTime: end) }
    input.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed && writer.error == nil)
    let track = try #require(try MovieIndex(path: url.path).tracks.first)
    let starts = track.samples.map { Double($0.time) / Double(track.timescale) }
    return (starts, track.duration.seconds)
  }

  @Test func frames_far_apart_keep_their_times() async throws {
    let given = [0, 0.04, 2, 5].map { CMTimeMakeWithSeconds($0, preferredTimescale: 600) }
    let (starts, length) = try await times(given)
    #expect(starts == [0, 0.04, 2, 5])
    #expect(length == 8, "the last frame has the duration of the one before")
  }

  @Test func the_sessions_end_is_the_end_of_the_last_frame() async throws {
    let given = [0, 0.5, 1].map { CMTimeMakeWithSeconds($0, preferredTimescale: 600) }
    let (starts, length) = try await times(given, end: CMTime(value: 5, timescale: 2))
    #expect(starts == [0, 0.5, 1] && length == 2.5)
  }

  @Test func jittering_frames_keep_their_times() async throws {
    // On a clock in nanoseconds, starting hours after its zero.
    let given = (0..<60).map { frame in
      let jitter = [0, 1_900_000, -2_300_000, 700_000][frame % 4]
      return CMTime(
        value: 7_200_000_000_000 + Int64(frame) * 33_333_333 + Int64(jitter),
        timescale: 1_000_000_000)
    }
    let (starts, _) = try await times(given)
    try #require(starts.count == 60)
    for (start, time) in zip(starts, given) {
      #expect(abs(start - (time - given[0]).seconds) < 1e-6)
    }
  }

  @Test func a_frame_rate_in_the_settings_repeats_missing_frames() async throws {
    let given = [0, 0.04, 0.2].map { CMTimeMakeWithSeconds($0, preferredTimescale: 600) }
    let (starts, _) = try await times(
      given,
      settings: [AVVideoCompressionPropertiesKey: [AVVideoExpectedSourceFrameRateKey: 25]])
    #expect(starts.count == 6, "missing frames are filled by repetition")
  }
}
