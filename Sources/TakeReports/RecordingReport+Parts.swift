public import AssetWriter
public import CaptureDevices
public import MediaCore

/// The parts of a report.
extension RecordingReport {
  /// The source of the video or audio.
  public struct Source: Sendable, Hashable, Codable {
    /// The device's identifier.
    public var deviceID: String
    public var deviceName: String
    /// The format, as named by the device.
    public var format: String
    /// How well the format suits ProRes 422, from 1 to 5; nil for audio.
    public var tier: FormatTier?
    /// The tier as text; nil for audio.
    public var tierName: String?

    package init(
      deviceID: String, deviceName: String, format: String, tier: FormatTier? = nil,
      tierName: String? = nil
    ) {
      self.deviceID = deviceID
      self.deviceName = deviceName
      self.format = format
      self.tier = tier
      self.tierName = tierName
    }

  }

  /// The recorded movie.
  public struct Movie: Sendable, Hashable, Codable {
    /// The file, or the first file if the take was split.
    public var path: String
    /// When its first frame was captured, in ISO 8601.
    public var startDate: String?
    /// When its first frame was captured, in seconds on the source's clock.
    public var startTime: Double?
    /// The codec's sample-entry code.
    public var codec: String
    public var codecName: String
    /// The encoder's full name.
    public var encoder: String
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// Frames per second: `25`, `30000/1001`.
    public var frameRate: String
    /// Color primaries, transfer function and matrix: `1-1-1`.
    public var color: String
    /// The mastering display of HDR video: `G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)`, in units of
    /// 0.00002 and of 0.0001 candela per square meter; nil if unspecified.
    public var masteringDisplay: String?
    /// The maximum content light level and maximum frame-average light level of HDR video:
    /// `1000,400`; nil if unspecified.
    public var contentLight: String?
    /// Whether frames are interlaced, and which field comes first.
    public var fieldOrder: FieldOrder
    /// The first frame's timecode; nil without a timecode track.
    public var startTimecode: String?
    /// The timecode after the last frame.
    public var endTimecode: String?
    /// The number of frames in the file, including repeats.
    public var frameCount: Int64
    /// The number of these that precede the start of the take as its pre-roll; nil if there is
    /// none.
    public var preRollFrames: Int64?
    /// The duration in seconds.
    public var duration: Double
    /// The size of all files in bytes.
    public var fileSize: Int64

    package init(
      path: String, startDate: String? = nil, startTime: Double? = nil, codec: String,
      codecName: String, encoder: String, width: Int, height: Int, frameRate: String, color: String,
      fieldOrder: FieldOrder, startTimecode: String? = nil, endTimecode: String? = nil,
      frameCount: Int64, duration: Double, fileSize: Int64
    ) {
      self.path = path
      self.startDate = startDate
      self.startTime = startTime
      self.codec = codec
      self.codecName = codecName
      self.encoder = encoder
      self.width = width
      self.height = height
      self.frameRate = frameRate
      self.color = color
      self.fieldOrder = fieldOrder
      self.startTimecode = startTimecode
      self.endTimecode = endTimecode
      self.frameCount = frameCount
      self.duration = duration
      self.fileSize = fileSize
    }

  }

  /// The account of the frames.
  public struct Frames: Sendable, Hashable, Codable {
    package init() {}

    /// Frames that arrived while recording.
    public var received = 0
    /// Frames passed to the encoder.
    public var encoded = 0
    /// Frames in the file, including repeats.
    public var written = 0
    /// Frames repeated in place of others.
    public var repeated = 0
    /// Missing frames, wherever they were lost.
    public var dropped = 0
    /// The missing frames by `DropReason`.
    public var droppedByReason: [String: Int] = [:]
    /// Frames that the device flagged as damaged, but that are in the file.
    public var damaged = 0
    /// Frames left out during pauses.
    public var skippedInPause = 0
    /// The maximum length of the encoder queue.
    public var longestQueue = 0
    /// The capacity of that queue in frames.
    public var queueDepth = 0
    /// The duration of a full queue in seconds.
    public var queueDuration = 0.0
    /// The maximum size of encoded frames waiting for the disk, in bytes.
    public var largestQueueBytes: Int64 = 0
  }

  /// The latency of frames: from the device's timestamp for live devices, otherwise from their
  /// delivery.
  public struct Latency: Sendable, Hashable, Codable {
    /// Until the encoder finished the frame.
    public var encoded: Distribution
    /// Until the frame was in the file, which receives whole fragments.
    public var written: Distribution

    package init(encoded: Distribution, written: Distribution) {
      self.encoded = encoded
      self.written = written
    }

  }

