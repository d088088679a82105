package import AssetWriter
import CaptureDevices
import Dispatch
public import FoundationEssentials
public import MediaCore
import QuickTime
package import Synchronization
import TakeReports

/// Records a session's pictures and sound into a ProRes movie, as `AVCaptureMovieFileOutput` does.
///
/// ```swift
/// let report = try await movieOutput.record(to: URL(filePath: "take.mov"))
/// ```
///
/// The movie begins with the first frame that comes after the call; sound is cut to it, to the
/// sample. Each frame has its slot on a constant-rate timeline, so that a frame that is lost costs
/// that frame and nothing else, and is in the ``RecordingReport``.
public final class CaptureMovieFileOutput: CaptureFileOutput {
  /// The output's connections.
  public let connectionList = CaptureConnectionList()
  let state = Mutex(State())
  private let delegateQueue = DispatchQueue(label: "movie-file-output")
  private let freeSpace: FreeSpace
  let fileSizeLimit: FileSizeLimit
  let makeEncoder: VideoPreparation.MakeEncoder

  struct State: Sendable {
    var options = RecordingOptions()
    var videoChoices: [ObjectIdentifier: VideoChoice] = [:]
    var audioSettings: [ObjectIdentifier: AudioOutputSettings] = [:]
    /// Why settings of a connection were refused where nobody could be told.
    var refusals: [ObjectIdentifier: CaptureError] = [:]
    var recording: MovieRecording?
    /// True while a recording is being set up.
    var isPreparing = false
    var lastReport: RecordingReport?
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

  init(
    freeSpace: FreeSpace, fileSizeLimit: FileSizeLimit = .system,
    makeEncoder: @escaping VideoPreparation.MakeEncoder = EncoderFactory.makeEncoder
  ) {
    self.freeSpace = freeSpace
    self.fileSizeLimit = fileSizeLimit
    self.makeEncoder = makeEncoder
  }

  // MARK: Recording

  /// Begins to encode and to keep what comes, so that the next recording begins with the last
  /// ``preRollDuration`` before its start. Settings count from here on, but for the file's. Does
  /// nothing where the output stands by already. ``stopRecording()`` ends it.
  ///
  /// - Throws: As ``record(to:)``, but for the file's errors.
  public func standBy() throws(CaptureError) {
    try claim {
      () throws(CaptureError) in
      if current?.standsBy == true { return }
      let url = URL(filePath: "take.mov")
      _ = try arm(try makePlan(url), standsBy: true)
    }
  }

  /// True between ``standBy()`` and the start of the recording.
  public var isStandingBy: Bool { current?.standsBy ?? false }

  /// Lets the frame that comes next begin a new movie, beside the one that is recorded; where sound
  /// is ahead of the pictures, a frame as much later. No frame is lost or repeated, and the movie
  /// before is completed while the recording goes on.
  ///
  /// - Throws: ``CaptureError/Code/invalidState`` where nothing is recorded.
  public func startNewSegment() throws(CaptureError) {
    guard let recording = current else {
      throw CaptureError(.invalidState, "nothing is recorded, so nothing can be cut")
    }
    try recording.startNewSegment()
  }

  /// Records until ``stopRecording()``, a limit, the end of the source or a failure.
  ///
  /// Cancelling the task stops the recording; the file is good then, too.
  ///
  /// - Returns: What became of it. Where it ended early and the file is good, the report says why.
  /// - Throws: ``CaptureError/Code/invalidState`` where the session does not run or a recording is
  ///   under way, ``CaptureError/Code/codecUnavailable``, ``CaptureError/Code/formatUnavailable``,
  ///   ``CaptureError/Code/outputFailed`` where there is no good file.
  public func record(to outputFileURL: URL) async throws(CaptureError) -> RecordingReport {
    let recording = try begin(outputFileURL, delegate: nil)
    let report = await withTaskCancellationHandler {
      await recording.waitForReport()
    } onCancel: {
      recording.stop(.stopped)
    }
    guard report.isValid else {
      throw CaptureError(.outputFailed, report.error ?? "the recording failed")
    }
    return report
  }

  /// Apple's form of ``record(to:)``. A recording that cannot begin is told of as one that finished
  /// with an error.
  public func startRecording(
    to outputFileURL: URL, recordingDelegate delegate: any CaptureFileOutputRecordingDelegate
  ) {
    do throws(CaptureError) {
      _ = try begin(outputFileURL, delegate: delegate)
    } catch {
      let connections = connections
      delegateQueue.async { [self] in
        delegate.fileOutput(
          self, didFinishRecordingTo: outputFileURL, from: connections, error: error)
      }
    }
  }

  /// Ends the recording with the frame that was recorded last. The file is complete once
  /// ``record(to:)`` returns or the delegate is told.
  public func stopRecording() { current?.stop(.stopped) }

  /// Leaves out what comes from now on, until ``resumeRecording()``.
  public func pauseRecording() {
    guard let recording = current, recording.pause() else { return }
    tell { delegate, output, connections in
      delegate.fileOutput(output, didPauseRecordingTo: recording.url, from: connections)
    }
  }

