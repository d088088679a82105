public import AssetWriter
public import Dispatch
public import MediaCore
import QuickTime
import Synchronization

/// A stream of samples for a movie: video, audio or timecode, or metadata through an
/// ``AVAssetWriterInputMetadataAdaptor``.
///
/// An error in the settings is kept until the input is added: the writer then fails, and its `error` names the key.
public final class AVAssetWriterInput: Sendable {
  public let mediaType: AVMediaType
  /// The underlying input, or the error in its settings.
  var base: Result<AssetWriterInput, AVError> {
    state.withLock { state in state.metadataError.map { .failure($0) } ?? state.base }
  }
  let state: Mutex<State>

  struct State: Sendable {
    var base: Result<AssetWriterInput, AVError>
    var refusal: AVError?
    /// Why a property was not changed, until it is set correctly. The next append fails with it.
    var mistake: (property: Property, error: AVError)?
    var hint: CMFormatDescription?
    var transform = CGAffineTransform.identity
    var naturalSize = CGSize(width: 0, height: 0)
    /// The track's metadata.
    var metadata = MovieMetadata()
    /// The error in the metadata set last.
    var metadataError: AVError?
    weak var writer: AVAssetWriter?
    /// True once the program has finished the input.
    var isFinished = false
    /// True once the input belongs to a writer or an adaptor.
    var isInUse = false
    var outputSettings: OutputSettings?
    /// True if the program passed no settings.
    var keepsSamples = false
    /// The track of a metadata or timecode input; nil for video and audio.
    var data: DataTrack?
    var pass = Pass()

    /// Records that a property could not be changed.
    mutating func refuse(_ property: Property, _ reason: String) {
      mistake = (property, AVError(.operationNotAllowed, reason))
    }

    /// Clears the error of a property that was set correctly.
    mutating func settle(_ property: Property) {
      if mistake?.property == property { mistake = nil }
    }

    /// Why a property cannot be changed now; nil if it can.
    func obstacle(to property: Property) -> String? {
      if isInUse { return "set a track's \(property) before the input is used" }
      return outputSettings == nil
        ? "set a track's \(property) in the settings that the input was made with" : nil
    }

    /// Recreates the input with other settings. Returns false and changes nothing if they are nil, or if the input is
    /// already used or has no settings of its own.
    @discardableResult
    mutating func remake(with change: (OutputSettings) -> OutputSettings?) -> Bool {
      guard !isInUse, case .success(let before) = base,
        let changed = outputSettings.flatMap(change)
      else { return false }
      let input = changed.makeInput(for: hint)
      input.expectsMediaDataInRealTime = before.expectsMediaDataInRealTime
      base = .success(input)
      outputSettings = changed
      return true
    }
  }

  /// A property of the track that a program sets.
  enum Property: String, Sendable {
    case transform
    case title
    case language
    case size
  }

  enum OutputSettings: Sendable {
    case video(VideoOutputSettings)
    case audio(AudioOutputSettings)

    /// Settings for samples that are written unchanged.
    fileprivate init(
      carrying mediaType: AVMediaType, _ hint: CMFormatDescription?
    ) throws(AVError) {
      switch (mediaType, hint) {
      case (.video, .video(let hint)?): self = .video(try VideoOutputSettings(carrying: hint))
      case (.audio, .audio(let hint)?): self = .audio(AudioOutputSettings(format: hint))
      default:
        throw AVError(
          .unsupportedOutputSettings,
          "output settings of nil write linear PCM or compressed frames as described by a sourceFormatHint"
            + "; set a codec, or pass the hint")
      }
    }

    /// Settings from a dictionary. The hint supplies omitted values.
    fileprivate init(
      _ dictionary: [String: Any], _ mediaType: AVMediaType, _ hint: CMFormatDescription?
    ) throws(AVError) {
      switch (mediaType, hint) {
      case (.video, .video(let hint)?):
        self = .video(try VideoOutputSettings(dictionary: dictionary, source: hint).keepingTimes)
      case (.video, nil):
        self = .video(try VideoOutputSettings(dictionary: dictionary).keepingTimes)
      case (.audio, .audio(let hint)?):
        self = .audio(try AudioOutputSettings(dictionary: dictionary, source: hint))
      case (.audio, nil): self = .audio(try AudioOutputSettings(dictionary: dictionary))
      case (_, let hint?):
        throw AVError(
          .unsupportedOutputSettings,
          "an input of \(mediaType) cannot have a hint of \(hint.mediaType)")
      default:
        throw AVError(
          .unsupportedOutputSettings,
          "a track of \(mediaType) cannot be made from appended samples")
      }
    }

