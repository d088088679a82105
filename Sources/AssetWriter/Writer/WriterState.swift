import MediaCore
import QuickTime

/// All that a writer's threads and callers share; the rules of who may do what when.
///
/// No input or output happens here, and no thread is made.
struct WriterState {
  var phase = WriterPhase.unknown
  var configuration: AssetWriter.Configuration
  var inputs: [InputState] = []
  var session = WriterSession.none
  var segments = SegmentTimeline()
  var facts = TakeFacts()
  /// Tracks of facts with their times, of captions and of timecode.
  var data: [DataQueue] = []
  var work = WriterAccount()
  /// True while the file is made in which a take begins whose past is kept.
  var awaitsFile = false
  /// The first slot that a take is not to have whose past was kept, where that is known at its start.
  var lastSlotEnd: Int64?
  /// What each input has in the files that are complete, or can be recovered.
  var held: [Int: HeldMedia] = [:]
  /// Why a movie is lost whose file others took away. The take goes on, and ends with it.
  var lostMovie: AssetWriterError?
  var completionWaiters: [CheckedContinuation<Void, Never>] = []

  /// The kind of file.
  let fileType: FileType
  /// The receiver of media segments; nil for a take in files.
  private let mediaSegments: MediaSegmentOutput?

  init(
    configuration: AssetWriter.Configuration, fileType: FileType = .mov,
    mediaSegments: MediaSegmentOutput? = nil
  ) {
    self.configuration = configuration
    self.fileType = fileType
    self.mediaSegments = mediaSegments
  }

  /// The kind of writer for the files.
  var container: MovieContainer {
    mediaSegments.map { .mediaSegments($0) } ?? MovieContainer(fileType, inputs.map(\.settings))
  }

  /// Why the take cannot be written as it is set up; nil where it can.
  var containerRefusal: AssetWriterError? {
    let hasMetadata = data.contains { if case .metadata = $0.content { true } else { false } }
    if hasMetadata, container != .quickTime {
      return AssetWriterError(
        .invalidSettings,
        "timed metadata are written only to .mov files with ProRes and linear PCM")
    }
    let needsVideo = data.contains { if case .metadata = $0.content { false } else { true } }
    let hasVideo = inputs.contains { if case .video = $0.settings { true } else { false } }
    guard hasVideo || !needsVideo else {
      return AssetWriterError(
        .invalidSettings, "captions and timecode need a video input; add one")
    }
    return container.refusal(inputs.map(\.settings), configuration, facts.metadata)
  }

  /// That movies are complete without what their kind of file has no place for; nil where they have all.
  var lossOfFacts: AssetWriterError? {
    let poor = segments.segments.filter { $0.omitted != nil }
    guard let first = poor.first else { return nil }
    let kinds = Segment.Extra.allCases.filter { kind in
      poor.contains { $0.omitted?.contains(kind) ?? false }
    }
    let subject =
      poor.count == 1 ? "\(first.path) is" : "\(poor.count) movies from \(first.path) on are"
    return AssetWriterError(
      .fileFailed,
      "\(subject) complete, but without \(kinds.map(\.rawValue).joined(separator: ", ")): only ProRes movies "
        + "have those")
  }

  /// What is asked for the threads: more than for others only where a source does not wait.
  var threadOptions: ThreadOptions {
    var options = configuration.threads
    if !inputs.contains(where: \.isRealTime) { options.isRaised = false }
    return options
  }

  /// The address of the take's first frame: the one that was set, else the frame's own, where a movie can
  /// count so fast.
  var baseTimecode: Timecode? {
    guard configuration.writesTimecode else { return nil }
    let address = configuration.startTimecode ?? facts.firstTimecode
    let most = TimecodeTrackDescription.mostFramesPerSecond
    return address.flatMap { $0.format.framesPerSecond <= most ? $0 : nil }
  }

  /// Corrects the accounts by what the files finally hold: what was handed to a file may have been
  /// given up with it.
  mutating func settleAccounts() {
    for index in inputs.indices { inputs[index].settleAccount(held[index] ?? .init()) }
  }

  /// Counts what a movie was handed as left out: it begins behind the session's end, and is removed.
  mutating func didRemove(segment: Int) {
    for index in inputs.indices {
      inputs[index].withVideo { $0.didRemove(segment: segment) }
      inputs[index].withAudio { $0.didRemove(segment: segment) }
    }
    for index in data.indices { data[index].didRemove(segment: segment) }
    segments.didWrite(segment, bytes: 0)
  }

  /// The encoders that are there.
  var encoders: [any VideoEncoder] {
    inputs.compactMap { if case .video(let video) = $0.track { video.encoder } else { nil } }
  }

  // MARK: The first video track

  /// The first video input: its track counts the slots.
  var leadIndex: Int? { inputs.firstIndex { $0.settings.mediaType == .video } }

  /// Its track; nil before its first frame.
  var lead: VideoTrackState? {
    guard let leadIndex, case .video(let video) = inputs[leadIndex].track, video.hasBegun else {
      return nil
    }
    return video
  }

  /// How the slots relate to a track.
  func scale(of index: Int) -> TrackScale {
    let unit: TrackScale.Unit =
      if index == leadIndex {
        .lead
      } else {
        switch inputs[index].track {
        case .unprepared: .unknown
        case .video(let video): .slots(video.rate)
        case .audio(let audio): .samples(rate: audio.rate)
        }
      }
    return TrackScale(unit: unit, leadRate: lead?.rate)
  }

  /// The place of a slot in a track: a slot of its own, or a sample.
  func boundary(_ slot: Int64, for index: Int) -> Int64 { scale(of: index).place(ofSlot: slot) }
}
