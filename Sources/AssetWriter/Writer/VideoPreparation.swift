import MediaCore
import ProRes

/// Sets up a video track from its settings and its first frame.
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

  /// Refuses a frame that the input was not set up for.
  static func check(_ frame: PixelBuffer, _ request: Request) throws(AssetWriterError) {
    let settings = request.settings
    guard frame.width == settings.width, frame.height == settings.height else {
      throw AssetWriterError(
        .formatMismatch,
        "a frame of \(frame.width)x\(frame.height) does not fit a track of "
          + "\(settings.dimensions); append frames of the track's size")
    }
    try EncoderCapabilities.current.check(frame.format, feeds: settings.codec)
    guard let hinted = request.hint?.pixelFormat, hinted != frame.format else { return }
    throw AssetWriterError(
      .formatMismatch,
      "a frame in \(frame.format) does not match the source format hint, \(hinted)")
  }

  /// What a track is to be made of: all that is known before the lock is given back.
  struct Order {
    let request: Request
    let source: VideoFormatDescription
    /// The form in which its frames wait to be written.
    let coding: FrameCoding
    /// The rate of the slots.
    let rate: FrameRate
    /// Frames a second to expect.
    let pace: FrameRate
    let isRealTime: Bool
    let threads: ThreadOptions

    /// - Parameters:
    ///   - request: What the input was made with.
    ///   - source: The format of its first frame, expected or actual.
    ///   - duration: How long that lasts, for settings without a rate.
    ///   - isRealTime: True for a source that cannot wait.
    ///   - threads: What is asked of the system for the encoder's threads.
    /// - Throws: ``AssetWriterError/Code/invalidSettings``.
    init(
      _ request: Request, source: VideoFormatDescription, duration: MediaTime = .invalid,
      isRealTime: Bool, threads: ThreadOptions
    ) throws(AssetWriterError) {
      let settings = request.settings
      let coding = try FrameCoding(request, source: source)
      let stated = settings.frameRate ?? VideoPreparation.rate(ofFramesLasting: duration)
      guard let rate = settings.grid ?? stated else {
        throw AssetWriterError(
          .invalidSettings,
          "the track's rate is unknown: set VideoOutputSettings.frameRate, or the first sample's "
            + "duration")
      }
      self.request = request
      self.source = source
      self.coding = coding
      self.rate = rate
      pace =
        settings.grid == nil ? rate : settings.compression.expectedFrameRate ?? stated ?? .fps60
      self.isRealTime = isRealTime
      self.threads = threads
    }
  }

  /// What an input needs before its first frame comes; nil if only that frame tells.
  ///
  /// - Throws: As ``Order/init(_:source:duration:isRealTime:threads:)``.
  static func order(
    for input: InputState, threads: ThreadOptions
  ) throws(AssetWriterError) -> Order? {
    guard case .video(let settings, let hint?) = input.settings, case .unprepared = input.track,
      hint.pixelFormat != nil, hint.dimensions == settings.dimensions,
      settings.frameRate != nil || settings.grid != nil
    else { return nil }
    return try Order(
      Request(settings: settings, hint: hint), source: hint, isRealTime: input.isRealTime,
      threads: threads)
  }

  /// Makes a track and its encoder, whose threads are started.
  ///
  /// - Parameter deliver: Given what the encoder makes.
  static func prepare(
    _ order: Order, makeEncoder: MakeEncoder,
    deliver: @escaping @Sendable (Result<EncodedFrame, AssetWriterError>) -> Void
  ) throws(AssetWriterError) -> VideoTrackState {
    let settings = order.request.settings
    let source = order.source
    let format = source.pixelFormat
    let (form, encoder) = try encoder(order, makeEncoder: makeEncoder)
    var queue = Queue(
      settings, preferred: encoder.preferredDepth, rate: order.pace,
      frameByteCount: format?.byteCount(
        width: source.dimensions.width, height: source.dimensions.height) ?? 0,
      frameBytes: form.waitingFrameBytes, isRealTime: order.isRealTime)
    // Frames that wait to be compressed take as much memory as those that wait for the converter.
    if case .planar = order.coding { queue.frames = queue.encoderDepth }
    do throws(AssetWriterError) {
      try encoder.start(deliver)
    } catch {
      encoder.cancel()
      throw error
    }
    return VideoTrackState(
      form: form, rate: order.rate,
      gapPolicy: settings.grid == nil ? settings.gapPolicy : .extendPreviousFrame,
      keepsTimes: settings.grid != nil,
      queue: FramesInFlight(depth: queue.frames, encoderDepth: queue.encoderDepth), encoder: encoder
    )
  }

  /// The color that a track declares. Red, green and blue of no matrix are converted by that of their
  /// height, and it is declared.
  private static func trackColor(
    _ color: ColorDescription, of source: VideoFormatDescription
  ) -> ColorDescription {
    var color = color.withCommonCodes.with(range: .video)
    let isRGB = source.pixelFormat?.descriptor.subsampling == .rgb
    if isRGB, color.matrix == .unspecified || color.matrix == .identity {
      color.matrix = .unspecified
      color.matrix = color.resolved(forHeight: source.dimensions.height).withCommonCodes.matrix
    }
    return color
  }

  /// What all frames of an order have in common, and of ProRes what its encoder is asked for.
  static func form(_ order: Order) -> (VideoTrackForm, VideoEncoderConfiguration?) {
    let settings = order.request.settings
    let (source, hint) = (order.source, order.request.hint)
    let color = trackColor(settings.color ?? hint?.color ?? source.color, of: source)
    let pixelAspectRatio =
      settings.pixelAspectRatio ?? hint?.pixelAspectRatio ?? source.pixelAspectRatio
    let frameRate = settings.grid == nil ? order.rate : nil
    switch order.coding {
    case .proRes(let profile):
      var configuration = VideoEncoderConfiguration(
        profile: profile, dimensions: settings.dimensions, frameRate: frameRate, color: color,
        fieldOrder: settings.fieldOrder ?? hint?.fieldOrder ?? source.fieldOrder,
        pixelAspectRatio: pixelAspectRatio,
        alpha: settings.includesAlpha && profile.is4444 ? alpha(of: source.pixelFormat) : .none,
        threadCount: threadCount(settings, order.threads), threadOptions: order.threads)
      configuration.restartInterval = settings.restartInterval
      return (VideoTrackForm(configuration, pace: order.pace), configuration)
    case .planar(let layout):
      let form = VideoTrackForm(
        planar: layout, color: color, pixelAspectRatio: pixelAspectRatio, frameRate: frameRate,
        pace: order.pace)
      return (form, nil)
    }
  }

  /// Makes the encoder of the frames.
  private static func encoder(
    _ order: Order, makeEncoder: MakeEncoder
  ) throws(AssetWriterError) -> (VideoTrackForm, any VideoEncoder) {
    let settings = order.request.settings
    let (form, configuration) = form(order)
    if settings.carriedConfiguration != nil {
      return (form, EncoderFactory.carrying(order.threads))
    }
    if let configuration { return (form, try makeEncoder(configuration, settings.encoder)) }
    guard case .planar(let layout) = order.coding else {
      throw AssetWriterError(
        .invalidSettings, "\(settings.codec) is not a codec for movies")
    }
    let name = try LibavCompressor.encoder(for: settings.codec)
    return (form, PlanarFrameEncoder.pipeline(name, layout, color: form.color, order.threads))
  }

  /// The rate of frames of a duration, where that is a sensible one.
  fileprivate static func rate(ofFramesLasting duration: MediaTime) -> FrameRate? {
    guard duration.isNumeric, duration.value > 0,
      let denominator = Int32(exactly: duration.value),
      let rate = FrameRate(duration.timescale, denominator)
    else { return nil }
    return (1...1000).contains(rate.framesPerSecond.rounded(.up)) ? rate : nil
  }

  /// The depth that keeps all of a layout's alpha.
  private static func alpha(of format: PixelFormat?) -> FrameHeader.AlphaChannelType {
    guard let format, format.descriptor.hasAlpha else { return .none }
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
    /// Frames in flight, encoded or not.
    var frames: Int
    /// Frames that wait for the encoder: they are many times as large as the encoded ones.
    var encoderDepth: Int

    /// Bytes of encoded frames that may wait, where that is a second or more; a disk may stall for
    /// as long as that.
    static let frameBytes = 240 << 20
    /// Seconds of frames that may be in flight.
    static let seconds = 1.0...2.0

    init(
      _ settings: VideoOutputSettings, preferred: Int, rate: FrameRate, frameByteCount: Int,
      frameBytes: Int, isRealTime: Bool
    ) {
      if let depth = settings.queueDepth {
        frames = max(depth, 3)
        encoderDepth = frames
        return
      }
      // One frame waits until the next one's time is known; two more keep the threads fed.
      let least = preferred + 2
      guard isRealTime else {
        frames = least
        encoderDepth = least
        return
      }
      let affordable =
        Double(Self.frameBytes) / Double(max(frameBytes, 1)) / rate.framesPerSecond
      let seconds = min(max(affordable, Self.seconds.lowerBound), Self.seconds.upperBound)
      frames = max(least, Int((seconds * rate.framesPerSecond).rounded(.up)))
      encoderDepth = max(
        least, min(frames, FrameBudget.affordableFrames(ofBytes: frameByteCount)))
    }
  }
}
