public import AssetWriter
public import Dispatch
public import MediaCore
import Synchronization
import VideoRecorder

/// One stream of samples into a movie: pictures or sound.
///
/// Settings with a mistake are kept until the input is added: the writer then fails, and its `error`
/// names the key.
public final class AVAssetWriterInput: Sendable {
  /// What the input takes.
  public let mediaType: AVMediaType
  /// The input behind, or what is wrong with its settings.
  let base: Result<AssetWriterInput, AVError>
  private let state: Mutex<State>

  private struct State: Sendable {
    var refusal: AVError?
    var outputSettings: OutputSettings?
    /// True where the track's rate is still to be seen.
    var awaitsRate = false
    /// The first picture, until the second one tells the rate.
    var held: CMSampleBuffer?

    /// Keeps the first picture back where it does not say how long it lasts.
    mutating func hold(_ sample: CMSampleBuffer) -> Bool {
      guard awaitsRate else { return false }
      awaitsRate = false
      guard !sample.duration.isNumeric else { return false }
      held = sample
      return true
    }
  }

  private enum OutputSettings: Sendable {
    case video(VideoOutputSettings)
    case audio(AudioOutputSettings)
  }

  /// An input that makes a track of appended samples.
  ///
  /// - Parameters:
  ///   - mediaType: Pictures or sound.
  ///   - outputSettings: The track. Nil, which with Apple's means samples as they are, is a mistake
  ///     here: only uncompressed samples can be appended.
  ///   - sourceFormatHint: What the samples will be: for what the settings leave out.
  public init(
    mediaType: AVMediaType, outputSettings: [String: Any]?,
    sourceFormatHint: CMFormatDescription? = nil
  ) {
    self.mediaType = mediaType
    var settings: OutputSettings?
    base = Result { () throws(AVError) in
      guard let outputSettings else {
        throw AVError(
          .unsupportedOutputSettings,
          "output settings of nil would write samples as they are; name a codec")
      }
      switch (mediaType, sourceFormatHint) {
      case (.video, .video(let hint)?):
        let video = try VideoOutputSettings(dictionary: outputSettings, source: hint)
        settings = .video(video)
        return AssetWriterInput(outputSettings: video, sourceFormatHint: hint)
      case (.video, nil):
        let video = try VideoOutputSettings(dictionary: outputSettings)
        settings = .video(video)
        return AssetWriterInput(outputSettings: video)
      case (.audio, .audio(let hint)?):
        let audio = try AudioOutputSettings(dictionary: outputSettings, source: hint)
        settings = .audio(audio)
        return AssetWriterInput(outputSettings: audio)
      case (.audio, nil):
        let audio = try AudioOutputSettings(dictionary: outputSettings)
        settings = .audio(audio)
        return AssetWriterInput(outputSettings: audio)
      case (_, let hint?):
        throw AVError(
          .unsupportedOutputSettings, "an input of \(mediaType) has a hint of \(hint.mediaType)")
      default:
        throw AVError(
          .unsupportedOutputSettings, "no track of \(mediaType) is made of appended samples")
      }
    }
    var awaitsRate = false
    if case .video(let video)? = settings { awaitsRate = video.frameRate == nil }
    state = Mutex(State(outputSettings: settings, awaitsRate: awaitsRate))
  }

  /// An input like one of this package's own, with all that its typed settings offer.
  public init(_ input: AssetWriterInput) {
    mediaType = input.mediaType
    base = .success(input)
    state = Mutex(State())
  }

  /// The settings of the track; nil for a mistaken input and one with typed settings.
  public var outputSettings: [String: Any]? {
    switch state.withLock({ $0.outputSettings }) {
    case .video(let video)?: video.dictionary
    case .audio(let audio)?: audio.dictionary
    case nil: nil
    }
  }

  /// True for a source that cannot wait.
  public var expectsMediaDataInRealTime: Bool {
    get { (try? base.get())?.expectsMediaDataInRealTime ?? false }
    set { (try? base.get())?.expectsMediaDataInRealTime = newValue }
  }

  /// True where an append would be taken now.
  public var isReadyForMoreMediaData: Bool {
    (try? base.get())?.isReadyForMoreMediaData ?? false
  }

  /// Hands a sample over.
  ///
  /// A track has a constant rate. Where neither the settings nor the first picture's duration tell it,
  /// that picture waits for the second one, and the time between them does.
  ///
  /// - Returns: False where it was not taken; the writer's `error` says why.
  @discardableResult
  public func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
    if isReadyForMoreMediaData, state.withLock({ $0.hold(sampleBuffer) }) { return true }
    return release(before: sampleBuffer)
      && attempt { input throws(AssetWriterError) in try input.append(sampleBuffer) }
  }

  /// Hands over a picture that was kept back; without a second one it lasts for 1/25 s.
  @discardableResult
  func release(before next: CMSampleBuffer? = nil) -> Bool {
    guard var held = state.withLock({ $0.held.take() }) else { return true }
    let distance = next.map { $0.presentationTimeStamp - held.presentationTimeStamp }
    held.duration = FrameRate(nearDuration: distance ?? .invalid).frameDuration
    return attempt { input throws(AssetWriterError) in try input.append(held) }
  }

  /// Says that nothing more comes.
  public func markAsFinished() {
    guard release() else { return }
    attempt { input throws(AssetWriterError) in try input.markAsFinished() }
  }

  /// Calls `block` on a queue whenever samples would be taken, until the input is finished.
  public func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) {
    attempt { input throws(AssetWriterError) in
      try input.requestMediaDataWhenReady(on: queue, using: block)
    }
  }

  /// Why the last call was refused; nil where it was not.
  var refusal: AVError? { state.withLock { $0.refusal } }

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

extension FrameRate {
  /// The rate of frames that far apart: a usual one where it is within 0.2 %, for clocks jitter; 25
  /// where the distance makes no sense.
  fileprivate init(nearDuration duration: CMTime) {
    let seconds = duration.seconds
    let usual = FrameRate.standard.min {
      (seconds * $0.framesPerSecond - 1).magnitude < (seconds * $1.framesPerSecond - 1).magnitude
    }
    if let usual, (seconds * usual.framesPerSecond - 1).magnitude < 0.002 {
      self = usual
    } else {
      self = FrameRate(frameDuration: duration) ?? .fps25
    }
  }
}
