import Dispatch
public import FoundationEssentials
public import MediaCore
public import QuickTime
import Synchronization

/// Writes appended video and audio into a movie.
///
/// Use it like Apple's `AVAssetWriter`: make a writer, add inputs, ``start()``,
/// ``startSession(atSourceTime:)``, append samples through the inputs or their receivers,
/// ``finishWriting()``. Encoding and writing happen on the writer's own threads; appending only enqueues
/// a sample.
///
/// The file can be recovered into a movie at any moment. After a failure such as a full disk,
/// what was written before is a complete movie, and ``error`` says so.
public final class AssetWriter: Sendable {
  /// Where a writer stands; the numbers are Apple's.
  public enum Status: Int, Sendable, Hashable, CaseIterable {
    /// Not started.
    case unknown = 0
    /// Samples may be appended.
    case writing = 1
    /// The movie is complete.
    case completed = 2
    /// Writing ended by an error.
    case failed = 3
    /// Writing was cancelled, and the file is gone.
    case cancelled = 4
  }

  /// The file that is written, or, where the take is cut, from whose name those of its segments come.
  public internal(set) var outputURL: URL {
    get { output.withLock { $0 } }
    set { output.withLock { $0 = newValue } }
  }
  /// The container.
  public let fileType: FileType
  let core: WriterCore
  private let makeFile: @Sendable (URL, OverwritePolicy) throws(QuickTimeError) -> any MovieFile
  private let output: Mutex<URL>
  private let added = Mutex<[AssetWriterInput]>([])

  /// A writer of a movie file. Nothing is made on the disk before ``start()``.
  ///
  /// - Throws: ``AssetWriterError/Code/fileFailed`` where the URL names no file of this machine.
  public convenience init(
    outputURL: URL, fileType: FileType = .mov, configuration: Configuration = Configuration()
  ) throws(AssetWriterError) {
    try self.init(
      outputURL: outputURL, fileType: fileType, configuration: configuration,
      makeEncoder: EncoderFactory.makeEncoder)
  }

  /// As above, with encoders of the caller's.
  package init(
    outputURL: URL, fileType: FileType = .mov, configuration: Configuration,
    makeEncoder: @escaping VideoPreparation.MakeEncoder
  ) throws(AssetWriterError) {
    guard outputURL.isFileURL else {
      throw AssetWriterError(.fileFailed, "\(outputURL) is not a file URL; give a path")
    }
    self.output = Mutex(outputURL)
    self.fileType = fileType
    self.core = WriterCore(
      configuration: configuration, fileType: fileType, makeEncoder: makeEncoder)
    self.makeFile = { url, policy throws(QuickTimeError) in
      try PosixMovieFile(path: url.path, mode: policy == .replace ? .overwrite : .create)
    }
  }

  /// A writer of a movie file at a path.
  ///
  /// - Throws: As ``init(outputURL:fileType:configuration:)``.
  public convenience init(
    path: String, fileType: FileType = .mov, configuration: Configuration = Configuration()
  ) throws(AssetWriterError) {
    try self.init(
      outputURL: URL(filePath: path), fileType: fileType, configuration: configuration)
  }

  /// A writer into files that the caller makes when they are begun, for files of other kinds than
  /// `PosixMovieFile` and for tests. `makeFile` is given the name; one that is taken is an error.
  public init(
    outputURL: URL, fileType: FileType = .mov, configuration: Configuration = Configuration(),
    makeFile: @escaping @Sendable (URL) throws(QuickTimeError) -> any MovieFile
  ) {
    self.output = Mutex(outputURL)
    self.fileType = fileType
    self.core = WriterCore(configuration: configuration, fileType: fileType)
    self.makeFile = { url, _ throws(QuickTimeError) in try makeFile(url) }
  }

  /// A writer of no file, whose media segments somebody gets.
  init(configuration: Configuration, mediaSegments: MediaSegmentOutput) {
    self.output = Mutex(URL(filePath: "/dev/null"))
    self.fileType = .mp4
    self.core = WriterCore(
      configuration: configuration, fileType: .mp4, mediaSegments: mediaSegments)
    self.makeFile = { _, _ throws(QuickTimeError) in mediaSegments.stream }
  }

  /// As above, with encoders of the caller's.
  init(
    outputURL: URL, configuration: Configuration,
    makeEncoder: @escaping VideoPreparation.MakeEncoder,
    makeFile: @escaping @Sendable (URL) throws(QuickTimeError) -> any MovieFile
  ) {
    self.output = Mutex(outputURL)
    self.fileType = .mov
    self.core = WriterCore(configuration: configuration, makeEncoder: makeEncoder)
    self.makeFile = { url, _ throws(QuickTimeError) in try makeFile(url) }
  }

