package import AssetWriter
import CaptureDevices
import Dispatch
public import FoundationEssentials
public import MediaCore
import Synchronization
public import TakeReports

/// Records a session's video and audio into a ProRes movie, as `AVCaptureMovieFileOutput` does.
///
/// ```swift
/// let report = try await movieOutput.record(to: URL(filePath: "take.mov"))
/// ```
///
/// The movie begins with the first frame after the call, and audio is cut to it, to the
/// sample. Each frame has its slot on a constant-rate timeline: a lost frame shifts nothing else, and is
/// listed in the `RecordingReport`.
///
/// Unchecked because its superclass is open: each stored property here is a `let` of a `Sendable` type, and what
/// changes is behind a `Mutex`.
public final class CaptureMovieFileOutput: CaptureFileOutput, @unchecked Sendable {
  let state = Mutex(State())
  let delegateQueue = DispatchQueue(label: "movie-file-output")
  let freeSpace: FreeSpace
  let fileSizeLimit: FileSizeLimit
  let audioPatience: AudioPatience
  let makeEncoder: VideoPreparation.MakeEncoder

  struct State: Sendable {
    var options = RecordingOptions()
    var videoChoices: [ObjectIdentifier: VideoChoice] = [:]
    var audioSettings: [ObjectIdentifier: AudioOutputSettings] = [:]
    /// Why settings of a connection were refused, if their setter could not throw.
    var refusals: [ObjectIdentifier: CaptureError] = [:]
    /// Why metadata were refused, if their setter could not throw.
    var metadataRefusal: CaptureError?
    /// The recording under way, or the one that stands by.
    var take: Take?
    /// Takes that are being completed while the next one may already run; during a switch of files, also the
    /// one before the switch.
    var ending: [Take] = []
    var handover: TakeHandover?
    /// True while a recording is being set up.
    var isPreparing = false
    var lastReport: RecordingReport?
    var noticeHandler: (@Sendable (String) -> Void)?
    var openMovieHandler: (@Sendable (OpenMovies.Step) -> Void)?
    var completedMovieHandler: (@Sendable (String) -> Void)?
  }

  /// A recording and its delegate.
  struct Take: Sendable {
    let recording: MovieRecording
    var delegate: (any CaptureFileOutputRecordingDelegate)?
  }

  /// What was set for a video connection.
  enum VideoChoice: Sendable {
    case settings(VideoOutputSettings)
    /// Everything else follows the source, which may change until the recording begins.
    case codec(VideoCodecType, EncoderChoice)
  }

  /// An output that accepts tiers 1 and 2 by default.
  public convenience init() { self.init(freeSpace: .system) }

  package init(
    freeSpace: FreeSpace, fileSizeLimit: FileSizeLimit = .system,
    audioPatience: AudioPatience = .init(),
    makeEncoder: @escaping VideoPreparation.MakeEncoder = EncoderFactory.makeEncoder
  ) {
    self.freeSpace = freeSpace
    self.fileSizeLimit = fileSizeLimit
    self.audioPatience = audioPatience
    self.makeEncoder = makeEncoder
    super.init(connectionList: CaptureConnectionList())
  }

  // MARK: Recording

  /// True between ``standBy(in:)`` and the start of the recording.
  public var isStandingBy: Bool { waiting != nil }

  /// Begins a new movie with the next frame, or as much later as audio is ahead of video. No frame is lost
  /// or repeated, and the previous movie is completed while the recording continues.
  ///
  /// - Throws: `CaptureError.Code.invalidState` where nothing is recorded.
  public func startNewSegment() throws(CaptureError) {
    guard let recording = current else {
      throw CaptureError(.invalidState, "nothing is recorded, so nothing can be cut")
    }
    try recording.startNewSegment()
  }

