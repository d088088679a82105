import AssetWriter
import CaptureDevices
public import FoundationEssentials
import MediaCore
import Synchronization
public import TakeReports

/// How takes begin: at once, or with what is kept while the output stands by.
extension CaptureMovieFileOutput {
  /// Encodes and keeps the last ``preRollDuration`` in memory, so that the next recording begins with it. All
  /// settings but the file's are fixed from here on. Does nothing if the output already stands by.
  /// ``stopRecording()`` ends it.
  ///
  /// When the source delivers no frames for a while, everything kept before the gap is discarded: a recording then
  /// begins after the gap, and ``noticeHandler`` is called.
  ///
  /// - Parameter folder: The movie's future folder, whose disk ``progress`` reports before the
  ///   start; nil for the working folder.
  /// - Throws: As ``record(to:from:)``, but for the file's errors.
  public func standBy(in folder: URL? = nil) throws(CaptureError) {
    _ = try standByForTake(in: folder)
  }

  /// As ``standBy(in:)``.
  ///
  /// - Returns: The recording that stands by and becomes the take.
  package func standByForTake(in folder: URL? = nil) throws(CaptureError) -> MovieRecording {
    try claim { () throws(CaptureError) in
      if let waiting { return waiting }
      let folder = folder ?? URL(filePath: ".", directoryHint: .isDirectory)
      return try arm(try makePlan(folder.appending(path: "take.mov")), isStandingBy: true)
    }
  }

  /// Records until ``stopRecording()``, a limit, the end of the source or a failure.
  ///
  /// Cancelling the task stops the recording, and the file is valid. The next recording may start
  /// while a stopped one is still completing its file.
  ///
  /// - Parameters:
  ///   - outputFileURL: The movie.
  ///   - mark: Where the take begins, for an output that stands by; nil for the next frame.
  /// - Returns: The report. It says why a take ended early, and which files hold frames without being complete
  ///   movies (`RecordingReport.isValid`, `RecordingReport.segments`).
  /// - Throws: `CaptureError.Code.invalidState` where the session does not run or a recording is
  ///   under way, `CaptureError.Code.codecUnavailable`, `CaptureError.Code.formatUnavailable`,
  ///   `CaptureError.Code.nothingRecorded` where nothing was recorded.
  public func record(
    to outputFileURL: URL, from mark: StartMark? = nil
  ) async throws(CaptureError) -> RecordingReport {
    try await beginTake(at: outputFileURL, from: mark).waitForReportOrStop().validated()
  }

  /// Begins a take once the frame at its mark has arrived.
  ///
  /// - Throws: As ``record(to:from:)``, but for what goes wrong later.
  package func beginTake(
    at url: URL, from mark: StartMark?
  ) async throws(CaptureError) -> MovieRecording {
    if let mark, let waiting { await waiting.waitForFrame(at: mark) }
    return try begin(url, from: mark, delegate: nil)
  }

  var current: MovieRecording? { state.withLock { $0.take?.recording } }

  /// The recording that stands by.
  var waiting: MovieRecording? {
    current.flatMap { $0.isStandingBy && $0.isActive ? $0 : nil }
  }

  func begin(
    _ url: URL, from mark: StartMark?, delegate: (any CaptureFileOutputRecordingDelegate)?,
    switchesFile: Bool = false
  ) throws(CaptureError) -> MovieRecording {
    try claim(besidesRecording: switchesFile) { () throws(CaptureError) in
      guard let waiting else {
        return try arm(try makePlan(url), isStandingBy: false, delegate: delegate)
      }
      state.withLock { $0.take?.delegate = delegate }
      try waiting.begin(at: url, label: options.label, mark: mark)
      return waiting
    }
  }

  /// Runs `body` to the exclusion of other starts.
  ///
  /// - Parameter besidesRecording: True to allow it while a recording is under way whose file is not being switched.
  private func claim<Result>(
    besidesRecording: Bool = false, _ body: () throws(CaptureError) -> Result
  ) throws(CaptureError) -> Result {
    let isFree = state.withLock { state in
      let isFree = state.take.map { $0.recording.isStandingBy || !$0.recording.isActive } ?? true
      guard isFree || (besidesRecording && state.handover == nil), !state.isPreparing else {
        return false
      }
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
    _ plan: RecordingPlan, isStandingBy: Bool,
    delegate: (any CaptureFileOutputRecordingDelegate)? = nil
  ) throws(CaptureError) -> MovieRecording {
    let didStepMovie = openMovieHandler
    let recording = try MovieRecording(
      plan, isStandingBy: isStandingBy, freeSpace: freeSpace,
      observer: MovieRecording.Observer(
        didStart: { [weak self] in self?.didStart($0) },
        didPause: { [weak self] in self?.didPause($0) },
        didResume: { [weak self] in self?.didResume($0) },
        willFinish: { [weak self] in self?.willFinish($0, $1) },
        didFinish: { [weak self] in self?.didFinish($0, $1, $2) },
        didNotice: { [weak self] text in self?.noticeHandler?(text) },
        didStepMovie: { didStepMovie?($0) },
        didCompleteMovie: { [weak self] path in self?.completedMovieHandler?(path) }))
    state.withLock { state in
      if let before = state.take {
        state.ending.append(before)
        if before.recording.isActive {
          state.handover = TakeHandover(
            from: before.recording,
            audio: connections.filter { $0.mediaType == .audio && $0.isFlowing })
        }
      }
      state.take = Take(recording: recording, delegate: delegate)
    }
    recording.catchUp()
    return recording
  }
}
