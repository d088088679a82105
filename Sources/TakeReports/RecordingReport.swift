public import AssetWriter
package import CaptureDevices
public import MediaCore
import QuickTime

/// The report of a recording: what was requested, what was done, and every frame that is not as it
/// should be.
public struct RecordingReport: Sendable, Hashable, Codable {
  /// Why a recording ended.
  public enum End: String, Sendable, Hashable, Codable, CaseIterable {
    /// On request.
    case stopped
    /// It is as long as it was to be.
    case maximumDurationReached
    /// The file is as large as it may be.
    case maximumFileSizeReached
    /// The disk has no more room than is to be left free.
    case minimumFreeDiskSpaceReached
    /// The source was a file, and ended.
    case sourceEnded
    /// The session was stopped, or the input was taken out.
    case sessionStopped
    /// The input had no signal any more.
    case signalLost
    /// The signal changed its size, rate or layout.
    case formatChanged
    /// The device went away.
    case deviceDisconnected
    case deviceFailed
    /// The device delivered no frames any more.
    case deviceStalled
    /// The disk was too slow, and the recording was to end rather than lose frames.
    case diskTooSlow
    /// The disk was full.
    case diskFull
    /// The file could not be written, or a frame not be encoded.
    case writingFailed
    /// It has not: the report was made before.
    case unknown

    /// True where the source was lost, and may come back.
    public var isInterruption: Bool {
      switch self {
      case .signalLost, .formatChanged, .deviceDisconnected, .deviceFailed, .deviceStalled: true
      default: false
      }
    }

    /// True where the recording is as long as somebody wanted it to be.
    public var isIntended: Bool {
      switch self {
      case .stopped, .maximumDurationReached, .sourceEnded, .sessionStopped, .unknown: true
      default: false
      }
    }
  }

  /// Incidents that a report holds at most.
  package static let incidentLimit = 10_000
  /// Markers that a recording takes at most.
  package static let markerLimit = 10_000
  /// Bytes of a marker's note at most, as UTF-8.
  package static let markerNoteLimit = 1000

  /// The first character that no marker's note may have; nil for none. Several lines, and tabs, are fine.
  package static func hiddenCharacter(inNote note: String) -> HiddenCharacter? {
    note.unicodeScalars.lazy.filter { !["\n", "\r", "\t"].contains($0) }
      .compactMap(HiddenCharacter.init).first
  }

  /// Where the pictures came from.
  public var source: Source
  /// What was written.
  public var movie: Movie
  /// The take's slate; nil if it is empty.
  public var label: TakeLabel?
  /// The movies in order: one, unless the take was cut. Numbers of frames elsewhere in the report
  /// count through all of them.
  public var segments: [Segment] = []
  public var frames = Frames()
  /// The audio, a source each.
  public var audio: [Audio] = []
  /// What happened, in order.
  public var incidents: [Incident] = []
  /// Incidents beyond those that the report holds.
  public var incidentsOmitted = 0
  /// The notes that were made while it was recorded, in order; nil for none.
  public var markers: [Marker]?
  /// Why the recording ended.
  public var end: End
  /// What ended it, where it did not end on request.
  public var error: ErrorSummary?
  /// True where it was paused when it ended; missing where it was not.
  public var wasPaused: Bool?
  /// True where the file is a complete movie.
  public var isValid: Bool
  /// How long frames were on their way; nil where none came.
  public var latency: Latency?
  /// What set the system's clock when it began, and the clock's error; nil if that was not checked.
  public var clock: ClockState?
  /// How the system scheduled the threads that captured, encoded and wrote.
  public var threads: [ThreadScheduling] = []
  /// Processors that threads were to be kept on and that the system refused; nil for none.
  public var refusedProcessors: [Int]?
  /// Why a movie has no sidecar; nil where each has one, or none was wanted.
  public var sidecarError: ErrorSummary?
  /// A line for each sidecar of a movie that was replaced by one without; nil where there was none.
  public var staleSidecars: [String]?
  /// The writer's own account.
  public var writer: AssetWriter.Report
  /// The recordings that went on where this one was interrupted, in order; see `RecordingSeries`.
  public var continuations: [RecordingReport] = []

  package init(
    source: Source, movie: Movie, label: TakeLabel? = nil, segments: [Segment] = [],
    frames: Frames = Frames(), audio: [Audio] = [], incidents: [Incident] = [],
    incidentsOmitted: Int = 0, end: End, error: ErrorSummary? = nil, isValid: Bool,
    latency: Latency? = nil, threads: [ThreadScheduling] = [], sidecarError: ErrorSummary? = nil,
    writer: AssetWriter.Report, continuations: [RecordingReport] = []
  ) {
    self.source = source
    self.movie = movie
    self.label = label
    self.segments = segments
    self.frames = frames
    self.audio = audio
    self.incidents = incidents
    self.incidentsOmitted = incidentsOmitted
    self.end = end
    self.error = error
    self.isValid = isValid
    self.latency = latency
    self.threads = threads
    self.sidecarError = sidecarError
    self.writer = writer
    self.continuations = continuations
  }

  /// The outcome. Up to half a frame of silence in place of audio does not count as a loss, because a
  /// sound card may start that much late.
  public var outcome: Outcome {
    guard isValid else { return .failed }
    guard end.isIntended else { return .endedEarly }
    let halfFrame = movie.duration / Double(max(movie.frameCount, 1)) / 2
    let isPerfect =
      lostCopyCount == 0 && segments.allSatisfy { $0.fileChange == nil }
      && frames.dropped == 0 && frames.repeated == 0 && frames.damaged == 0
      && audio.allSatisfy {
        $0.lost == 0 && Double($0.silence) <= halfFrame * Double($0.sampleRate)
      }
    return isPerfect ? .complete : .imperfect
  }

  /// Movies that were to be in two places, and are in one.
  package var lostCopyCount: Int {
    segments.count { segment in !(segment.copies ?? []).allSatisfy(\.isWhole) }
  }

  /// The report of a recording with a good file.
  package func validated() throws(CaptureError) -> RecordingReport {
    guard isValid || !segments.isEmpty else {
      let isEmpty = error?.code == CaptureError.Code.nothingRecorded.name
      throw CaptureError(
        isEmpty ? .nothingRecorded : .outputFailed, error?.message ?? "the recording failed")
    }
    return self
  }

  /// The report as a document of the kind `recording`.
  ///
  /// - Throws: `EncodingError`, should a number be infinite or NaN.
  public func json() throws -> String {
    try JSONDocument(.recording, self, OutcomeField(outcome: outcome)).text()
  }
}

/// What a report's outcome adds to a document.
package struct OutcomeField: Encodable {
  package let outcome: RecordingReport.Outcome

  /// The field for an outcome.
  package init(outcome: RecordingReport.Outcome) { self.outcome = outcome }
}
