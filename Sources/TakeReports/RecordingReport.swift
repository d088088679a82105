public import AssetWriter
package import CaptureDevices
public import MediaCore
import QuickTime

/// The report of a recording: what was requested, what was done, and every frame with a fault.
public struct RecordingReport: Sendable, Hashable, Codable {
  /// Why the recording ended.
  public enum End: String, Sendable, Hashable, Codable, CaseIterable {
    /// It was stopped on request.
    case stopped
    /// It reached its maximum duration.
    case maximumDurationReached
    /// The file reached its maximum size.
    case maximumFileSizeReached
    /// The free space on the disk fell to its minimum.
    case minimumFreeDiskSpaceReached
    /// The source was a file that ended.
    case sourceEnded
    /// The session was stopped, or the input removed.
    case sessionStopped
    /// The input signal was lost.
    case signalLost
    /// The signal's size, frame rate or layout changed.
    case formatChanged
    /// The device was disconnected.
    case deviceDisconnected
    case deviceFailed
    /// The device stopped delivering frames.
    case deviceStalled
    /// The disk was too slow, and the recording was set to end rather than lose frames.
    case diskTooSlow
    case diskFull
    /// Writing the file, or encoding a frame, failed.
    case writingFailed
    /// It has not ended; the report was made before.
    case unknown

    /// True if the source was lost, but may return.
    public var isInterruption: Bool {
      switch self {
      case .signalLost, .formatChanged, .deviceDisconnected, .deviceFailed, .deviceStalled: true
      default: false
      }
    }

    /// True if the recording has its intended length.
    public var isIntended: Bool {
      switch self {
      case .stopped, .maximumDurationReached, .sourceEnded, .sessionStopped, .unknown: true
      default: false
      }
    }
  }

  /// The maximum number of incidents in a report.
  package static let incidentLimit = 10_000
  /// The maximum number of markers in a recording.
  package static let markerLimit = 10_000
  /// The maximum length of a marker's note in UTF-8 bytes.
  package static let markerNoteLimit = 1000

  /// The first character that a marker's note must not contain; nil if there is none. Line breaks
  /// and tabs are allowed.
  package static func hiddenCharacter(inNote note: String) -> HiddenCharacter? {
    note.unicodeScalars.lazy.filter { !["\n", "\r", "\t"].contains($0) }
      .compactMap(HiddenCharacter.init).first
  }

  /// The source of the video.
  public var source: Source
  /// The recorded movie.
  public var movie: Movie
  /// The take's slate; nil if it is empty.
  public var label: TakeLabel?
  /// The movies in order: one, unless the take was split. Frame numbers elsewhere in the report
  /// count across all of them.
  public var segments: [Segment] = []
  public var frames = Frames()
  /// The audio sources.
  public var audio: [Audio] = []
  /// The incidents, in order.
  public var incidents: [Incident] = []
  /// The number of incidents beyond the report's limit.
  public var incidentsOmitted = 0
  /// The notes made during recording, in order; nil for none.
  public var markers: [Marker]?
  /// Why the recording ended.
  public var end: End
  /// The error that ended it; nil if it ended on request.
  public var error: ErrorSummary?
  /// True if it was paused when it ended; otherwise nil.
  public var wasPaused: Bool?
  /// True if the file is a complete movie.
  public var isValid: Bool
  /// The latency of frames; nil if there were none.
  public var latency: Latency?
  /// The source and error of the system's clock at the start; nil if that was not checked.
  public var clock: ClockState?
  /// The scheduling of the threads that captured, encoded and wrote.
  public var threads: [ThreadScheduling] = []
  /// The processors to which the system refused to bind threads; nil for none.
  public var refusedProcessors: [Int]?
  /// Why a movie has no sidecar; nil if none is missing, or none was wanted.
  public var sidecarError: ErrorSummary?
  /// A line for each sidecar of an earlier movie that was replaced by one without a sidecar; nil if
  /// there was none.
  public var staleSidecars: [String]?
  /// The writer's report.
  public var writer: AssetWriter.Report
  /// The recordings that continued this one after interruptions, in order; see `RecordingSeries`.
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

  /// The outcome. Up to half a frame of silence in place of audio is not a loss, because a sound
  /// card may start that late.
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

  /// The number of movies that should be in two places, but are in one.
  package var lostCopyCount: Int {
    segments.count { segment in !(segment.copies ?? []).allSatisfy(\.isWhole) }
  }

  /// The report, if it has a usable file; otherwise throws its error.
  package func validated() throws(CaptureError) -> RecordingReport {
    guard isValid || !segments.isEmpty else {
      let isEmpty = error?.code == CaptureError.Code.nothingRecorded.name
      throw CaptureError(
        isEmpty ? .nothingRecorded : .outputFailed, error?.message ?? "the recording failed")
    }
    return self
  }

  /// The report as a document of kind `recording`.
  ///
  /// - Throws: `EncodingError` if a number is infinite or NaN.
  public func json() throws -> String {
    try JSONDocument(.recording, self, OutcomeField(outcome: outcome)).text()
  }
}

/// Adds a report's outcome to a document.
package struct OutcomeField: Encodable {
  package let outcome: RecordingReport.Outcome

  package init(outcome: RecordingReport.Outcome) { self.outcome = outcome }
}
