public import AssetWriter
public import Dispatch
public import MediaCore
import QuickTime
import Synchronization

/// One stream of samples into a movie: pictures or audio, timecode, or by an
/// ``AVAssetWriterInputMetadataAdaptor`` metadata.
///
/// Settings with a mistake are kept until the input is added: the writer then fails, and its `error`
/// names the key.
public final class AVAssetWriterInput: Sendable {
  /// What the input takes.
  public let mediaType: AVMediaType
  /// The input behind, or what is wrong with its settings.
  var base: Result<AssetWriterInput, AVError> {
    state.withLock { state in state.metadataError.map { .failure($0) } ?? state.base }
  }
  let state: Mutex<State>

  struct State: Sendable {
    var base: Result<AssetWriterInput, AVError>
    var refusal: AVError?
    /// Why a property was left as it was, until it is put right; the next append is refused for it.
    var mistake: (property: Property, error: AVError)?
    var hint: CMFormatDescription?
    var transform = CGAffineTransform.identity
    var naturalSize = CGSize(width: 0, height: 0)
    /// Of the track.
    var metadata = MovieMetadata()
    /// What is wrong with the metadata that were set last.
    var metadataError: AVError?
    weak var writer: AVAssetWriter?
    /// True once the program has said that nothing more comes.
    var isFinished = false
    /// True once a writer or an adaptor has the input.
    var isInUse = false
    var outputSettings: OutputSettings?
    /// True if a program gave no settings.
    var keepsSamples = false
    /// What an input of metadata or timecode was given; nil for pictures and audio.
    var data: DataTrack?
    var pass = Pass()

    /// Notes that a property stays as it is.
    mutating func refuse(_ property: Property, _ reason: String) {
      mistake = (property, AVError(.operationNotAllowed, reason))
    }

    /// Notes that a property is as it was asked to be.
    mutating func settle(_ property: Property) {
      if mistake?.property == property { mistake = nil }
    }

    /// Why a property cannot be changed now; nil if it can.
    func obstacle(to property: Property) -> String? {
      if isInUse { return "a track's \(property) is set before the input is used" }
      return outputSettings == nil
        ? "a track's \(property) is set in the settings that the input was made with" : nil
    }

    /// Makes the input anew with other settings; false, and nothing is changed, where they are nil, and where the
    /// input is used already or has no settings of its own.
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

  /// What a program says of the track.
  enum Property: String, Sendable {
    case transform
    case title
    case language
    case size
  }

  enum OutputSettings: Sendable {
    case video(VideoOutputSettings)
    case audio(AudioOutputSettings)

    /// Settings for samples as they are.
    fileprivate init(
      carrying mediaType: AVMediaType, _ hint: CMFormatDescription?
    ) throws(AVError) {
      switch (mediaType, hint) {
      case (.video, .video(let hint)?): self = .video(try VideoOutputSettings(carrying: hint))
      case (.audio, .audio(let hint)?): self = .audio(AudioOutputSettings(format: hint))
      default:
        throw AVError(
          .unsupportedOutputSettings,
          "output settings of nil write linear PCM, and compressed pictures, as a sourceFormatHint describes"
            + " them; name a codec, or give the hint")
      }
    }

