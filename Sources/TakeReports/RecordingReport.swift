public import AssetWriter
public import CaptureDevices
import FoundationEssentials
public import MediaCore

/// What became of a recording: what was asked, what was done, and each frame that is not as it
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
    /// The device failed.
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

  /// The source of the pictures.
  public struct Source: Sendable, Hashable, Codable {
    /// The device's identifier.
    public var deviceID: String
    /// The device's name.
    public var deviceName: String
    /// The format, as the device names it.
    public var format: String
    /// How good a source for ProRes 422 the format is: 1 to 5; nil for sound.
    public var tier: FormatTier?
    /// The tier in words; nil for sound.
    public var tierName: String?

  }

  /// What was written.
  public struct Movie: Sendable, Hashable, Codable {
    /// The file; the first of them, where the take was cut.
    public var path: String
    /// When its first frame was shot, by ISO 8601.
    public var startDate: String?
    /// When its first frame was shot, in seconds on the source's clock.
    public var startTime: Double?
    /// The codec's sample-entry code.
    public var codec: String
    /// The codec's name.
    public var codecName: String
    /// The encoder's full name.
    public var encoder: String
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// Frames a second: `25`, `30000/1001`.
    public var frameRate: String
    /// Primaries, transfer and matrix: `1-1-1`.
    public var color: String
    /// `progressive`, `topFieldFirst` or `bottomFieldFirst`.
    public var fieldOrder: String
    /// The first frame's timecode; nil without a timecode track.
    public var startTimecode: String?
    /// The timecode after the last frame.
    public var endTimecode: String?
    /// Frames in the file, repeats among them.
    public var frameCount: Int64
    /// Seconds in the file.
    public var duration: Double
    /// Bytes of all files.
    public var fileSize: Int64

  }

  /// An account of the frames.
  public struct Frames: Sendable, Hashable, Codable {
    package init() {}

    /// Frames that came while recording.
    public var received = 0
    /// Frames that were handed to the encoder.
    public var encoded = 0
    /// Frames in the file, repeats among them.
    public var written = 0
    /// Frames that were shown again in the place of others.
    public var repeated = 0
    /// Frames that are missing, whoever lost them.
    public var dropped = 0
    /// The missing frames by ``DropReason``.
    public var droppedByReason: [String: Int] = [:]
    /// Frames that the device flagged as damaged and that are in the file nevertheless.
    public var damaged = 0
    /// Frames that were left out during pauses.
    public var skippedInPause = 0
    /// The longest encoder queue.
    public var longestQueue = 0
    /// Frames that may be in that queue.
    public var queueDepth = 0
    /// The time that so many frames last, in seconds.
    public var queueDuration = 0.0
    /// The most bytes of encoded frames that waited for the disk.
    public var largestQueue: Int64 = 0
  }

  /// How long frames were on their way, from the time that a live device gives them; from their
  /// handing over for another.
  public struct Latency: Sendable, Hashable, Codable {
    /// Until the frame left the encoder.
    public var encoded: Distribution
    /// Until it was in the file, which it reaches with a whole fragment of others.
    public var written: Distribution

  }

  /// An account of one source of sound.
  public struct Sound: Sendable, Hashable, Codable {
    /// Where it came from.
    public var source: Source
    /// Frames a second.
    public var sampleRate: Int
    /// Channels.
    public var channelCount: Int
    /// Samples of each channel that came while recording.
    public var received: Int64 = 0
    /// Samples in the file.
    public var written: Int64 = 0
    /// Samples that the device or the writer lost.
    public var lost: Int64 = 0
    /// The lost samples by ``DropReason``.
    public var lostByReason: [String: Int64] = [:]
    /// Samples of silence in the place of missing ones.
    public var silence: Int64 = 0
    /// Samples before the first frame, in pauses, after the last frame.
    public var trimmed: Int64 = 0
    /// The loudest sample of each channel in decibels below full scale; nil for silence.
    public var peaks: [Double?] = []
    /// Seconds by which the device's timestamps are ahead of its samples at the end.
    public var clockDeviation = 0.0
    /// By how much its clock ran faster than that of the pictures, in millionths; the sound was
    /// stretched by as much to stay in step. Nil where the clocks agreed and the samples are those
    /// of the device.
    public var clockError: Double?
    /// The longest queue, in samples.
    public var longestQueue = 0

  }

  /// Something that happened to a frame.
  public struct Incident: Sendable, Hashable, Codable {
    /// What happened.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// Frames are missing.
      case dropped
      /// A frame is shown again.
      case repeated
      /// A frame is damaged.
      case damaged
      /// Sound is missing.
      case soundLost
      /// The signal went away.
      case signalLost
      /// The signal is back.
      case signalRestored
      /// The device failed or went away, and the take went on without it.
      case deviceLost
      /// The device is back, and its frames are in the movie again.
      case deviceRestored
      /// The source's time jumped.
      case timeJumped
      /// The device delivers nothing any more.
      case stalled
      /// The disk has fallen behind by half of the frames that may wait; frames may be lost soon.
      case diskBehind
      /// The source of the sound failed, or ended before the pictures did.
      case soundEnded
      /// Others moved the movie's file while it was written.
      case fileMoved
      /// Others deleted, replaced or emptied the movie's file while it was written.
      case fileLost
    }

    /// What happened.
    public var kind: Kind
    /// Why, where somebody lost something.
    public var reason: DropReason?
    /// How many frames, or samples of sound.
    public var count: Int
    /// The number of the first frame, from 0.
    public var frame: Int64
    /// The timecode of the first frame.
    public var timecode: String?
    /// Seconds from the first frame of the recording.
    public var seconds: Double

  }

  /// Incidents that a report holds at most.
  package static let incidentLimit = 10_000

  /// Where the pictures came from.
  public var source: Source
  /// What was written.
  public var movie: Movie
  /// What the take is called; nil where its slate says nothing.
  public var label: TakeLabel?
  /// The movies in order: one, unless the take was cut. Numbers of frames elsewhere in the report
  /// count through all of them.
  public var segments: [Segment] = []
  /// The frames.
  public var frames = Frames()
  /// The sound, a source each.
  public var sound: [Sound] = []
  /// What happened, in order.
  public var incidents: [Incident] = []
  /// Incidents beyond those that the report holds.
  public var incidentsOmitted = 0
  /// Why the recording ended.
  public var end: End
  /// What ended it, in words, where it did not end on request.
  public var error: String?
  /// True where the file is a complete movie.
  public var isValid: Bool
  /// How long frames were on their way; nil where none came.
  public var latency: Latency?
  /// How the system scheduled the threads that captured, encoded and wrote.
  public var threads: [ThreadScheduling] = []
  /// Why a movie has no sidecar, in words; nil where each has one, or none was wanted.
  public var sidecarError: String?
  /// The writer's own account.
  public var writer: AssetWriter.Report
  /// The recordings that went on where this one was interrupted, in order; see ``RecordingSeries``.
  public var continuations: [RecordingReport] = []

  /// The exit status that the recording deserves: 0 all well, 1 failed, 3 valid but with frames
  /// dropped, repeated or damaged, with sound lost, or with a file that others moved or deleted, 4
  /// valid but ended early. Silence of up to half a frame in the place of sound is no loss: a sound
  /// card may start that much late.
  public var exitStatus: Int32 {
    guard isValid else { return 1 }
    guard end.isIntended else { return 4 }
    let halfFrame = movie.duration / Double(max(movie.frameCount, 1)) / 2
    let isPerfect =
      segments.allSatisfy { $0.fileChange == nil } && frames.dropped == 0 && frames.repeated == 0
      && frames.damaged == 0
      && sound.allSatisfy {
        $0.lost == 0 && Double($0.silence) <= halfFrame * Double($0.sampleRate)
      }
    return isPerfect ? 0 : 3
  }

  /// The report of a recording with a good file.
  package func validated() throws(CaptureError) -> RecordingReport {
    guard isValid || !segments.isEmpty else {
      throw CaptureError(.outputFailed, error ?? "the recording failed")
    }
    return self
  }

  /// The report as JSON, keys sorted.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

