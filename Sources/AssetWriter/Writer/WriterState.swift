import MediaCore
import QuickTime

/// All that a writer's threads and callers share; the rules of who may do what when.
///
/// No input or output happens here.
struct WriterState {
  var status = AssetWriter.Status.unknown
  var error: AssetWriterError?
  var configuration: AssetWriter.Configuration
  var inputs: [InputState] = []
  var sessionStart: MediaTime?
  var sessionEnd: MediaTime?
  var isOpen = false
  var isFinishing = false
  var isCancelling = false
  /// An encoder's failure on its way to the writing thread.
  var encoderFailure: AssetWriterError?
  var firstTimecode: Timecode?
  var completionWaiters: [CheckedContinuation<Void, Never>] = []
  var metadata = MovieMetadata()
  var fileBytes: Int64 = 0
  var movieDuration: MediaTime?
  var writeTime = Distribution.Tally()
  var writerProcessorTime: Int64 = 0

  init(configuration: AssetWriter.Configuration) { self.configuration = configuration }

  /// What the writing thread does next.
  enum Action {
    /// Write the beginning of the file; the state says what the tracks are.
    case open(WriterState)
    case video(input: Int, VideoWrite)
    case audio(input: Int, AudioWrite)
    /// Complete the movie; the session's length, where it was ended.
    case finish(length: MediaTime?)
    case abort(AssetWriterError)
    case cancel
  }

  /// A frame to write, and the slots it fills.
  struct VideoWrite {
    var frame: EncodedFrame
    var slot: Int64
    var end: Int64
    var gapPolicy: VideoOutputSettings.GapPolicy
  }

  /// Sound to write, and the samples of it that lie within the session.
  struct AudioWrite {
    var piece: AudioTrackState.Piece
    var room: Int
    var bytesPerFrame: Int
  }

  private func endSlot(_ rate: FrameRate) -> Int64? {
    guard let sessionStart, let sessionEnd else { return nil }
    return rate.frameIndex(nearest: sessionEnd - sessionStart)
  }

  private func endSample(_ rate: Int) -> Int64? {
    guard let sessionStart, let sessionEnd else { return nil }
    return (sessionEnd - sessionStart).converted(toTimescale: Int32(clamping: rate)).value
  }

  /// The next action, or nil where there is nothing to do yet.
  func nextAction() -> Action? {
    if isCancelling { return .cancel }
    if let encoderFailure { return .abort(encoderFailure) }
    guard isOpen else { return canOpen ? .open(self) : nil }
    if let index = nextInput() { return write(from: index) }
    return isFinishing && inputs.allSatisfy(\.isDrained)
      ? .finish(length: sessionStart.flatMap { start in sessionEnd.map { $0 - start } }) : nil
  }

  /// The file's header says what the tracks are: each must be known, or never to be.
  private var canOpen: Bool {
    isFinishing
      || inputs.allSatisfy { input in
        switch input.track {
        case .unprepared: input.isFinished
        case .video(let video): video.lastSlot != nil || input.isFinished
        case .audio: true
        }
      }
  }

  /// The input to write from: the earliest, once every other one that is still alive has something
  /// to compare it with, or it has waited for them long enough.
  private func nextInput() -> Int? {
    var earliest: Int?
    var somebodyIsMissing = false
    for (index, input) in inputs.enumerated() where !input.isDrained {
      guard hasHead(input) else {
        somebodyIsMissing = true
        continue
      }
      if let best = earliest, inputs[best].headTime <= input.headTime { continue }
      earliest = index
    }
    guard somebodyIsMissing else { return earliest }
    // Only those that hold as much as they may go on alone, the earliest of them first.
    earliest = nil
    for (index, input) in inputs.enumerated() where hasHead(input) {
      let waiting = input.acceptedTime - input.headTime
      guard input.isFull || waiting >= configuration.interleavingWindow else { continue }
      if let best = earliest, inputs[best].headTime <= input.headTime { continue }
      earliest = index
    }
    return earliest
  }

  private func head(
    _ video: VideoTrackState, isFinished: Bool
  ) -> (slot: Int64, end: Int64)? {
    video.head(
      isFinished: isFinished, endSlot: endSlot(video.rate), maximumGap: configuration.maximumGap)
  }

  /// True where something of the input could be written now.
  private func hasHead(_ input: InputState) -> Bool {
    switch input.track {
    case .unprepared: false
    case .video(let video): head(video, isFinished: input.isFinished) != nil
    case .audio(let audio): !audio.pieces.isEmpty
    }
  }

  private func write(from index: Int) -> Action? {
    switch inputs[index].track {
    case .unprepared: return nil
    case .video(let video):
      guard let frame = video.encoded.first,
        let head = head(video, isFinished: inputs[index].isFinished)
      else { return nil }
      return .video(
        input: index,
        VideoWrite(
          frame: frame, slot: head.slot, end: head.end, gapPolicy: video.gapPolicy))
    case .audio(let audio):
      guard let piece = audio.pieces.first else { return nil }
      let left = endSample(audio.rate).map { max($0 - audio.written, 0) } ?? .max
      return .audio(
        input: index,
        AudioWrite(
          piece: piece, room: Int(clamping: left),
          bytesPerFrame: audio.settings.format.bytesPerFrame))
    }
  }

  /// What stands in the way of an append to an input, the gravest first; nil where nothing does.
  func obstacle(_ index: Int) -> AssetWriterError? {
    if let error = statusObstacle { return error }
    let input = inputs[index]
    if input.isFinished {
      return AssetWriterError(
        .inputFinished, "\(input.name) was marked as finished; append before that")
    }
    if sessionStart == nil {
      return AssetWriterError(
        .sessionNotStarted, "no session was started; call startSession(atSourceTime:) first")
    }
    if sessionEnd != nil {
      return AssetWriterError(.sessionNotStarted, "the session was ended; append before that")
    }
    if input.isFull {
      return AssetWriterError(
        .notReady,
        "\(input.name) has as much in its queue as it may; wait until isReadyForMoreMediaData")
    }
    return leadObstacle(input)
  }

  /// Why nothing can be appended to any input: the status, with the error behind it.
  var statusObstacle: AssetWriterError? {
    switch status {
    case .writing: nil
    case .failed:
      error ?? AssetWriterError(.invalidStatus, "writing has failed")
    case .unknown:
      AssetWriterError(.invalidStatus, "writing has not started; call start() first")
    case .completed:
      AssetWriterError(.invalidStatus, "the movie is complete; make a new writer")
    case .cancelled:
      AssetWriterError(.cancelled, "writing was cancelled; make a new writer")
    }
  }

  /// A live source cannot wait: only others are held back for the sake of interleaving.
  private func leadObstacle(_ input: InputState) -> AssetWriterError? {
    guard !input.isRealTime else { return nil }
    let others = inputs.filter { !$0.isFinished && $0.name != input.name }
    guard let slowest = others.min(by: { $0.acceptedTime < $1.acceptedTime }) else { return nil }
    let lead = input.acceptedTime - slowest.acceptedTime
    guard lead > configuration.interleavingLimit else { return nil }
    return AssetWriterError(
      .trackTooFarAhead,
      "\(input.name) is \(Int(lead)) s ahead of \(slowest.name); append to that, or mark it as "
        + "finished")
  }
}
