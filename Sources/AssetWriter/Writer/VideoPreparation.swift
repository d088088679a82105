import MediaCore
import ProRes

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Sets up a video track from its settings and what its first picture says.
enum VideoPreparation {
  /// What an input was made with.
  struct Request {
    var settings: VideoOutputSettings
    var hint: VideoFormatDescription?
  }

  /// Makes the encoder that a choice names.
  typealias MakeEncoder =
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
    makeEncoder: MakeEncoder
  ) throws(AssetWriterError) -> VideoTrackState {
    let settings = request.settings
    let hint = request.hint
    guard let profile = ProResProfile(settings.codec) else {
      throw AssetWriterError(.invalidSettings, "\(settings.codec) is no ProRes codec")
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
      hasAlpha: settings.includesAlpha && profile.is4444 && picture.format.descriptor.hasAlpha,
      threadCount: settings.encoderThreads ?? Self.processorCount)
    let encoder = try makeEncoder(configuration, settings.encoder)
    return VideoTrackState(
      configuration: configuration, rate: rate, gapPolicy: settings.gapPolicy,
      depth: Self.depth(
        settings, preferred: encoder.preferredDepth, rate: rate,
        pictureBytes: picture.format.byteCount(width: picture.width, height: picture.height),
        isRealTime: isRealTime), encoder: encoder)
  }

  /// The rate of frames of a duration, where that is a sensible one.
  private static func rate(ofFramesLasting duration: MediaTime) -> FrameRate? {
    guard duration.isNumeric, duration.value > 0,
      let denominator = Int32(exactly: duration.value),
      let rate = FrameRate(duration.timescale, denominator)
    else { return nil }
    return (1...1000).contains(rate.framesPerSecond.rounded(.up)) ? rate : nil
  }

  /// Pictures that may be in flight: a second of them for a live source, within 768 MiB; no more
  /// than keeps the encoder busy for others.
  static func depth(
    _ settings: VideoOutputSettings, preferred: Int? = nil, rate: FrameRate, pictureBytes: Int,
    isRealTime: Bool
  ) -> Int {
    if let depth = settings.queueDepth { return max(depth, 3) }
    // One frame waits until the next one's time is known; two more keep the threads fed.
    let least = (preferred ?? (settings.encoderThreads ?? processorCount) + 1) + 2
    guard isRealTime else { return least }
    return max(least, min(rate.nominalFramesPerSecond, (768 << 20) / max(pictureBytes, 1)))
  }

  private static var processorCount: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}
