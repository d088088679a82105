public import AssetWriter
import CaptureDevices
public import MediaCore
public import QuickTime
import Synchronization

/// How recordings are made.
extension CaptureMovieFileOutput {
  /// How the next recording is made.
  public var options: RecordingOptions {
    get { state.withLock { $0.options } }
    set { state.withLock { $0.options = newValue } }
  }

  /// The tiers of input that may be recorded.
  public var allowedTiers: Set<FormatTier> {
    get { options.allowedTiers }
    set { state.withLock { $0.options.allowedTiers = newValue } }
  }

  /// The most frames; nil for no limit.
  public var maxRecordedFrameCount: Int? {
    get { options.maxRecordedFrameCount }
    set { state.withLock { $0.options.maxRecordedFrameCount = newValue } }
  }

  /// How much of the movie a crash or a power cut can cost.
  public var movieFragmentInterval: MediaTime {
    get { options.movieFragmentInterval }
    set { state.withLock { $0.options.movieFragmentInterval = newValue } }
  }

  /// Where the take is cut into several movies.
  public var segmentPolicy: SegmentPolicy {
    get { options.segments }
    set { state.withLock { $0.options.segments = newValue } }
  }

  /// The pre-roll: how much of the past a recording begins with, if the output stands by.
  public var preRollDuration: MediaTime {
    get { options.preRollDuration }
    set { state.withLock { $0.options.preRollDuration = newValue } }
  }

  /// The most memory the pre-roll may take, in bytes.
  public var preRollByteLimit: Int64 {
    get { options.preRollByteLimit }
    set { state.withLock { $0.options.preRollByteLimit = newValue } }
  }

  /// Metadata for the movie, besides what the output itself writes: device, format, tier, date.
  @_disfavoredOverload  // AVFoundationCompat's form comes first where both fit.
  public var metadata: MovieMetadata {
    get { options.metadata }
    set { setMetadata(.success(newValue)) }
  }

  /// ``metadata`` under a name that no other module declares. A failure makes recordings fail at their
  /// start, until valid metadata are set.
  package func setMetadata(_ metadata: Result<MovieMetadata, CaptureError>) {
    state.withLock { state in
      state.metadataRefusal = nil
      switch metadata {
      case .success(let facts): state.options.metadata = facts
      case .failure(let error): state.metadataRefusal = error
      }
    }
  }

  /// The codecs that can be recorded now, smallest rate first.
  ///
  /// That depends on the active format of the connected device and on the encoders of this machine:
  /// none before a format of an allowed tier is active; 4444 and XQ only from 4:4:4 (TN3104,
  /// "Configuring the output").
  public var availableVideoCodecTypes: [VideoCodecType] {
    guard let connection = connection(with: .video) else { return [] }
    return (try? availableCodecs(of: connection, encoder: options.encoder)) ?? []
  }

  /// Chooses codec and encoder of a video connection.
  ///
  /// - Throws: `CaptureError.Code.invalidArgument` for a connection that is not the output's or
  ///   carries no video, and for another size than the active format's: frames are not scaled.
  ///   `CaptureError.Code.codecUnavailable` and `CaptureError.Code.formatUnavailable` if the
  ///   active format cannot feed the codec.
  public func setOutputSettings(
    _ settings: VideoOutputSettings, for connection: CaptureConnection
  ) throws(CaptureError) {
    try check(connection, carries: .video)
    try checkCodec(settings.codec, of: connection, encoder: settings.encoder)
    try checkSize(settings.dimensions, of: connection)
    choose(.settings(settings), for: connection)
  }

  /// Chooses the codec of a video connection. All other settings follow the source at the time the
  /// recording begins.
  ///
  /// - Throws: As ``setOutputSettings(_:for:)-(VideoOutputSettings,_)``.
  public func setVideoCodec(
    _ codec: VideoCodecType, encoder: EncoderChoice = .automatic, for connection: CaptureConnection
  ) throws(CaptureError) {
    try check(connection, carries: .video)
    try checkCodec(codec, of: connection, encoder: encoder)
    choose(.codec(codec, encoder), for: connection)
  }

  private func choose(_ choice: VideoChoice, for connection: CaptureConnection) {
    state.withLock { state in
      state.videoChoices[ObjectIdentifier(connection)] = choice
      state.refusals[ObjectIdentifier(connection)] = nil
    }
  }

  /// Chooses how the audio of a connection is stored.
  ///
  /// - Throws: `CaptureError.Code.invalidArgument` for a connection that is not the output's or
  ///   carries no audio, and for compressed audio.
  public func setOutputSettings(
    _ settings: AudioOutputSettings, for connection: CaptureConnection
  ) throws(CaptureError) {
    try check(connection, carries: .audio)
    guard settings.compression == .none else {
      throw CaptureError(
        .invalidArgument,
        "a movie output records only linear PCM; use an asset writer for compressed audio")
    }
    state.withLock { state in
      state.audioSettings[ObjectIdentifier(connection)] = settings
      state.refusals[ObjectIdentifier(connection)] = nil
    }
  }

  /// Makes recordings fail with the reason why settings were refused, until valid ones are set. For
  /// setters that cannot throw.
  package func refuseRecording(from connection: CaptureConnection, because error: CaptureError) {
    state.withLock { $0.refusals[ObjectIdentifier(connection)] = error }
  }

  /// The settings for a video connection: those that were set, or else ProRes 422 HQ in the source's format;
  /// nil if it cannot be recorded.
  @_disfavoredOverload  // AVFoundationCompat's form comes first where both fit.
  public func outputSettings(for connection: CaptureConnection) -> VideoOutputSettings? {
    chosenSettings(for: connection)
  }

  /// ``outputSettings(for:)`` under a name that no other module declares.
  package func chosenSettings(for connection: CaptureConnection) -> VideoOutputSettings? {
    guard case .video(let video)? = connection.formatDescription else { return nil }
    let choice = state.withLock { $0.videoChoices[ObjectIdentifier(connection)] }
    switch choice ?? .codec(.proRes422HQ, options.encoder) {
    case .settings(let settings): return settings
    case .codec(let codec, let encoder):
      var settings = VideoOutputSettings(
        codec: codec, video: video, frameRate: connection.frameRate, encoder: encoder)
      let source = connection.metadata
      settings.masteringDisplay = options.masteringDisplay ?? source.masteringDisplay
      settings.contentLightLevel = options.contentLightLevel ?? source.contentLightLevel
      return settings
    }
  }

  /// The settings for an audio connection; nil for one without audio.
  public func audioOutputSettings(for connection: CaptureConnection) -> AudioOutputSettings? {
    guard case .audio(let format)? = connection.formatDescription else { return nil }
    return state.withLock { $0.audioSettings[ObjectIdentifier(connection)] }
      ?? AudioOutputSettings(recommendedFor: format)
  }
}