  /// Finishes the movie of a writer that was dropped without being finished, so that no take is lost.
  deinit { try? core.finish() }

  // MARK: What it is

  /// Where the writer stands.
  public var status: Status { core.shared.withLock { $0.phase.status } }

  /// What ended writing; nil unless ``status`` is ``Status/failed`` or ``Status/cancelled``.
  public var error: AssetWriterError? { core.shared.withLock { $0.phase.error } }

  /// The inputs, in the order in which they were added.
  public var inputs: [AssetWriterInput] { added.withLock { $0 } }

  /// When the take began, in seconds since 1970 UTC: the creation time of its first movie. Nil for
  /// when that movie is begun. To be set before the first frame, or before a pre-roll ends.
  public var creationTime: Int64? {
    get { core.shared.withLock { $0.facts.creationTime } }
    set { core.shared.withLock { $0.facts.creationTime = newValue } }
  }

  /// Facts about the movie; to be set before the first frame, or before a pre-roll ends.
  public var metadata: MovieMetadata {
    get { core.shared.withLock { $0.facts.metadata } }
    set { core.shared.withLock { $0.facts.metadata = newValue } }
  }

  /// Chapters, from the take's start; to be set before ``finishWriting()``. Each movie of a take that is cut has those
  /// that begin in it, from its own start, as far as they are set before it is complete; the next one has the others
  /// at its start.
  public var chapters: [MovieChapter] {
    get { core.shared.withLock { $0.facts.chapters } }
    set { core.shared.withLock { $0.facts.chapters = newValue } }
  }

  /// What was set beyond the tracks. Changes count until ``start()``, or until a pre-roll ends.
  public var configuration: Configuration {
    get { core.shared.withLock { $0.configuration } }
    set {
      core.shared.withLock { state in
        guard case .unknown = state.phase else {
          if state.phase.preRoll != nil { state.configuration = newValue }
          return
        }
        state.configuration = newValue
      }
    }
  }

  /// Told of each movie that is begun, complete or gone, in the order of that, on a thread that writes;
  /// it must return at once. To be set before ``start()``.
  public var segmentHandler: (@Sendable (SegmentEvent) -> Void)? {
    get { core.segmentHandler.withLock { $0 } }
    set { core.segmentHandler.withLock { $0 = newValue } }
  }

  /// How much of the movie a sudden end can cost.
  public var movieFragmentInterval: MediaTime {
    get { configuration.movieFragmentInterval }
    set { configuration.movieFragmentInterval = newValue }
  }

  // MARK: Inputs

  /// Whether an input can be added now.
  public func canAdd(_ input: AssetWriterInput) -> Bool { error(adding: input) == nil }

  /// Adds an input. Tracks appear in the movie in the order of their inputs.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidStatus`` once writing has started or where the input
  ///   belongs to a writer already; ``AssetWriterError/Code/invalidSettings``,
  ///   ``AssetWriterError/Code/encoderUnavailable`` or ``AssetWriterError/Code/codecUnavailable``
  ///   where its track cannot be made.
  public func add(_ input: AssetWriterInput) throws(AssetWriterError) {
    if let error = error(adding: input) { throw error }
    let index = core.shared.withLock { state in
      state.inputs.append(input.makeState(number: state.inputs.count + 1))
      return state.inputs.count - 1
    }
    input.bind(to: core, index: index)
    added.withLock { $0.append(input) }
  }

  private func error(adding input: AssetWriterInput) -> AssetWriterError? {
    guard status == .unknown else {
      return AssetWriterError(.invalidStatus, "an input cannot be added once writing has started")
    }
    guard !input.isBound else {
      return AssetWriterError(
        .invalidStatus, "the input already belongs to a writer; create another one")
    }
    do throws(AssetWriterError) {
      try input.validate()
      return MovieContainer.refusal(input.settings, in: fileType, besides: inputs.count)
    } catch {
      return error
    }
  }

  // MARK: Writing

  /// Makes the file and starts the threads: those of the encoders, too, where settings and source
  /// format hint say what they are for.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidStatus``, ``AssetWriterError/Code/invalidSettings``
  ///   without an input, ``AssetWriterError/Code/fileExists``, ``AssetWriterError/Code/fileFailed``,
  ///   and what an encoder says; the status is then ``Status/failed``, unless it was not
  ///   ``Status/unknown`` before.
  public func start() throws(AssetWriterError) {
    let inputs = inputs
    try core.prepare(isRealTime: inputs.map(\.expectsMediaDataInRealTime)) { _ in }
    do throws(AssetWriterError) {
      guard !inputs.isEmpty else {
        throw AssetWriterError(.invalidSettings, "a movie needs a track; add an input first")
      }
      try core.start(core.makeThread(files(configuration))) { $0.phase.beginWriting() }
    } catch {
      core.end(.failed(error))
      throw error
    }
  }

