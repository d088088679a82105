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
  /// How much is kept of what came before the take; nil once it has begun.
  var preRoll: PreRoll?
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
  /// Why a movie is lost whose file others took away. The take goes on, and ends with it.
  var lostMovie: AssetWriterError?
  /// What each input has in the files that are complete, or can be recovered.
  var held: [Int: MovieAssembler.Held] = [:]
  /// Bytes that are reserved on the disk for the movies that are open, and not written yet.
  var reservedBytes: Int64 = 0
  var firstTimecode: Timecode?
  var completionWaiters: [CheckedContinuation<Void, Never>] = []
  var metadata = MovieMetadata()
  /// When the take began, in seconds since 1970 UTC; nil for when its first movie is begun.
  var creationTime: Int64?
  /// Segments whose movies are complete, or as complete as they will be.
  var segments: [Segment] = []
  var writeTime = Distribution.Tally()
  var writerProcessorTime: Int64 = 0

  /// How the system schedules the writing thread.
  var threadScheduling: [ThreadScheduling] = []

  init(configuration: AssetWriter.Configuration) { self.configuration = configuration }

  /// What is asked for the threads: more than for others only where a source does not wait.
  var threadOptions: ThreadOptions {
    var options = configuration.threads
    if !inputs.contains(where: \.isRealTime) { options.isRaised = false }
    return options
  }

  /// The address of the take's first frame: the one that was set, else the frame's own.
  var baseTimecode: Timecode? {
    configuration.writesTimecode ? configuration.startTimecode ?? firstTimecode : nil
  }

  /// Bytes that the take's files would have if they were finished now.
  var fileBytes: Int64 {
    segments.reduce(0) { $0 + $1.fileSize }
      + (timeline?.bytes ?? 0)
  }

  /// Lets the accounts tell what the files hold in the end: what was handed to a file may have been
  /// given up with it.
  mutating func countWhatIsHeld() {
    for index in inputs.indices {
      let held = held[index] ?? .init()
      switch inputs[index].track {
      case .unprepared: break
      case .video:
        inputs[index].account.video.framesWritten = held.samples
        inputs[index].account.video.framesRepeated = min(
          inputs[index].account.video.framesRepeated, held.samples)
        inputs[index].account.video.bytes = held.bytes
      case .audio:
        inputs[index].account.audio.samplesWritten = Int64(held.samples)
        inputs[index].account.audio.samplesOfSilence = min(
          inputs[index].account.audio.samplesOfSilence, Int64(held.samples))
        inputs[index].account.audio.bytes = held.bytes
      }
    }
  }

  /// What can stand in the way of an append to an input.
  enum Obstruction {
    /// Writing as a whole: see ``statusObstacle``.
    case status
    case inputFinished
    case sessionNotStarted
    case sessionEnded
    case full
    /// The input is ahead of the slowest one, whose place this is.
    case tooFarAhead(of: Int)

    /// True where the input only has to wait for room of its own.
    var isFull: Bool {
      if case .full = self { true } else { false }
    }
  }

  /// What stands in the way of an append to an input, the gravest first; nil where nothing does.
  func obstruction(_ index: Int) -> Obstruction? {
    // Without a file there is no thread that could end writing for a failure.
    if status != .writing || preRoll != nil && failure != nil { return .status }
    if inputs[index].isFinished { return .inputFinished }
    if sessionStart == nil { return .sessionNotStarted }
    if sessionEnd != nil { return .sessionEnded }
    if inputs[index].isFull { return .full }
    return leadObstruction(index)
  }

  /// As ``obstruction(_:)``, in words for the caller.
  func obstacle(_ index: Int) -> AssetWriterError? {
    guard let obstruction = obstruction(index) else { return nil }
    let input = inputs[index]
    switch obstruction {
    case .status: return statusObstacle ?? failure
    case .inputFinished:
      return AssetWriterError(
        .inputFinished, "\(input.name) was marked as finished; append before that")
    case .sessionNotStarted:
      return AssetWriterError(
        .sessionNotStarted, "no session was started; call startSession(atSourceTime:) first")
    case .sessionEnded:
      return AssetWriterError(.sessionNotStarted, "the session was ended; append before that")
    case .full:
      return AssetWriterError(
        .notReady,
        "\(input.name) has as much in its queue as it may; wait until isReadyForMoreMediaData")
    case .tooFarAhead(let slowest):
      let lead = Int(input.acceptedTime - inputs[slowest].acceptedTime)
      return AssetWriterError(
        .trackTooFarAhead,
        "\(input.name) is \(lead) s ahead of \(inputs[slowest].name); append to that, or mark it "
          + "as finished")
    }
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
  private func leadObstruction(_ index: Int) -> Obstruction? {
    guard !inputs[index].isRealTime else { return nil }
    var slowest: Int?
    for other in inputs.indices where other != index && !inputs[other].isFinished {
      if let best = slowest, inputs[best].acceptedTime <= inputs[other].acceptedTime { continue }
      slowest = other
    }
    guard let slowest else { return nil }
    let lead = inputs[index].acceptedTime - inputs[slowest].acceptedTime
    return lead > configuration.interleavingLimit ? .tooFarAhead(of: slowest) : nil
  }
}