  /// The account of one audio source.
  public struct Audio: Sendable, Hashable, Codable {
    /// The audio source.
    public var source: Source
    /// The sample rate in Hz.
    public var sampleRate: Int
    public var channelCount: Int
    /// The channel layout: `5.1`, or the channels in order, `L,R,C`; nil if unspecified.
    public var channelLayout: String?
    /// Samples per channel that arrived while recording.
    public var received: Int64 = 0
    /// Samples in the file.
    public var written: Int64 = 0
    /// Samples lost by the device or the writer.
    public var lost: Int64 = 0
    /// The lost samples by `DropReason`.
    public var lostByReason: [String: Int64] = [:]
    /// Samples of silence in place of missing ones.
    public var silence: Int64 = 0
    /// Samples removed before the first frame, in pauses, and after the last frame.
    public var trimmed: Int64 = 0
    /// The loudest sample of each channel in dBFS; nil for silence.
    public var peaks: [Double?] = []
    /// Seconds by which the device's timestamps were ahead of its sample count at the end.
    public var clockDeviation = 0.0
    /// By how much its clock ran faster than that of the video, in millionths; the audio was
    /// stretched by that much to stay in sync. Nil if the clocks agreed and the samples are
    /// unchanged.
    public var clockError: Double?
    /// The maximum length of the queue, in samples.
    public var longestQueue = 0

    package init(
      source: Source, sampleRate: Int, channelCount: Int, received: Int64 = 0, written: Int64 = 0,
      lost: Int64 = 0, lostByReason: [String: Int64] = [:], silence: Int64 = 0, trimmed: Int64 = 0,
      peaks: [Double?] = [], clockDeviation: Double = 0.0, clockError: Double? = nil,
      longestQueue: Int = 0
    ) {
      self.source = source
      self.sampleRate = sampleRate
      self.channelCount = channelCount
      self.received = received
      self.written = written
      self.lost = lost
      self.lostByReason = lostByReason
      self.silence = silence
      self.trimmed = trimmed
      self.peaks = peaks
      self.clockDeviation = clockDeviation
      self.clockError = clockError
      self.longestQueue = longestQueue
    }

  }

  /// A note made at a frame during recording.
  public struct Marker: Sendable, Hashable, Codable {
    /// The note; empty for a mark without a note.
    public var note: String
    /// The frame's number, from 0.
    public var frame: Int64
    /// The frame's timecode.
    public var timecode: String?
    /// Seconds from the first frame of the recording.
    public var seconds: Double

    package init(note: String, frame: Int64, timecode: String?, seconds: Double) {
      self.note = note
      self.frame = frame
      self.timecode = timecode
      self.seconds = seconds
    }
  }

  /// An incident that affected frames or audio.
  public struct Incident: Sendable, Hashable, Codable {
    /// What happened to the frames or the audio.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// Frames are missing.
      case dropped
      /// A frame was repeated.
      case repeated
      /// A frame is damaged.
      case damaged
      /// Audio is missing.
      case audioLost
      /// The signal was lost.
      case signalLost
      /// The signal returned.
      case signalRestored
      /// The device failed or disappeared, and the take continued without it.
      case deviceLost
      /// The device returned, and its frames are in the movie again.
      case deviceRestored
      /// The source's timestamps jumped.
      case timeJumped
      /// The device stopped delivering.
      case stalled
      /// The frames waiting for the disk fill half of the queue; frames may be lost soon.
      case diskBehind
      /// The audio source failed, or ended before the video.
      case audioEnded
      /// Someone else moved the movie's file while it was being written.
      case fileMoved
      /// Someone else deleted, replaced or emptied the movie's file while it was being written.
      case fileLost
      /// One of the two files of a movie was given up; the movie continued in the other.
      case copyLost
      /// The process was stopped, for example by SIGSTOP; what arrived meanwhile is missing.
      case processStopped
    }

    /// What happened.
    public var kind: Kind
    /// The reason, if something was lost.
    public var reason: DropReason?
    /// The number of frames or audio samples.
    public var count: Int
    /// The number of the first frame, from 0.
    public var frame: Int64
    /// The timecode of the first frame.
    public var timecode: String?
    /// Seconds from the first frame of the recording.
    public var seconds: Double
    /// The duration in seconds; nil if ``count`` tells it.
    public var duration: Double?

    package init(
      kind: Kind, reason: DropReason? = nil, count: Int, frame: Int64, timecode: String? = nil,
      seconds: Double, duration: Double? = nil
    ) {
      self.kind = kind
      self.reason = reason
      self.count = count
      self.frame = frame
      self.timecode = timecode
      self.seconds = seconds
      self.duration = duration
    }

  }
}
