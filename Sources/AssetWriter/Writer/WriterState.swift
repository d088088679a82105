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
    case open
    case video(input: Int, EncodedFrame, slot: Int64, end: Int64)
    case audio(input: Int, AudioTrackState.Piece, limit: Int64?)
    case finish
    case abort(AssetWriterError)
    case cancel
  }

  func endSlot(_ rate: FrameRate) -> Int64? {
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
    guard isOpen else { return canOpen ? .open : nil }
    if let index = nextInput() { return write(from: index) }
    return isFinishing && inputs.allSatisfy(\.isDrained) ? .finish : nil
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
      guard input.hasHead(endSlot: endSlot) else {
        somebodyIsMissing = true
        continue
      }
      if let best = earliest, inputs[best].headTime <= input.headTime { continue }
      earliest = index
    }
    guard somebodyIsMissing else { return earliest }
    // Only those that hold as much as they may go on alone, the earliest of them first.
    earliest = nil
    for (index, input) in inputs.enumerated() where input.hasHead(endSlot: endSlot) {
      let waiting = input.acceptedTime - input.headTime
      guard input.isFull || waiting >= configuration.interleavingWindow else { continue }
      if let best = earliest, inputs[best].headTime <= input.headTime { continue }
      earliest = index
    }
    return earliest
  }

  private func write(from index: Int) -> Action? {
    switch inputs[index].track {
    case .unprepared: return nil
    case .video(let video):
      let end = endSlot(video.rate)
      guard let frame = video.encoded.first,
        let head = video.head(isFinished: inputs[index].isFinished, endSlot: end)
      else { return nil }
      return .video(input: index, frame, slot: head.slot, end: min(head.end, end ?? head.end))
    case .audio(let audio):
      guard let piece = audio.pieces.first else { return nil }
      return .audio(input: index, piece, limit: endSample(audio.rate))
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
