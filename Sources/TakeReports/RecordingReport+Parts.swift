public import AssetWriter
public import CaptureDevices
public import MediaCore

/// What a report consists of.
extension RecordingReport {
  /// The source of the pictures.
  public struct Source: Sendable, Hashable, Codable {
    /// The device's identifier.
    public var deviceID: String
    public var deviceName: String
    /// The format, as the device names it.
    public var format: String
    /// How good a source for ProRes 422 the format is: 1 to 5; nil for sound.
    public var tier: FormatTier?
    /// The tier in words; nil for sound.
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
    /// The display that HDR pictures were mastered on: `G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)`, in units
    /// of 0.00002 and of 0.0001 candela per square meter; nil for none.
    public var masteringDisplay: String?
    /// How bright HDR pictures get, at most and on average of a frame: `1000,400`; nil where not told.
    public var contentLight: String?
    /// Whether frames are fields, and which comes first.
    public var fieldOrder: FieldOrder
    /// The first frame's timecode; nil without a timecode track.
    public var startTimecode: String?
    /// The timecode after the last frame.
    public var endTimecode: String?
    /// Frames in the file, repeats among them.
    public var frameCount: Int64
    /// Those of them that lie before the start of the take, its pre-roll; nil for none.
    public var preRollFrames: Int64?
    /// Seconds in the file.
    public var duration: Double
    /// Bytes of all files.
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
    /// The missing frames by `DropReason`.
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
    public var largestQueueBytes: Int64 = 0
  }

  /// How long frames were on their way, from the time that a live device gives them; from their
  /// handing over for another.
  public struct Latency: Sendable, Hashable, Codable {
    /// Until the frame left the encoder.
    public var encoded: Distribution
    /// Until it was in the file, which it reaches with a whole fragment of others.
    public var written: Distribution

    package init(encoded: Distribution, written: Distribution) {
      self.encoded = encoded
      self.written = written
    }

  }

  /// An account of one source of audio.
  public struct Audio: Sendable, Hashable, Codable {
    /// Where it came from.
    public var source: Source
    /// Frames a second.
    public var sampleRate: Int
    public var channelCount: Int
    /// What the channels are for: `5.1`, or their purposes in order, `L,R,C`; nil where it was not told.
    public var channelLayout: String?
    /// Samples of each channel that came while recording.
    public var received: Int64 = 0
    /// Samples in the file.
    public var written: Int64 = 0
    /// Samples that the device or the writer lost.
    public var lost: Int64 = 0
    /// The lost samples by `DropReason`.
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

  /// A note that was made at a frame while it was recorded.
  public struct Marker: Sendable, Hashable, Codable {
    /// The note; empty for a mere mark.
    public var note: String
    /// The number of the frame, from 0.
    public var frame: Int64
    /// The timecode of the frame.
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
      /// Audio is missing.
      case audioLost
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
      /// The source of the audio failed, or ended before the video did.
      case audioEnded
      /// Others moved the movie's file while it was written.
      case fileMoved
      /// Others deleted, replaced or emptied the movie's file while it was written.
      case fileLost
      /// One of the two files of a movie was given up; the movie went on in the other.
      case copyLost
      /// The process was stopped, as by SIGSTOP; what came meanwhile is missing.
      case processStopped
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
    /// Seconds that it lasted; nil where that is told by frames or samples.
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
