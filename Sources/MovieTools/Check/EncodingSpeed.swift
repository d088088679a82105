public import AssetWriter
import FoundationEssentials
public import MediaCore
import QuickTime

/// The measured speed at which this machine encodes frames of a kind.
public struct EncodingSpeed: Sendable, Codable {
  /// The encoder, by its full name.
  public var encoder: String
  /// The number of frames encoded for the measurement.
  public var frameCount: Int
  /// Frames per second, using all cores.
  public var framesPerSecond: Double
  /// The processor time of a frame, in milliseconds.
  public var millisecondsPerFrame: Double
  /// The average frame size in bytes.
  public var bytesPerFrame: Double

  /// Encodes frames for about `seconds` and measures the time.
  ///
  /// The frames are detailed and grainy, so that the codec needs its full data rate. They go
  /// through the asset writer like a recording's, but into no file.
  ///
  /// - Throws: `AssetWriterError` if the codec cannot encode such frames here.
  public static func measure(
    _ frame: PixelBuffer.Description, codec: VideoCodecType, encoder: EncoderChoice = .automatic,
    seconds: Double = 2
  ) async throws -> EncodingSpeed {
    let writer = AssetWriter(
      outputURL: URL(filePath: "/dev/null")
    ) { _ throws(QuickTimeError) in DiscardingMovieFile() }
    var settings = VideoOutputSettings(
      codec: codec, width: frame.width, height: frame.height, frameRate: .fps60,
      encoder: encoder)
    settings.fieldOrder = frame.fieldOrder
    let receiver = try writer.inputReceiver(for: AssetWriterInput(outputSettings: settings))
    let frames = try BusyFrames.make(frame, count: 4)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let clock = ContinuousClock()
    let start = clock.now
    var count = 0
    while count < 8 || (clock.now - start) < .seconds(seconds) {
      try await receiver.append(
        SampleBuffer(
          .video(frames[count % frames.count]),
          presentationTimeStamp: FrameRate.fps60.time(ofFrame: Int64(count))))
      count += 1
    }
    let report = try await writer.finishWriting()
    let elapsed = start.duration(to: clock.now) / .seconds(1)
    let track = report.video.first
    return EncodingSpeed(
      encoder: track?.encoder ?? "", frameCount: count, framesPerSecond: Double(count) / elapsed,
      millisecondsPerFrame: track?.encodeTime.mean ?? 0,
      bytesPerFrame: Double(track?.bytes ?? 0) / Double(count))
  }
}