  /// Marks the last recorded frame. The marker is in the report, in the sidecar and, if the take is a single
  /// movie, among its chapters.
  ///
  /// - Parameter note: At most 1000 bytes.
  /// - Throws: `CaptureError.Code.invalidState` where nothing is recorded or the take has 10,000
  ///   markers, `CaptureError.Code.invalidArgument` for a note that is too long.
  @discardableResult
  public func addMarker(_ note: String) throws(CaptureError) -> RecordingReport.Marker {
    guard let recording = current else {
      throw CaptureError(.invalidState, "nothing is recorded, so nothing can be marked")
    }
    return try recording.addMarker(note)
  }

  /// ``progress`` without resetting the peaks, for observers.
  package var progressForObservers: RecordingProgress? { current?.readProgress(keepingPeaks: true) }

  /// Notes in the report of the present take that the process was suspended until now, for this many
  /// seconds.
  package func noteProcessStop(lasting seconds: Double) {
    current?.noteProcessStop(lasting: seconds)
  }

  /// Apple's form of ``record(to:from:)``. A recording that cannot begin is reported as one that finished
  /// with an error.
  ///
  /// During a recording this switches files: the old file ends with one frame and the new one begins with the
  /// next, without loss of video or audio.
  public override func startRecording(
    to outputFileURL: URL, recordingDelegate delegate: any CaptureFileOutputRecordingDelegate
  ) {
    do throws(CaptureError) {
      _ = try begin(outputFileURL, from: nil, delegate: delegate, switchesFile: true)
    } catch {
      let connections = connections
      delegateQueue.async { [self] in
        delegate.fileOutput(
          self, didFinishRecordingTo: outputFileURL, from: connections, error: error)
      }
    }
  }

  /// Ends the recording with the frame that was recorded last. The file is complete once
  /// ``record(to:from:)`` returns or the delegate is told.
  public override func stopRecording() {
    let (current, before) = state.withLock { ($0.take?.recording, $0.handover.take()?.recording) }
    before?.stop(.stopped)
    current?.stop(.stopped)
  }

  /// Pauses until ``resumeRecording()``. Does nothing before the first frame, or while the output
  /// stands by.
  public override func pauseRecording() { current?.pause() }

  /// Resumes; the movie has no gap at the pause.
  public override func resumeRecording() { current?.resume() }

  /// True from the start of a recording until it is told to stop or ends by itself.
  public override var isRecording: Bool { current.map { $0.isActive && !$0.isStandingBy } ?? false }
  /// True between ``pauseRecording()`` and ``resumeRecording()``.
  public override var isRecordingPaused: Bool { current?.isPaused ?? false }
  /// The file that is being recorded.
  public override var outputFileURL: URL? { current.flatMap { $0.isStandingBy ? nil : $0.url } }
  /// The duration recorded so far, in whole frames.
  public override var recordedDuration: MediaTime { current?.recordedDuration ?? .zero }
  /// The number of bytes recorded so far, without those still in queues.
  public override var recordedFileSize: Int64 { current?.writer.writtenByteCount ?? 0 }
  /// The state of the recording; nil without one. Audio peaks are those since the last call.
  public var progress: RecordingProgress? { current?.readProgress() }
  /// The report of the last recording.
  public var lastReport: RecordingReport? { state.withLock { $0.lastReport } }

  /// Called with one line of text when another program moves, replaces, deletes or empties a file during its
  /// recording, when a recording waits for its first frame, and when its pre-roll is shorter than asked for.
  /// Not called on a recording thread; should return soon.
  public var noticeHandler: (@Sendable (String) -> Void)? {
    get { state.withLock { $0.noticeHandler } }
    set { state.withLock { $0.noticeHandler = newValue } }
  }

  /// Called when a movie of the following takes is begun, moved or ended. A movie is begun before its first frame is
  /// in the file; with `RecordingOptions.overwritesExistingFile`, when the file takes over the name. Called
  /// on a writing thread, and must not block.
  package var openMovieHandler: (@Sendable (OpenMovies.Step) -> Void)? {
    get { state.withLock { $0.openMovieHandler } }
    set { state.withLock { $0.openMovieHandler = newValue } }
  }

