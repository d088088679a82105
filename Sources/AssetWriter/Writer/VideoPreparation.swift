import MediaCore
import ProRes

/// Sets up a video track from its settings and what its first picture says.
package enum VideoPreparation {
  /// What an input was made with.
  struct Request {
    var settings: VideoOutputSettings
    var hint: VideoFormatDescription?
  }

  /// Makes the encoder that a choice names.
  package typealias MakeEncoder =
    @Sendable (VideoEncoderConfiguration, EncoderChoice) throws(AssetWriterError) ->
    any VideoEncoder

  /// Refuses a picture that the input was not set up for.
  static func check(_ picture: PixelBuffer, _ request: Request) throws(AssetWriterError) {
    let settings = request.settings
    guard picture.width == settings.width, picture.height == settings.height else {
      throw AssetWriterError(
        .formatMismatch,
        "a picture of \(picture.width)x\(picture.height) does not fit a track of "
          + "\(settings.dimensions); append pictures of the track's size")
    }
    try EncoderCapabilities.current.check(picture.format, feeds: settings.codec)
    guard let hinted = request.hint?.pixelFormat, hinted != picture.format else { return }
    throw AssetWriterError(
      .formatMismatch,
      "a picture in \(picture.format) does not fit the source format hint, \(hinted)")
  }

  static func prepare(
    _ request: Request, picture: PixelBuffer, duration: MediaTime, isRealTime: Bool,
    threadOptions: ThreadOptions, makeEncoder: MakeEncoder
  ) throws(AssetWriterError) -> VideoTrackState {
    let settings = request.settings
    let hint = request.hint
    guard let profile = ProResProfile(settings.codec) else {
      throw AssetWriterError(.invalidSettings, "\(settings.codec) is not a ProRes codec")
    }
    guard let rate = settings.frameRate ?? Self.rate(ofFramesLasting: duration) else {
      throw AssetWriterError(
        .invalidSettings,
        "the track's rate is not known: set VideoOutputSettings.frameRate, or the first sample's "
          + "duration")
    }
    let configuration = VideoEncoderConfiguration(
      profile: profile, dimensions: settings.dimensions, frameRate: rate,
      color: (settings.color ?? hint?.color ?? picture.color).with(range: .video),
      fieldOrder: settings.fieldOrder ?? hint?.fieldOrder ?? picture.fieldOrder,
      pixelAspectRatio: settings.pixelAspectRatio ?? hint?.pixelAspectRatio
        ?? picture.details.pixelAspectRatio,
      alpha: settings.includesAlpha && profile.is4444 ? alpha(of: picture.format) : .none,
      threadCount: threadCount(settings, threadOptions), threadOptions: threadOptions)
    let encoder = try makeEncoder(configuration, settings.encoder)
    let queue = Queue(
      settings, preferred: encoder.preferredDepth, rate: rate,
      pictureBytes: picture.format.byteCount(width: picture.width, height: picture.height),
      frameBytes: configuration.targetFrameBytes, isRealTime: isRealTime)
    return VideoTrackState(
      configuration: configuration, rate: rate, gapPolicy: settings.gapPolicy,
      depth: queue.frames, pictureDepth: queue.pictures, encoder: encoder)
  }

  /// The rate of frames of a duration, where that is a sensible one.
  private static func rate(ofFramesLasting duration: MediaTime) -> FrameRate? {
    guard duration.isNumeric, duration.value > 0,
      let denominator = Int32(exactly: duration.value),
      let rate = FrameRate(duration.timescale, denominator)
    else { return nil }
    return (1...1000).contains(rate.framesPerSecond.rounded(.up)) ? rate : nil
  }

  /// The depth that keeps all of a layout's alpha.
  private static func alpha(of format: PixelFormat) -> FrameHeader.AlphaChannelType {
    guard format.descriptor.hasAlpha else { return .none }
    return format.descriptor.bitDepth == 8 ? .bits8 : .bits16
  }

  /// One thread a processor that may be used, unless the settings say otherwise.
  private static func threadCount(
    _ settings: VideoOutputSettings, _ options: ThreadOptions
  ) -> Int {
    if let count = settings.encoderThreads { return count }
    return options.processors.isEmpty ? min(Processors.count, 256) : options.processors.count
  }
}

extension VideoPreparation {
  /// How much may wait between a source, the encoder and the disk.
  struct Queue: Equatable {
    /// Frames in flight, pictures and encoded ones together.
    var frames: Int
    /// Pictures that wait for the encoder: they are many times as large as what becomes of them.
    var pictures: Int

    /// Bytes of encoded frames that may wait, where that is a second or more; a disk may stall for
    /// as long as that.
    static let frameBytes = 240 << 20
    /// Seconds of frames that may be in flight.
    static let seconds = 1.0...2.0

    init(
      _ settings: VideoOutputSettings, preferred: Int, rate: FrameRate, pictureBytes: Int,
      frameBytes: Int, isRealTime: Bool
    ) {
      if let depth = settings.queueDepth {
        frames = max(depth, 3)
        pictures = frames
        return
      }
      // One frame waits until the next one's time is known; two more keep the threads fed.
      let least = preferred + 2
      guard isRealTime else {
        frames = least
        pictures = least
        return
      }
      let affordable =
        Double(Self.frameBytes) / Double(max(frameBytes, 1)) / rate.framesPerSecond
      let seconds = min(max(affordable, Self.seconds.lowerBound), Self.seconds.upperBound)
      frames = max(least, Int((seconds * rate.framesPerSecond).rounded(.up)))
      pictures = max(
        least, min(frames, PictureBudget.affordablePictures(ofBytes: pictureBytes)))
    }
  }
}
