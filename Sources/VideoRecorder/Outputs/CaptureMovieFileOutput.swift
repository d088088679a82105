package import AssetWriter
import CaptureDevices
import Dispatch
public import FoundationEssentials
public import MediaCore
import Synchronization
public import TakeReports

/// Records a session's pictures and sound into a ProRes movie, as `AVCaptureMovieFileOutput` does.
///
/// ```swift
/// let report = try await movieOutput.record(to: URL(filePath: "take.mov"))
/// ```
///
/// The movie begins with the first frame that comes after the call; sound is cut to it, to the
/// sample. Each frame has its slot on a constant-rate timeline, so that a frame that is lost costs
/// that frame and nothing else, and is in the `RecordingReport`.
///
/// Unchecked because its superclass is open: each stored property here is a `let` of a `Sendable` type, and what
/// changes is behind a `Mutex`.
public final class CaptureMovieFileOutput: CaptureFileOutput, @unchecked Sendable {
  let state = Mutex(State())
  let delegateQueue = DispatchQueue(label: "movie-file-output")
  let freeSpace: FreeSpace
  let fileSizeLimit: FileSizeLimit
  let soundPatience: SoundPatience
  let makeEncoder: VideoPreparation.MakeEncoder

  struct State: Sendable {
    var options = RecordingOptions()
    var videoChoices: [ObjectIdentifier: VideoChoice] = [:]
    var audioSettings: [ObjectIdentifier: AudioOutputSettings] = [:]
    /// Why settings of a connection were refused where nobody could be told.
    var refusals: [ObjectIdentifier: CaptureError] = [:]
    /// Why metadata were refused likewise.
    var metadataRefusal: CaptureError?
    /// What is recorded, or stood by for.
    var take: Take?
    /// Takes that have ended and are being completed while the next one may begin; while a file is
    /// switched, the one before among them.
    var ending: [Take] = []
    var handover: TakeHandover?
    /// True while a recording is being set up.
    var isPreparing = false
    var lastReport: RecordingReport?
    var noticeHandler: (@Sendable (String) -> Void)?
    var openMovieHandler: (@Sendable (OpenMovies.Step) -> Void)?
    var completedMovieHandler: (@Sendable (String) -> Void)?
  }

  /// A recording, and who hears of it.
  struct Take: Sendable {
    let recording: MovieRecording
    var delegate: (any CaptureFileOutputRecordingDelegate)?
  }

  /// What was set for a connection of pictures.
  enum VideoChoice: Sendable {
    case settings(VideoOutputSettings)
    /// The rest is as the source has it, which may change until the recording begins.
    case codec(VideoCodecType, EncoderChoice)
  }

  /// An output that records tiers 1 and 2 and nothing else until told otherwise.
  public convenience init() { self.init(freeSpace: .system) }

  package init(
    freeSpace: FreeSpace, fileSizeLimit: FileSizeLimit = .system,
    soundPatience: SoundPatience = .init(),
    makeEncoder: @escaping VideoPreparation.MakeEncoder = EncoderFactory.makeEncoder
  ) {
    self.freeSpace = freeSpace
    self.fileSizeLimit = fileSizeLimit
    self.soundPatience = soundPatience
    self.makeEncoder = makeEncoder
    super.init(connectionList: CaptureConnectionList())
  }

  // MARK: Recording

  /// True between ``standBy(in:)`` and the start of the recording.
  public var isStandingBy: Bool { waiting != nil }

  /// Lets the frame that comes next begin a new movie, beside the one that is recorded; where sound
  /// is ahead of the pictures, a frame as much later. No frame is lost or repeated, and the movie
  /// before is completed while the recording goes on.
  ///
  /// - Throws: `CaptureError.Code.invalidState` where nothing is recorded.
  public func startNewSegment() throws(CaptureError) {
    guard let recording = current else {
      throw CaptureError(.invalidState, "nothing is recorded, so nothing can be cut")
    }
    try recording.startNewSegment()
  }

  /// Notes something at the frame that was recorded last: for the report, the sidecar, and the chapters
  /// of a take that is one movie.
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

  /// ``progress`` for who only looks: the peaks go on.
  package var progressForObservers: RecordingProgress? { current?.readProgress(keepingPeaks: true) }

  /// Lets the report of what is recorded tell that the process was stopped until now, for so many
  /// seconds.
  package func noteProcessStop(lasting seconds: Double) {
    current?.noteProcessStop(lasting: seconds)
  }

