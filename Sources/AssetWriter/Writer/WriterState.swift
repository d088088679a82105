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
  /// The movies that the take is cut into; nil before the first one was begun.
  var timeline: SegmentTimeline?
  /// Slots before which a cut was asked for before the first movie was begun.
  var earlyRequests: [Int64] = []
  /// The first slot of the take: pictures and sound before it were let go.
  var firstSlot: Int64 = 0
  var isFinishing = false
  var isCancelling = false
  /// A failure of an encoder, or of the end of a segment, on its way to the writing thread.
  var failure: AssetWriterError?
  var firstTimecode: Timecode?
  var completionWaiters: [CheckedContinuation<Void, Never>] = []
  var metadata = MovieMetadata()
  /// Segments whose movies are complete, or as complete as they will be.
  var segments: [Segment] = []
  var writeTime = Distribution.Tally()
  var writerProcessorTime: Int64 = 0

  init(configuration: AssetWriter.Configuration) { self.configuration = configuration }

  /// The address of the take's first frame: the one that was set, else the frame's own.
  var baseTimecode: Timecode? {
    configuration.writesTimecode ? configuration.startTimecode ?? firstTimecode : nil
  }

  /// Bytes that the take's files would have if they were finished now.
  var fileBytes: Int64 {
    segments.reduce(0) { $0 + $1.fileSize }
      + (timeline?.bytes ?? 0)
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
