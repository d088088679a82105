import MediaCore

/// One input while its writer is at work.
struct InputState {
  /// What the input carries. A video track is there once its first picture was.
  enum Track {
    case unprepared
    case video(VideoTrackState)
    case audio(AudioTrackState)
  }

  let settings: InputSettings
  var isRealTime: Bool
  let name: String
  var track: Track
  var isFinished = false
  var account = Account()
  var waiters: [CheckedContinuation<Void, Never>] = []
  var readyHandler: (@Sendable () -> Void)?
  /// True once the handler's owner found the input not ready: it is called when that changes.
  var awaitsReadiness = false

  /// Counts, whichever kind the input is.
  struct Account {
    var video = AssetWriter.Report.VideoTrack()
    var audio = AssetWriter.Report.AudioTrack()
    var encodeTime = Distribution.Tally()
    var latency = Distribution.Tally()
    var fileLatency = Distribution.Tally()
  }

  var isFull: Bool {
    switch track {
    case .unprepared: false
    case .video(let video): video.isFull
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

  /// True where nothing is in flight and nothing will come.
  var isDrained: Bool {
    guard isFinished else { return false }
    switch track {
    case .unprepared: return true
    case .video(let video): return video.pending.isEmpty
    case .audio(let audio): return audio.pieces.isEmpty
    }
  }

  /// Changes the video track where it stands, so that its queues are not copied; nil for another.
  mutating func withVideo<Result, Failure: Error>(
    _ body: (inout VideoTrackState) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard case .video(var video) = track else { return nil }
    track = .unprepared
    defer { track = .video(video) }
    return try body(&video)
  }

  /// Changes the audio track where it stands; nil for another.
  mutating func withAudio<Result, Failure: Error>(
    _ body: (inout AudioTrackState) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard case .audio(var audio) = track else { return nil }
    track = .unprepared
    defer { track = .audio(audio) }
    return try body(&audio)
  }

  /// Takes up a video track that was set up for the first picture.
  mutating func begin(_ video: VideoTrackState) {
    account.video.encoder = video.encoder.name
    account.video.targetFrameBytes = video.configuration.targetFrameBytes
    account.video.queueDepth = video.depth
    account.video.pictureQueueDepth = video.pictureDepth
    account.video.queueDuration = Double(video.depth) / video.rate.framesPerSecond
    track = .video(video)
  }

  mutating func refuse(_ error: AssetWriterError) {
    let code = error.code.name
    switch settings {
    case .video: account.video.refusals[code, default: 0] += 1
    case .audio: account.audio.refusals[code, default: 0] += 1
    }
  }
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