  /// Apple's form of ``record(to:from:)``. A recording that cannot begin is told of as one that finished
  /// with an error.
  ///
  /// While a recording is under way, the file is switched: the one before ends with a frame and the new
  /// one begins with the next, without a loss of pictures or sound.
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

  /// Leaves out what comes from now on, until ``resumeRecording()``. Does nothing before the first frame, and
  /// while the output stands by.
  public override func pauseRecording() { current?.pause() }

  /// Records again; the movie has no gap at the pause.
  public override func resumeRecording() { current?.resume() }

  /// True from the start of a recording until its end was asked for or came.
  public override var isRecording: Bool { current.map { $0.isActive && !$0.standsBy } ?? false }
  /// True between ``pauseRecording()`` and ``resumeRecording()``.
  public override var isRecordingPaused: Bool { current?.isPaused ?? false }
  /// The file that is recorded into.
  public override var outputFileURL: URL? { current.flatMap { $0.standsBy ? nil : $0.url } }
  /// What the file holds, in time: whole frames.
  public override var recordedDuration: MediaTime { current?.recordedDuration ?? .zero }
  /// What the file holds, in bytes, without what is still in queues.
  public override var recordedFileSize: Int64 { current?.writer.writtenByteCount ?? 0 }
  /// Where the recording stands; nil without one. The audio peak is that since the last look.
  public var progress: RecordingProgress? { current?.readProgress() }
  /// What became of the last recording.
  public var lastReport: RecordingReport? { state.withLock { $0.lastReport } }

  /// Called with one line as soon as others move, replace, delete or empty a file that is recorded, and where
  /// a recording awaits its first picture or has less of a pre-roll than it should.
  /// Not on a thread that records; it should return soon.
  public var noticeHandler: (@Sendable (String) -> Void)? {
    get { state.withLock { $0.noticeHandler } }
    set { state.withLock { $0.noticeHandler = newValue } }
  }

  /// Told what becomes of the path of each movie of the next takes. It is begun before a frame is in its file,
  /// and with `RecordingOptions.overwritesExistingFile` behind the first ones, when the file gets its name. On
  /// a thread that writes, which must not wait.
  package var openMovieHandler: (@Sendable (OpenMovies.Step) -> Void)? {
    get { state.withLock { $0.openMovieHandler } }
    set { state.withLock { $0.openMovieHandler = newValue } }
  }

  /// Called with the path of each movie of a take once it is complete and has its sidecar, while the take
  /// may go on in the next one. Not on a thread that records; it should return soon.
  public var completedMovieHandler: (@Sendable (String) -> Void)? {
    get { state.withLock { $0.completedMovieHandler } }
    set { state.withLock { $0.completedMovieHandler = newValue } }
  }

  // MARK: Limits

  /// The longest recording; `MediaTime.invalid` for no limit. Reached, it ends the recording with
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

  /// Bytes that are left free on the disk.
  public override var minFreeDiskSpaceLimit: Int64 {
    get { options.minFreeDiskSpaceLimit }
    set { state.withLock { $0.options.minFreeDiskSpaceLimit = newValue } }
  }

  // MARK: CaptureOutput

  /// One connection of pictures, up to sixteen of sound.
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
      receivePictures(event)
    } else {
      let (take, ending) = state.withLock { state in
        state.handover?.noteSound(event, from: connection)
        return (state.take, state.ending)
      }
      // What has ended waits for the sound up to its last frame.
      for take in ending { take.recording.receiveSound(event, from: connection) }
      take?.recording.receiveSound(event, from: connection)
    }
  }

  /// Ends a recording whose pictures are not connected any more, and forgets what was set for
  /// connections that are gone.
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
          "the recording ended as the pictures of \(recording.plan.connection.device) were disconnected "
            + "from its output; add input and output again to record on"))
      recording.finishAtOnce()
    }
    for recording in recordings { recording.endSound(unless: present) }
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

  private func receivePictures(_ event: CaptureEvent) {
    let (recording, before, endsBefore) = state.withLock { state in
      let before = state.handover
      let isOver = state.handover?.isOver(with: event) ?? true
      if isOver { state.handover = nil }
      return (state.take?.recording, before?.recording, isOver)
    }
    guard let before else {
      recording?.receivePictures(event)
      return
    }
    if !endsBefore || event.endsStream { before.receivePictures(event) }
    guard endsBefore else { return }
    before.stop(.stopped)
    recording?.receivePictures(event)
  }
}
