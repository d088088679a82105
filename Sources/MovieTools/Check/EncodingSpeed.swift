public import AssetWriter
import FoundationEssentials
public import MediaCore
import QuickTime

/// How fast this machine encodes pictures of a kind, by trying.
public struct EncodingSpeed: Sendable, Codable {
  /// The encoder, by its full name.
  public var encoder: String
  /// Frames that were encoded to find out.
  public var frameCount: Int
  /// Frames a second, all cores working.
  public var framesPerSecond: Double
  /// Processor time of a frame, in milliseconds.
  public var millisecondsPerFrame: Double
  /// Bytes of a frame on average.
  public var bytesPerFrame: Double

  /// Encodes pictures for about `seconds` and takes the time.
  ///
  /// The pictures are busy ones: noise over ramps, so that the codec needs its whole rate. They go
  /// through the asset writer as a recording's do, but into no file.
  ///
  /// - Throws: `AssetWriterError` where the codec cannot be made of such pictures here.
  public static func measure(
    _ picture: PixelBuffer.Description, codec: VideoCodecType, encoder: EncoderChoice = .automatic,
    seconds: Double = 2
  ) async throws -> EncodingSpeed {
    let writer = AssetWriter(
      outputURL: URL(filePath: "/dev/null")
    ) { _ throws(QuickTimeError) in DiscardingMovieFile() }
    var settings = VideoOutputSettings(
      codec: codec, width: picture.width, height: picture.height, frameRate: .fps60,
      encoder: encoder)
    settings.fieldOrder = picture.fieldOrder
    let receiver = try writer.inputReceiver(for: AssetWriterInput(outputSettings: settings))
    let pictures = try BusyPictures.make(picture, count: 4)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let clock = ContinuousClock()
    let start = clock.now
    var count = 0
    while count < 8 || (clock.now - start) < .seconds(seconds) {
      try await receiver.append(
        SampleBuffer(
          .video(pictures[count % pictures.count]),
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