  /// Called with the path of each movie once it and its sidecar are complete, while the take may continue in
  /// the next one. Not called on a recording thread; should return soon.
  public var completedMovieHandler: (@Sendable (String) -> Void)? {
    get { state.withLock { $0.completedMovieHandler } }
    set { state.withLock { $0.completedMovieHandler = newValue } }
  }

  // MARK: Limits

  /// The longest recording; `MediaTime.invalid` for no limit. At the limit the recording ends with
  /// an error whose `CaptureError.recordingSuccessfullyFinished` is true.
  public override var maxRecordedDuration: MediaTime {
    get { options.maxRecordedDuration }
    set { state.withLock { $0.options.maxRecordedDuration = newValue } }
  }

  /// The largest file, in bytes; 0 for no limit.
  public override var maxRecordedFileSize: Int64 {
    get { options.maxRecordedFileSize }
    set { state.withLock { $0.options.maxRecordedFileSize = newValue } }
  }

  /// The number of bytes to leave free on the disk.
  public override var minFreeDiskSpaceLimit: Int64 {
    get { options.minFreeDiskSpaceLimit }
    set { state.withLock { $0.options.minFreeDiskSpaceLimit = newValue } }
  }

  // MARK: CaptureOutput

  /// One video connection, and up to sixteen of audio.
  public override func connectionLimit(for mediaType: MediaType) -> Int {
    switch mediaType {
    case .video: 1
    case .audio: 16
    default: 0
    }
  }

  /// Takes an event of a stream.
  public override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    showSample(event, from: connection)
    if connection.mediaType == .video {
      receiveFrames(event)
    } else {
      let (take, ending) = state.withLock { state in
        state.handover?.noteAudio(event, from: connection)
        return (state.take, state.ending)
      }
      // A take that has ended still waits for the audio up to its last frame.
      for take in ending { take.recording.receiveAudio(event, from: connection) }
      take?.recording.receiveAudio(event, from: connection)
    }
  }

  /// Ends a recording whose video was disconnected, and forgets the settings of connections that
  /// are gone.
  public override func connectionsDidChange() {
    let present = Set(connections.map { ObjectIdentifier($0) })
    let recordings = state.withLock { state in
      state.videoChoices = state.videoChoices.filter { present.contains($0.key) }
      state.audioSettings = state.audioSettings.filter { present.contains($0.key) }
      state.refusals = state.refusals.filter { present.contains($0.key) }
      return state.recordings
    }
    for recording in recordings
    where !present.contains(ObjectIdentifier(recording.plan.connection)) {
      recording.stop(
        .sessionStopped,
        error: CaptureError(
          .sessionChanged,
          "the recording ended because the video of \(recording.plan.connection.device) was disconnected "
            + "from its output; add input and output again to continue"))
      recording.finishAtOnce()
    }
    for recording in recordings { recording.endAudio(unless: present) }
  }

  /// Ends a recording with the session.
  public override func sessionDidStop() {
    let recordings = state.withLock { state in
      state.handover = nil
      return state.recordings
    }
    for recording in recordings {
      recording.stop(.sessionStopped)
      recording.finishAtOnce()
    }
  }

  private func receiveFrames(_ event: CaptureEvent) {
    let (recording, before, endsBefore) = state.withLock { state in
      let before = state.handover
      let isOver = state.handover?.isOver(with: event) ?? true
      if isOver { state.handover = nil }
      return (state.take?.recording, before?.recording, isOver)
    }
    guard let before else {
      recording?.receiveFrames(event)
      return
    }
    if !endsBefore || event.endsStream { before.receiveFrames(event) }
    guard endsBefore else { return }
    before.stop(.stopped)
    recording?.receiveFrames(event)
  }
}