/// Where a recording stands.
public struct RecordingProgress: Sendable, Hashable, Codable {
  package init() {}

  /// Seconds recorded.
  public var duration = 0.0
  /// Frames recorded, repeats among them.
  public var frames: Int64 = 0
  /// Frames missing so far.
  public var dropped = 0
  /// Frames repeated so far.
  public var repeated = 0
  /// Frames damaged so far.
  public var damaged = 0
  /// Bytes of the file.
  public var fileSize: Int64 = 0
  /// Frames that wait for the encoder or the disk.
  public var queue = 0
  /// Frames that may wait.
  public var queueDepth = 0
  /// The loudest sample since the last look, over all channels, in decibels below full scale; nil
  /// for silence or no sound.
  public var audioPeak: Double?
  /// The loudest sample of each channel since the last look, in decibels below full scale; nil for
  /// silence. The channels of all sources, in the order of their tracks.
  public var channelPeaks: [Double?] = []
  /// The timecode of the last frame; nil before the first, and without a timecode track.
  public var timecode: String?
  /// The movie that is being written; nil before there is one.
  public var path: String?
  /// True where the disk has fallen behind by half of the frames that may wait.
  public var isDiskBehind = false
  /// Bytes that the disk takes a second, as far as it was measured.
  public var diskRate: Double?
  /// Bytes free on the disk; nil where that cannot be told.
  public var freeDiskSpace: Int64?
  /// Seconds until the disk has no room left, at the rate so far; nil where that cannot be told.
  public var secondsLeft: Double?
  /// Seconds until the disk has no room left at the codec's target rate, the worst case, as
  /// ``RecordingCheck/minutesThatFit`` tells it; nil where that cannot be told.
  public var worstCaseSecondsLeft: Double?
  /// True in a pause.
  public var isPaused = false
  /// True before the start, while what comes is kept for the pre-roll.
  public var isStandingBy = false
  /// Seconds that are kept for the pre-roll; 0 once the recording has begun.
  public var preRoll = 0.0
}
