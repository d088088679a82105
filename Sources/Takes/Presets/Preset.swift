public import CaptureDevices
public import MediaCore
public import QuickTime
public import VideoRecorder

/// The settings of a recording as a preset file gives them: video, audio, timecode, file and limits.
///
/// Every setting has a default, so a file lists only those that differ. `PresetReader` reads
/// the files, ``PresetLibrary`` finds them by name.
public struct Preset: Sendable, Hashable {
  /// Where a preset was found.
  public enum Origin: Sendable, Hashable {
    /// One of those that come with the program.
    case builtIn
    /// A file of the user's, by its path.
    case file(String)
  }

  /// The video settings.
  public struct Video: Sendable, Hashable {
    /// The size; nil for the best that the device has.
    public var dimensions: VideoDimensions?
    /// Frames a second (a frame is two fields where interlaced); nil for the device's.
    public var frameRate: FrameRate?
    /// Progressive, or the order of the two fields; nil for the device's.
    public var fieldOrder: FieldOrder?
    /// Bounds, of which one must allow the format; empty for none.
    public var modes: [FormatCriteria.Bound] = []
    public var codec: VideoCodecType = .proRes422HQ
    /// The encoder, by the command line's names: `auto`, `native`, `libavcodec`,
    /// `libavcodec:prores_ks`, `libavcodec:prores_aw`.
    public var encoder = "auto"
    /// True to fill the place of a missing frame with the frame before it, for a constant rate; false to
    /// leave gaps open, for a variable one.
    public var fillsGaps = true
    /// The display that HDR video was mastered on; nil for none.
    public var masteringDisplay: MasteringDisplayColorVolume?
    /// How bright HDR video gets; nil if unknown.
    public var contentLight: ContentLightLevel?
    /// The tiers of input that may be used.
    public var tiers: Set<FormatTier> = [.native10Bit422, .reduced422]

    /// The defaults.
    public init() {}

    /// True where the bounds, if there are any, allow a size and rate.
    public func allows(_ dimensions: VideoDimensions, at rate: FrameRate) -> Bool {
      modes.isEmpty || modes.contains { $0.allows(dimensions, at: rate) }
    }
  }

  /// The audio.
  public struct Audio: Sendable, Hashable {
    /// How channels become tracks.
    public enum Layout: String, Sendable, Hashable, CaseIterable {
      /// All channels in one track.
      case poly
      /// A track for each channel.
      case mono
    }

    /// The device's identifier; `auto` for the one that belongs to the video device, `none` for a
    /// silent movie.
    public var device = "auto"
    /// Channels, 1 to 16.
    public var channelCount = 2
    /// Frames a second.
    public var sampleRate = 48_000
    /// How a sample is stored.
    public var sampleFormat = AudioFormat.SampleFormat.int24
    /// How channels become tracks.
    public var layout = Layout.poly
    /// What the channels are for; nil for mono, stereo, or channels without a purpose. It has
    /// ``channelCount`` channels.
    public var channelLayout: AudioChannelLayout?

    /// The defaults.
    public init() {}
  }

  /// Where the first frame's timecode comes from.
  public enum TimecodeSource: Sendable, Hashable {
    /// The wall clock when recording starts.
    case timeOfDay
    /// The device, where it tells one; else midnight.
    case device
    /// A fixed address, as `HH:MM:SS:FF` or `HH:MM:SS;FF`.
    case start(String)
    /// No timecode track.
    case none
  }

  /// When written data is forced to the disk.
  public enum SyncPolicy: String, Sendable, Hashable, CaseIterable {
    /// After each fragment: a power cut costs at most the fragment that was being written.
    case everyFragment = "every-fragment"
    /// Once, at the end: a killed process loses nothing more, a power cut may.
    case atEnd = "at-end"
  }

  /// When a recording ends by itself.
  public struct Limits: Sendable, Hashable {
    /// The longest recording, in seconds; nil for none.
    public var maximumSeconds: Double?
    /// The largest file, in bytes; nil for none.
    public var maximumByteCount: Int64?
    /// The space left free on the disk, in seconds of this recording's own rate.
    public var minimumFreeSeconds: Double = 10

    /// The defaults.
    public init() {}
  }

  /// What happens when the source or the disk fails.
  public struct Faults: Sendable, Hashable {
    /// What becomes of a take whose source goes away.
    public var interruption = InterruptionPolicy.newSegment
    /// Seconds without a frame after which the source counts as gone; 0 for never.
    public var stallTimeout = 3.0
    /// Seconds for which a source that went away is awaited; nil for as long as the take may last.
    public var sourceWaitLimit: Double?
    /// What happens when the disk has fallen behind.
    public var slowDisk = RecordingOptions.SlowDiskPolicy.dropFrames

    /// The defaults.
    public init() {}
  }

  /// What becomes of a take when it is finished.
  public struct Library: Sendable, Hashable {
    /// True where the take is moved into the library.
    public var saves = false
    /// The library's folder; nil for the user's.
    public var folder: String?
    /// The hooks that run after a save, in order, by their paths; nil for the library's own.
    public var hooks: [String]?

    /// The defaults.
    public init() {}
  }

  /// The name it is called by: the file's, without `.toml`.
  public var name: String
  /// One line for people.
  public var summary = ""
  /// Where it was found.
  public var origin: Origin
  /// The video settings.
  public var video = Video()
  /// The audio.
  public var audio = Audio()
  /// The timecode of the first frame.
  public var timecode = TimecodeSource.timeOfDay
  /// Seconds of a movie fragment, 0.1 to 10: the most that a kill costs.
  public var fragmentInterval = 0.5
  /// When written data is forced to the disk.
  public var syncPolicy = SyncPolicy.everyFragment
  /// The movie's name, where none is given: with wildcards as ``MovieName`` has them, without a folder;
  /// nil for date and time.
  public var fileName: String?
  /// How large a movie may be before the take goes on in another one; nil for one movie a take.
  public var segment: SegmentLimit?
  /// The pre-roll: how much of the past a recording begins with; nil for none. Frames count at the recorded
  /// rate.
  public var preRoll: RecordingDuration?
  /// The most memory that is taken for that, in bytes.
  public var preRollByteCount: Int64 = 1 << 30
  /// The path of a folder that gets each movie as well; nil for none.
  public var secondFolder: String?
  /// True for a sidecar beside each movie that tells how it came to be, with checksums.
  public var writesSidecar = true
  /// When the recording ends by itself.
  public var limits = Limits()
  /// What happens when the source or the disk fails.
  public var faults = Faults()
  /// What becomes of the take when it is finished.
  public var library = Library()
  /// The scheduling of the threads that capture, encode and write.
  public var threads = ThreadOptions()
  /// Metadata of the movie, by reverse-DNS key.
  public var metadata: [String: String] = [:]

  /// A preset of nothing but defaults.
  public init(name: String, origin: Origin = .builtIn) {
    self.name = name
    self.origin = origin
  }
}