  /// The files of a take, before any of them exists.
  func files(_ configuration: Configuration) -> SegmentFiles {
    let makeFile = makeFile
    let (policy, segments) = (configuration.overwritePolicy, configuration.segments)
    let first = outputURL.lastPathComponent
    return SegmentFiles(
      take: outputURL, policy: segments, secondFolder: configuration.secondFolder,
      threads: core.shared.withLock { $0.threadOptions }
    ) { url throws(QuickTimeError) in
      // Permission to replace covers the file that was named, in both folders, but not those of later segments.
      let isNamed = url.lastPathComponent == first || segments.numbersFirstFile
      return try makeFile(url, isNamed ? policy : .refuse)
    }
  }

  /// As ``start()``, in Apple's older form: false where writing could not start; then ``error``
  /// says why, and every append throws it.
  @discardableResult
  public func startWriting() -> Bool {
    (try? start()) != nil
  }

  /// Sets the source time at which the movie begins. Audio before it is cut at the exact sample;
  /// frames before it are omitted.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidStatus`` unless writing has started and no session
  ///   has; ``AssetWriterError/Code/invalidTime`` if the time is not numeric.
  public func startSession(atSourceTime startTime: MediaTime) throws(AssetWriterError) {
    let released = try core.shared.update {
      state throws(AssetWriterError) -> WriterState.Released in
      if let error = state.phase.statusError { throw error }
      try state.session.start(at: startTime)
      return state.releaseReady()
    }
    released.resume()
  }

  /// Sets the source time at which the movie ends. Anything appended after it is cut off: audio to
  /// the sample, video to the frame. The last frame lasts until then.
  ///
  /// Compressed audio, and any audio beside compressed video, cannot be cut once it is in the file; the report counts
  /// it. Up to 16 MiB of a track's audio therefore wait for the video of the same time; half a second of live audio,
  /// or without video.
  ///
  /// If the take has several movies, those that begin at or after that time are removed, except the first one. Movies
  /// that are already complete are not changed.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidStatus`` or
  ///   ``AssetWriterError/Code/sessionNotStarted``; ``AssetWriterError/Code/invalidTime`` where the
  ///   time is no number or not after the session's start.
  public func endSession(atSourceTime endTime: MediaTime) throws(AssetWriterError) {
    let released = try core.shared.update {
      state throws(AssetWriterError) -> WriterState.Released in
      if let error = state.phase.statusError { throw error }
      try state.session.end(at: endTime)
      return state.releaseReady()
    }
    released.resume()
  }

  /// Begins a new movie with the next frame that is appended, or, if audio has been written beyond it, with the first
  /// frame after that audio. The previous movie is completed in the background. Returns at once.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidStatus`` if the writer is not writing or has no frame yet, and for a
  ///   writer of media segments: see ``endMediaSegment()``.
  public func startNewSegment() throws(AssetWriterError) {
    guard core.mediaSegments == nil else {
      throw AssetWriterError(
        .invalidStatus, "media segments belong to one movie; end the segment instead of the movie")
    }
    try core.shared.update { state throws(AssetWriterError) in try state.requestSegment() }
  }

  /// Writes what was appended, and completes the movie.
  ///
  /// - Returns: What happened to each frame.
  /// - Throws: The error that ended writing; see
  ///   ``AssetWriterError/recordingSuccessfullyFinished``. ``AssetWriterError/Code/invalidStatus``
  ///   if the writer was not started or has finished.
  @discardableResult
  public func finishWriting() async throws(AssetWriterError) -> Report {
    try core.finish()
    await core.waitForEnd()
    core.join()
    let (status, error) = core.shared.withLock { ($0.phase.status, $0.phase.error) }
    if status != .completed {
      throw error ?? AssetWriterError(.invalidStatus, "writing ended as \(status)")
    }
    return report
  }

  /// As ``finishWriting()``, in Apple's callback form: `handler` reads ``status`` and ``error``. It
  /// is called on a dispatch queue, also while all of Swift's threads for tasks are blocked.
  public func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
    let isFinishing = (try? core.finish()) != nil
    DispatchQueue(label: "asset-writer.completion").async { [self] in
      if isFinishing {
        core.blockUntilEnd()
        core.join()
      }
      handler()
    }
  }

  /// Ends writing at once and removes the file. Waits for the threads. Does nothing once writing
  /// has ended.
  public func cancelWriting() { core.cancel() }
}
