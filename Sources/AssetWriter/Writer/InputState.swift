import MediaCore

/// One input while its writer is at work.
struct InputState {
  /// What the input carries. A video track exists once it has an encoder: from the start if
  /// the settings are complete, else from the first frame on.
  enum Track {
    case unprepared
    case video(VideoTrackState)
    case audio(AudioTrackState)
  }

  let settings: InputSettings
  let name: String
  var isRealTime: Bool
  var track: Track
  var isFinished = false
  /// Appends that were refused, by ``AssetWriterError/Code``.
  private var refusals: [String: Int] = [:]
  var readiness = Readiness()

  /// Those who wait until the input takes samples.
  struct Readiness {
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// Those who wait for slower tracks; true for going on.
    var leadWaiters: [LeadWaiter: CheckedContinuation<Bool, Never>] = [:]
    /// The block to call whenever the input is ready for samples.
    var request = Request.none

    /// Where the call of a request's block stands.
    enum Request {
      case none
      /// To be called once the input takes samples.
      case waiting(MediaRequest)
      /// Called, or about to be, and not back yet; whether the input took samples meanwhile.
      case called(MediaRequest, hasAppended: Bool)

      /// True where a call is to come.
      var isWaiting: Bool { if case .waiting = self { true } else { false } }
    }
  }

  init(_ settings: InputSettings, name: String, isRealTime: Bool) {
    self.settings = settings
    self.name = name
    self.isRealTime = isRealTime
    track = .unprepared
  }

  var isFull: Bool {
    switch track {
    case .unprepared: false
    case .video(let video): video.queue.isFull
    case .audio(let audio): audio.isFull
    }
  }

  /// Seconds from the session's start to the end of what was appended.
  var acceptedTime: Double {
    switch track {
    case .unprepared: 0
    case .video(let video): video.acceptedTime
    case .audio(let audio): audio.acceptedTime
    }
  }

  /// Seconds from the session's start to the first thing that was not written.
  var headTime: Double {
    switch track {
    case .unprepared: 0
    case .video(let video): video.headTime
    case .audio(let audio): audio.headTime
    }
  }

  /// The first place that is not written, a slot or a sample; nil before there is a track.
  var writtenEnd: Int64? {
    switch track {
    case .unprepared: nil
    case .video(let video): video.writtenEnd
    case .audio(let audio): audio.written
    }
  }

  /// Memory of what is ready to be written, in bytes.
  var heldBytes: Int64 {
    switch track {
    case .unprepared: 0
    case .video(let video): video.queue.encodedMemory
    case .audio(let audio):
      (audio.position - audio.written) * Int64(audio.settings.format.bytesPerFrame)
    }
  }

  /// True where nothing was taken.
  var isEmpty: Bool {
    switch track {
    case .unprepared: true
    case .video(let video): video.slots.last == nil
    case .audio(let audio): audio.position == 0
    }
  }

  /// True where nothing is in flight and nothing will come.
  var isDrained: Bool {
    guard isFinished else { return false }
    switch track {
    case .unprepared: return true
    case .video(let video): return video.queue.isEmpty
    case .audio(let audio): return audio.pieces.isEmpty
    }
  }

  /// Changes the video track where it stands, so that its queues are not copied; nil for another.
  @discardableResult
  mutating func withVideo<Result, Failure: Error>(
    _ body: (inout VideoTrackState) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard case .video(var video) = track else { return nil }
    track = .unprepared
    defer { track = .video(video) }
    return try body(&video)
  }

  /// Changes the audio track where it stands; nil for another.
  @discardableResult
  mutating func withAudio<Result, Failure: Error>(
    _ body: (inout AudioTrackState) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard case .audio(var audio) = track else { return nil }
    track = .unprepared
    defer { track = .audio(audio) }
    return try body(&audio)
  }

  /// An audio track needs nothing but its settings.
  mutating func prepareAudio() {
    guard case .audio(let settings) = settings, case .unprepared = track else { return }
    // Audio waits for the first frame, which a live source may take seconds to deliver.
    let seconds = isRealTime ? 10 : 2
    track = .audio(AudioTrackState(settings: settings, depth: settings.format.sampleRate * seconds))
  }

  // MARK: Accounts

  mutating func refuse(_ error: AssetWriterError) {
    refusals[error.code.name, default: 0] += 1
  }

  /// Counts only what is kept when a take begins with a pre-roll, not what was discarded.
  mutating func restartAccount(from place: Int64) {
    refusals = [:]
    withVideo { $0.account.restart(inFlight: $0.queue.count, encoded: $0.queue.encodedCount) }
    withAudio { $0.account.restart(kept: $0.position - place) }
  }

  /// Counts what the files hold in the end.
  mutating func settleAccount(_ held: HeldMedia) {
    withVideo { $0.account.settle(held) }
    withAudio { $0.account.settle(held) }
  }

  /// The sample rate of linear PCM; nil for other inputs.
  var plainAudioRate: Int? {
    guard case .audio(let settings) = settings, settings.compression == .none else { return nil }
    return settings.format.sampleRate
  }

  /// Where the frames of a video input are; nil before it has an encoder.
  var videoFlow: AssetWriter.VideoFlow? {
    if case .video(let video) = track { video.account.flow } else { nil }
  }

  /// The account of a video input.
  var videoSummary: AssetWriter.Report.VideoTrack? {
    guard case .video(let settings, _) = settings else { return nil }
    var summary = AssetWriter.Report.VideoTrack()
    if case .video(let video) = track {
      summary = video.account.summary
      summary.duration = video.headTime
    }
    summary.codec = settings.codec.rawValue
    summary.refusals = refusals
    return summary
  }

  /// The account of an audio input.
  var audioSummary: AssetWriter.Report.AudioTrack? {
    guard case .audio = settings else { return nil }
    var summary = AssetWriter.Report.AudioTrack()
    if case .audio(let audio) = track { summary = audio.account.summary }
    summary.refusals = refusals
    return summary
  }
}

/// One who waits for slower tracks.
final class LeadWaiter: Hashable, Sendable {
  static func == (lhs: LeadWaiter, rhs: LeadWaiter) -> Bool { lhs === rhs }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The settings of an input of either kind.
enum InputSettings: Hashable, Sendable {
  case video(VideoOutputSettings, hint: VideoFormatDescription?)
  case audio(AudioOutputSettings)

  var mediaType: MediaType {
    switch self {
    case .video: .video
    case .audio: .audio
    }
  }

  func validate() throws(AssetWriterError) {
    switch self {
    case .video(let settings, _): try settings.validate()
    case .audio(let settings): try settings.validate()
    }
  }
}