  /// Records again; the movie has no gap at the pause.
  public func resumeRecording() {
    guard let recording = current, recording.resume() else { return }
    tell { delegate, output, connections in
      delegate.fileOutput(output, didResumeRecordingTo: recording.url, from: connections)
    }
  }

  /// True from the start of a recording until its end was asked for or came.
  public var isRecording: Bool { current.map { $0.isActive && !$0.standsBy } ?? false }
  /// True between ``pauseRecording()`` and ``resumeRecording()``.
  public var isRecordingPaused: Bool { current?.isPaused ?? false }
  /// The file that is recorded into.
  public var outputFileURL: URL? { current.flatMap { $0.standsBy ? nil : $0.url } }
  /// What the file holds, in time: whole frames.
  public var recordedDuration: MediaTime { current?.recordedDuration ?? .zero }
  /// What the file holds, in bytes, without what is still in queues.
  public var recordedFileSize: Int64 { current?.writer.writtenByteCount ?? 0 }
  /// Where the recording stands; nil without one. The audio peak is that since the last look.
  public var progress: RecordingProgress? { current?.takeProgress() }
  /// What became of the last recording.
  public var lastReport: RecordingReport? { state.withLock { $0.lastReport } }

  // MARK: CaptureOutput

  /// One connection of pictures, up to sixteen of sound.
  public func connectionLimit(for mediaType: MediaType) -> Int {
    switch mediaType {
    case .video: 1
    case .audio: 16
    default: 0
    }
  }

  /// Takes an event of a stream.
  public func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    guard let recording = current else { return }
    if connection.mediaType == .video {
      recording.receivePictures(event)
    } else {
      recording.receiveSound(event, from: connection)
    }
  }

  /// Ends a recording whose pictures are not connected any more, and forgets what was set for
  /// connections that are gone.
  public func connectionsDidChange() {
    let present = Set(connections.map { ObjectIdentifier($0) })
    let recording = state.withLock { state in
      state.videoChoices = state.videoChoices.filter { present.contains($0.key) }
      state.audioSettings = state.audioSettings.filter { present.contains($0.key) }
      state.refusals = state.refusals.filter { present.contains($0.key) }
      return state.recording
    }
    guard let recording, !present.contains(ObjectIdentifier(recording.plan.connection)) else {
      return
    }
    recording.stop(.sessionStopped)
    recording.finishAtOnce()
  }

  /// Ends a recording with the session.
  public func sessionDidStop() {
    guard let recording = current else { return }
    recording.stop(.sessionStopped)
    recording.finishAtOnce()
  }

  // MARK: Inside

  var current: MovieRecording? { state.withLock { $0.recording } }

  private func begin(
    _ url: URL, delegate: (any CaptureFileOutputRecordingDelegate)?
  ) throws(CaptureError) -> MovieRecording {
    try claim { () throws(CaptureError) in
      guard let waiting = current, waiting.standsBy else {
        return try arm(try makePlan(url), standsBy: false, delegate: delegate)
      }
      state.withLock { $0.delegate = delegate }
      try waiting.begin(at: url)
      return waiting
    }
  }

  /// Runs what no other call may disturb, where no recording is under way.
  private func claim<Result>(
    _ body: () throws(CaptureError) -> Result
  ) throws(CaptureError) -> Result {
    let isFree = state.withLock { state in
      guard state.recording?.standsBy ?? true, !state.isPreparing else { return false }
      state.isPreparing = true
      return true
    }
    guard isFree else {
      throw CaptureError(.invalidState, "a recording is under way; stop it first")
    }
    defer { state.withLock { $0.isPreparing = false } }
    return try body()
  }

  private func arm(
    _ plan: RecordingPlan, standsBy: Bool,
    delegate: (any CaptureFileOutputRecordingDelegate)? = nil
  ) throws(CaptureError) -> MovieRecording {
    let recording = try MovieRecording(
      plan, standsBy: standsBy, freeSpace: freeSpace,
      observer: MovieRecording.Observer(
        didStart: { [weak self] in self?.didStart() },
        didFinish: { [weak self] report, error in self?.didFinish(report, error) }))
    state.withLock { state in
      state.recording = recording
      state.delegate = delegate
    }
    recording.catchUp()
    return recording
  }

  private func didStart() {
    guard let url = current?.url else { return }
    tell { delegate, output, connections in
      delegate.fileOutput(output, didStartRecordingTo: url, from: connections)
    }
  }

  private func didFinish(_ report: RecordingReport, _ error: CaptureError?) {
    let url = URL(filePath: report.movie.path)
    let delegate = state.withLock { state in
      state.recording = nil
      state.lastReport = report
      defer { state.delegate = nil }
      return state.delegate
    }
    guard let delegate else { return }
    let connections = connections
    delegateQueue.async { [self] in
      delegate.fileOutput(self, didFinishRecordingTo: url, from: connections, error: error)
    }
  }

  /// Calls the delegate on its queue.
  private func tell(
    _ call:
      @escaping @Sendable (
        any CaptureFileOutputRecordingDelegate, any CaptureFileOutput, [CaptureConnection]
      ) -> Void
  ) {
    guard let delegate = state.withLock({ $0.delegate }) else { return }
    let connections = connections
    delegateQueue.async { [self] in call(delegate, self, connections) }
  }
}