    /// The underlying input for a track with these settings.
    fileprivate func makeInput(for hint: CMFormatDescription?) -> AssetWriterInput {
      switch self {
      case .video(let settings):
        var source: VideoFormatDescription?
        if case .video(let video)? = hint { source = video }
        return AssetWriterInput(outputSettings: settings, sourceFormatHint: source)
      case .audio(let settings): return AssetWriterInput(outputSettings: settings)
      }
    }
  }

  /// An input that makes a track from appended samples.
  ///
  /// - Parameters:
  ///   - mediaType: The media type.
  ///   - outputSettings: The track's settings. Nil for metadata and timecode, and for samples that are written
  ///     unchanged; these need a hint of linear PCM, or of the compressed frames that a ``VTCompressionSession``
  ///     outputs.
  ///   - sourceFormatHint: The format of the samples, for values that the settings omit.
  public init(
    mediaType: AVMediaType, outputSettings: [String: Any]?,
    sourceFormatHint: CMFormatDescription? = nil
  ) {
    self.mediaType = mediaType
    let settings = Result { () throws(AVError) in
      guard let outputSettings else {
        return try OutputSettings(carrying: mediaType, sourceFormatHint)
      }
      return try OutputSettings(outputSettings, mediaType, sourceFormatHint)
    }
    // Samples that are written unchanged describe themselves.
    let base = settings.map { $0.makeInput(for: outputSettings == nil ? nil : sourceFormatHint) }
    state = Mutex(
      State(
        base: base, hint: sourceFormatHint, outputSettings: try? settings.get(),
        keepsSamples: outputSettings == nil,
        data: outputSettings == nil ? DataTrack(mediaType, hint: sourceFormatHint) : nil))
  }

  /// An input that wraps one of this package's own, with its typed settings.
  public init(_ input: AssetWriterInput) {
    mediaType = input.mediaType
    state = Mutex(State(base: .success(input)))
  }

  /// The settings of the track; nil for samples that are written unchanged, for invalid settings, and for typed
  /// settings.
  public var outputSettings: [String: Any]? {
    switch state.withLock({ $0.keepsSamples ? nil : $0.outputSettings }) {
    case .video(let video)?: video.dictionary
    case .audio(let audio)?: audio.dictionary
    case nil: nil
    }
  }

  /// The format hint, as it was passed.
  public var sourceFormatHint: CMFormatDescription? { state.withLock { $0.hint } }

  /// How players transform the video: rotations by multiples of 90 degrees. Frames are not changed. Set it before an
  /// adaptor is created and before the input is added to a writer. If it is set later, or is another transform, the
  /// next append fails, and the writer's `error` says why.
  public var transform: CGAffineTransform {
    get { state.withLock { $0.transform } }
    set {
      state.withLock { state in
        guard newValue != state.transform else { return state.settle(.transform) }
        let turns = newValue.quarterTurns
        let isTaken = state.remake { settings in
          guard let turns, case .video(var video) = settings else { return nil }
          video.quarterTurns = turns
          return .video(video)
        }
        if isTaken {
          state.transform = newValue
          state.settle(.transform)
        } else {
          state.refuse(
            .transform,
            "a transform must rotate video by quarter turns; set it before the input is used")
        }
      }
    }
  }

  /// Prevents further changes to the input's settings.
  func noteUse(by writer: AVAssetWriter? = nil) {
    state.withLock { state in
      state.isInUse = true
      state.writer = state.writer ?? writer
    }
  }

  /// 0: times of frames are stored in units of 1/1200000 s. Setting it has no effect.
  public var mediaTimeScale: CMTimeScale {
    get { 0 }
    set {}
  }

  /// False: there is one encoding pass. Setting it has no effect.
  public var performsMultiPassEncodingIfSupported: Bool {
    get { false }
    set {}
  }

  /// True for a real-time source.
  public var expectsMediaDataInRealTime: Bool {
    get { (try? base.get())?.expectsMediaDataInRealTime ?? false }
    set { (try? base.get())?.expectsMediaDataInRealTime = newValue }
  }