    /// Settings of a dictionary, with what the hint says for what they leave out.
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
          .unsupportedOutputSettings, "an input of \(mediaType) has a hint of \(hint.mediaType)")
      default:
        throw AVError(
          .unsupportedOutputSettings, "no track of \(mediaType) is made of appended samples")
      }
    }

    /// An input of this package's for a track of these settings.
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

  /// An input that makes a track of appended samples.
  ///
  /// - Parameters:
  ///   - mediaType: Pictures or audio.
  ///   - outputSettings: The track. Nil for metadata and timecode, and for samples as they are, with a hint of linear
  ///     PCM or of the compressed pictures that a ``VTCompressionSession`` gives.
  ///   - sourceFormatHint: What the samples will be: for what the settings leave out.
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
    // Samples that are carried say themselves what they are.
    let base = settings.map { $0.makeInput(for: outputSettings == nil ? nil : sourceFormatHint) }
    state = Mutex(
      State(
        base: base, hint: sourceFormatHint, outputSettings: try? settings.get(),
        keepsSamples: outputSettings == nil,
        data: outputSettings == nil ? DataTrack(mediaType, hint: sourceFormatHint) : nil))
  }

  /// An input like one of this package's own, with all that its typed settings offer.
  public init(_ input: AssetWriterInput) {
    mediaType = input.mediaType
    state = Mutex(State(base: .success(input)))
  }

  /// The settings of the track; nil for samples as they are, for a mistaken input and one with typed settings.
  public var outputSettings: [String: Any]? {
    switch state.withLock({ $0.keepsSamples ? nil : $0.outputSettings }) {
    case .video(let video)?: video.dictionary
    case .audio(let audio)?: audio.dictionary
    case nil: nil
    }
  }

  /// What the samples will be, as it was given.
  public var sourceFormatHint: CMFormatDescription? { state.withLock { $0.hint } }

  /// How a player turns the pictures: by quarters, told to players and not done to the pictures. To be set
  /// before an adaptor is made and the input is added to a writer; else, and for another transform, the
  /// next append is refused, and the writer's `error` says why.
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
            "a transform is of quarter turns, of a video input, and set before the input is used")
        }
      }
    }
  }

  /// From now on the input stays as it is.
  func noteUse(by writer: AVAssetWriter? = nil) {
    state.withLock { state in
      state.isInUse = true
      state.writer = state.writer ?? writer
    }
  }

  /// 0: pictures' times are kept to 1/1200000 s. Setting it has no effect.
  public var mediaTimeScale: CMTimeScale {
    get { 0 }
    set {}
  }

  /// False: every frame is made once. Setting it has no effect.
  public var performsMultiPassEncodingIfSupported: Bool {
    get { false }
    set {}
  }

  /// True for a source that cannot wait.
  public var expectsMediaDataInRealTime: Bool {
    get { (try? base.get())?.expectsMediaDataInRealTime ?? false }
    set { (try? base.get())?.expectsMediaDataInRealTime = newValue }
  }

  /// True if an append would be taken now, and where it would show that the writer has failed; false once the pass
  /// has ended.
  public var isReadyForMoreMediaData: Bool {
    guard !state.withLock({ $0.pass.isFinished }) else { return false }
    guard writerMistake == nil else { return state.withLock { !$0.isFinished } }
    if let isAsking = state.withLock({ $0.data?.isAsking }) { return isAsking }
    return (try? base.get())?.isReadyForMoreMediaData ?? false
  }

  /// Hands a sample over.
  ///
  /// A picture is written at its own time, unless the settings have a rate (`AVVideoExpectedSourceFrameRateKey`):
  /// then the track has that, and the picture the slot that is nearest to its time.
  ///
  /// - Returns: False where it was not taken; the writer's `error` says why.
  @discardableResult
  public func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
    if let picture = sampleBuffer.compressedPicture {
      return append(picture, of: sampleBuffer)
    }
    if isData || sampleBuffer.dataSample != nil {
      return appendData { data throws(AVError) in try data.append(sampleBuffer) }
    }
    guard !sampleBuffer.awaitsSound else {
      refuse(
        AVError(
          .operationNotAllowed,
          "the sample's sound is not set yet; call CMSampleBufferSetDataBufferFromAudioBufferList before"
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
          .mediaChanged, "the input was made without settings, for pictures that are compressed"))
      return false
    }
    let sampleBuffer = sampleBuffer.withSuppliedSound.withAttachedColor()
    return attempt { input throws(AssetWriterError) in try input.append(sampleBuffer) }
  }

  /// Says that nothing more comes.
  public func markAsFinished() {
    // A program's block is let go outside of the lock.
    _ = state.withLock { state in
      state.isFinished = true
      state.pass.isFinished = true
      state.pass.description = nil
      return state.pass.response.take()
    }
    if isData { return state.withLock { $0.data?.isFinished = true } }
    attempt { input throws(AssetWriterError) in try input.markAsFinished() }
  }

  /// Calls `block` on a queue whenever samples would be taken, until the pass or the input is finished or writing
  /// ends. One that returns before that is called again, after a few milliseconds where it appended nothing.
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

  /// Why a property was not changed, or the last call was refused; nil if it was not.
  var refusal: AVError? { state.withLock { $0.mistake?.error ?? $0.refusal } }

  /// The mistake for which the writer takes nothing more; nil for none.
  var writerMistake: AVError? { state.withLock { $0.writer }?.mistake }

  func takeMistake() -> AVError? {
    state.withLock { state in
      defer { state.mistake = nil }
      return state.mistake?.error
    }
  }

  /// Notes why something was refused.
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
  /// What the input takes, and the settings that it was given.
  public var description: String {
    "<AVAssetWriterInput: \(mediaType.rawValue), \(outputSettings ?? [:])>"
  }
  /// Same as ``description``.
  public var debugDescription: String { description }
}

extension AVAssetWriterInput: Hashable {
  /// True for the same object.
  public static func == (lhs: AVAssetWriterInput, rhs: AVAssetWriterInput) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension VideoOutputSettings {
  /// The same for a track whose frames have the times of their samples.
  fileprivate var keepingTimes: VideoOutputSettings {
    var settings = self
    settings.keepsFrameTimes = true
    return settings
  }
}
