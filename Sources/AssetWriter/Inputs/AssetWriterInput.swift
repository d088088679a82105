public import MediaCore
import Synchronization

/// One stream of samples into a movie: video or audio.
///
/// Appended to from one thread or task at a time. ``AssetWriter/inputReceiver(for:)`` gives the
/// form for tasks, which waits instead of refusing.
public final class AssetWriterInput: Sendable {
  /// What the input takes.
  public let mediaType: MediaType
  let settings: InputSettings
  private let setup = Mutex(Setup())

  private struct Setup {
    var expectsMediaDataInRealTime = false
    var core: WriterCore?
    var index = 0
    var name = "the input"
  }

  /// A video input.
  ///
  /// - Parameters:
  ///   - mediaType: Video; present to match Apple's signature.
  ///   - outputSettings: The track.
  ///   - sourceFormatHint: The format of the frames, if known: a frame in another layout is then
  ///     refused, and color, field order and pixel shape are taken from it.
  public init(
    mediaType: MediaType = .video, outputSettings: VideoOutputSettings,
    sourceFormatHint: VideoFormatDescription? = nil
  ) {
    self.mediaType = mediaType
    self.settings = .video(outputSettings, hint: sourceFormatHint)
  }

  /// An audio input.
  public init(mediaType: MediaType = .audio, outputSettings: AudioOutputSettings) {
    self.mediaType = mediaType
    self.settings = .audio(outputSettings)
  }

  /// True for a source that cannot wait. Such an input has a longer queue, and is never held back
  /// for the sake of interleaving. To be set before the writer starts.
  public var expectsMediaDataInRealTime: Bool {
    get { setup.withLock { $0.expectsMediaDataInRealTime } }
    set { setup.withLock { $0.expectsMediaDataInRealTime = newValue } }
  }

  /// True where an append would be taken now, and after a failure until the input is marked as finished: the
  /// next append throws it.
  public var isReadyForMoreMediaData: Bool {
    guard let (core, index) = binding else { return false }
    return core.isReady(index)
  }

  /// Hands a sample over.
  ///
  /// A refused sample leaves the writer as it was; the refusal is counted in the report. Only an
  /// error of the encoder or of the file ends writing, and every later append throws it.
  ///
  /// - Throws: What ended writing, or ``AssetWriterError/Code/invalidStatus``,
  ///   ``AssetWriterError/Code/sessionNotStarted``, ``AssetWriterError/Code/inputFinished``,
  ///   ``AssetWriterError/Code/notReady``, ``AssetWriterError/Code/trackTooFarAhead``,
  ///   ``AssetWriterError/Code/timeNotIncreasing``, ``AssetWriterError/Code/invalidTime``,
  ///   ``AssetWriterError/Code/formatMismatch``, ``AssetWriterError/Code/codecUnavailable``; the
  ///   status is looked at first, then the room, then the sample.
  public func append(_ sample: SampleBuffer) throws(AssetWriterError) {
    let (core, index) = try bound
    try core.append(sample, to: index)
  }

  /// Says that nothing more comes. The other inputs no longer wait for this one.
  ///
  /// - Throws: ``AssetWriterError/Code/inputNotAdded``, or as ``append(_:)`` for the status.
  public func markAsFinished() throws(AssetWriterError) {
    let (core, index) = try bound
    try core.markAsFinished(index)
  }

  /// Waits until an append would be taken, or would be refused for another reason than room.
  ///
  /// - Throws: ``AssetWriterError/Code/inputNotAdded``.
  public func waitUntilReadyForMoreMediaData() async throws(AssetWriterError) {
    let (core, index) = try bound
    await core.waitUntilReady(index)
  }

  // MARK: Within the module

  var binding: (WriterCore, Int)? {
    setup.withLock { setup in setup.core.map { ($0, setup.index) } }
  }

  var bound: (WriterCore, Int) {
    get throws(AssetWriterError) {
      if let binding { return binding }
      throw AssetWriterError(
        .inputNotAdded, "the input belongs to no writer; call AssetWriter.add(_:) first")
    }
  }

  var isBound: Bool { setup.withLock { $0.core != nil } }

  func bind(to core: WriterCore, index: Int) {
    setup.withLock {
      $0.core = core
      $0.index = index
    }
  }

  func validate() throws(AssetWriterError) {
    guard mediaType == settings.mediaType else {
      throw AssetWriterError(
        .invalidSettings,
        "\(settings.mediaType) settings do not describe a track of type \(mediaType)")
    }
    try settings.validate()
    guard case .video(let video, let hint) = settings else { return }
    _ = try EncoderCapabilities.current.resolve(video.encoder)
    if let format = hint?.pixelFormat {
      try EncoderCapabilities.current.check(format, feeds: video.codec)
    }
  }

  func makeState(number: Int) -> InputState {
    InputState(
      settings, name: "\(mediaType == .video ? "video" : "audio") input \(number)",
      isRealTime: expectsMediaDataInRealTime)
  }
}