  /// True if a sample can be appended now, or if an append would report that the writer has failed; false once the
  /// pass has ended.
  public var isReadyForMoreMediaData: Bool {
    guard !state.withLock({ $0.pass.isFinished }) else { return false }
    guard writerMistake == nil else { return state.withLock { !$0.isFinished } }
    if let isAsking = state.withLock({ $0.data?.isAsking }) { return isAsking }
    return (try? base.get())?.isReadyForMoreMediaData ?? false
  }

  /// Appends a sample.
  ///
  /// A frame is written at its own time, unless the settings have a frame rate (`AVVideoExpectedSourceFrameRateKey`).
  /// The track then has that rate, and the frame is written at the nearest frame time.
  ///
  /// - Returns: False on failure; the writer's `error` says why.
  @discardableResult
  public func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
    if let frame = sampleBuffer.compressedFrame {
      return append(frame, of: sampleBuffer)
    }
    if isData || sampleBuffer.dataSample != nil {
      return appendData { data throws(AVError) in try data.append(sampleBuffer) }
    }
    guard !sampleBuffer.awaitsAudio else {
      refuse(
        AVError(
          .operationNotAllowed,
          "the sample's audio was not set yet; call CMSampleBufferSetDataBufferFromAudioBufferList first"
        ))
      return false
    }
    if let mistake = writerMistake ?? takeMistake() {
      refuse(mistake)
      return false
    }
    if carriedFormat != nil, sampleBuffer.imageBuffer != nil {
      refuse(
        AVError(
          .mediaChanged, "the input was created without settings, for compressed frames"))
      return false
    }
    let sampleBuffer = sampleBuffer.withSuppliedAudio.withAttachedColor()
    return attempt { input throws(AssetWriterError) in try input.append(sampleBuffer) }
  }

  /// Marks the end of the input's samples.
  public func markAsFinished() {
    // Releases the program's block outside of the lock.
    _ = state.withLock { state in
      state.isFinished = true
      state.pass.isFinished = true
      state.pass.description = nil
      return state.pass.response.take()
    }
    if isData { return state.withLock { $0.data?.isFinished = true } }
    attempt { input throws(AssetWriterError) in try input.markAsFinished() }
  }

  /// Calls `block` on a queue whenever samples can be appended, until the pass or the input is finished or writing
  /// ends. If it returns earlier, it is called again, after a few milliseconds if it appended nothing.
  public func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) {
    let ask: @Sendable () -> Void = { [weak self] in
      guard self?.state.withLock({ $0.pass.isFinished }) != true else { return }
      block()
    }
    if isData { return requestData(on: queue, ask) }
    attempt { input throws(AssetWriterError) in
      try input.requestMediaDataWhenReady(on: queue, using: ask)
    }
  }

  /// Why a property was not changed or the last call failed; nil if neither applies.
  var refusal: AVError? { state.withLock { $0.mistake?.error ?? $0.refusal } }

  /// The writer's error, after which it rejects samples; nil for none.
  var writerMistake: AVError? { state.withLock { $0.writer }?.mistake }

  func takeMistake() -> AVError? {
    state.withLock { state in
      defer { state.mistake = nil }
      return state.mistake?.error
    }
  }

  /// Records why something was rejected.
  func refuse(_ error: AVError) { state.withLock { $0.refusal = error } }

  @discardableResult
  func attempt(_ call: (AssetWriterInput) throws(AssetWriterError) -> Void) -> Bool {
    let refusal: AVError?
    switch base {
    case .failure(let error): refusal = error
    case .success(let input):
      do throws(AssetWriterError) {
        try call(input)
        refusal = nil
      } catch { refusal = AVError(error) }
    }
    state.withLock { $0.refusal = refusal }
    return refusal == nil
  }
}

extension AVAssetWriterInput: CustomStringConvertible, CustomDebugStringConvertible {
  /// The media type and the settings.
  public var description: String {
    "<AVAssetWriterInput: \(mediaType.rawValue), \(outputSettings ?? [:])>"
  }
  /// Same as ``description``.
  public var debugDescription: String { description }
}

extension AVAssetWriterInput: Hashable {
  public static func == (lhs: AVAssetWriterInput, rhs: AVAssetWriterInput) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension VideoOutputSettings {
  /// The settings for a track whose frames keep their times.
  fileprivate var keepingTimes: VideoOutputSettings {
    var settings = self
    settings.keepsFrameTimes = true
    return settings
  }
}
