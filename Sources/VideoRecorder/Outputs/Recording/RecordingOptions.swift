public import AssetWriter
package import CaptureDevices
public import MediaCore
public import QuickTime
package import TakeReports

/// How a movie-file output records. A recording uses the options that are set when it begins.
public struct RecordingOptions: Sendable {
  /// Where the first frame's timecode comes from.
  public enum TimecodeSource: Sendable, Hashable {
    /// The source, where it has one; else midnight.
    case source
    /// The wall clock at the first frame.
    case timeOfDay
    /// A fixed address.
    case start(Timecode)
    /// An address that belonged to an instant of the source's clock, and has run since.
    case running(Timecode, since: MediaTime)
    /// No timecode track.
    case none
  }

  /// What happens when the signal is lost during a recording, or when the device stalls or is
  /// disconnected. ``CaptureSession/reconnectsDevices`` reopens a disconnected device.
  public enum SignalLossPolicy: String, Sendable, Hashable, CaseIterable, Codable {
    /// The recording ends with a valid file.
    case finish
    /// The recording goes on; the last good frame is shown until the signal is back.
    case holdLastFrame
    /// The recording continues; a black frame with a cross is shown until the signal is back.
    case slate
  }

  /// What happens when the disk is so slow that the queue is full.
  public enum SlowDiskPolicy: String, Sendable, Hashable, CaseIterable, Codable {
    /// Frames that find no room are dropped and counted.
    case dropFrames
    /// The recording ends with a valid file.
    case finish
  }

  /// The tiers of input that may be recorded: 1 and 2 unless the user allows more.
  public var allowedTiers: Set<FormatTier> = FormatTier.true10Bit422
  /// The encoder for connections whose settings name none.
  public var encoder = EncoderChoice.automatic
  /// The longest recording; `MediaTime.invalid` for no limit.
  public var maxRecordedDuration = MediaTime.invalid
  /// The most frames; nil for no limit. Met exactly.
  public var maxRecordedFrameCount: Int?
  /// The largest take, in bytes of all its files; 0 for no limit. The recording ends before the frame
  /// that would exceed it, estimated from the sizes of the frames before.
  public var maxRecordedFileSize: Int64 = 0
  /// Bytes that are left free on the disk: 64 MB unless told otherwise.
  public var minFreeDiskSpaceLimit: Int64 = 64_000_000
  /// Time that is left free on the disk, in seconds at the recording's own rate.
  public var minFreeDiskSeconds = 0.0
  /// How much of the movie a sudden end can cost.
  public var movieFragmentInterval = MediaTime(value: 1, timescale: 2)
  /// True to sync each fragment to the disk at once.
  public var synchronizesFragments = true
  /// The path of a folder that gets each movie and its sidecar as well, byte for byte, on another disk;
  /// nil for none. The take survives the loss of either place.
  public var secondFolder: String?
  /// True to replace a file that exists.
  public var overwritesExistingFile = false
  /// Where the take is cut into several movies. In any case a take continues in a new file before it reaches the
  /// largest file size of the file system or the process.
  public var segments = SegmentPolicy()
  /// The pre-roll: how much of the past a recording begins with, if the output stood by.
  public var preRollDuration = MediaTime.zero
  /// The most memory that is taken for that, in bytes: 1 GiB unless told otherwise.
  public var preRollByteLimit: Int64 = 1 << 30
  /// Facts about the movie, beyond those that the output knows.
  public var metadata = MovieMetadata()
  /// Where the first frame's timecode comes from.
  public var timecodeSource = TimecodeSource.source
  /// The take's slate. If the output stands by, the value at the start of the recording counts.
  public var label = TakeLabel()
  /// The identifier in the metadata of all movies of a take, by which a library groups them; nil to generate
  /// one for each recording.
  public var takeIdentifier: String?
  /// What fills the place of missing frames: the frame before them, which keeps the rate constant, or
  /// nothing.
  public var gapPolicy = VideoOutputSettings.GapPolicy.repeatPreviousFrame
  /// What is asked of the system for the threads that encode and write.
  public var threads = ThreadOptions()
  /// What happens when the signal goes away.
  public var signalLossPolicy = SignalLossPolicy.finish
  /// Seconds without a frame after which a live device counts as stalled, and is treated as one
  /// without a signal; 0 for never.
  public var stallTimeout = 3.0
  /// The longest time in seconds to bridge a source that went away, or to wait for a first frame that does not
  /// come, after which the recording ends; nil for no limit.
  public var sourceWaitLimit: Double?
  /// True for a sidecar beside each movie, `take.mov.json`, that says how it was recorded and has its
  /// checksums; see `TakeSidecar`.
  public var writesSidecar = true
  /// What was asked, for the sidecar; nil for what the output's settings say.
  public var request: TakeRequest?
  /// Checks the system's clock when a recording begins, and calls `tell` whenever it knows more. Must return at
  /// once. Nil to leave the clock out of the report.
  package var readsClock: (@Sendable (_ tell: @escaping @Sendable (ClockState) -> Void) -> Void)?
  /// What happens when the disk has fallen behind.
  public var slowDiskPolicy = SlowDiskPolicy.dropFrames

  /// The mastering display of HDR video, for a codec that is set without output settings; nil for the source's, if it
  /// has any. With it, a recording of SDR video is refused.
  public var masteringDisplay: MasteringDisplayColorVolume?
  /// How bright HDR video gets, likewise.
  public var contentLightLevel: ContentLightLevel?

  /// The defaults.
  public init() {}

  /// Refuses HDR metadata for video that is not HDR. Video of unspecified transfer function may
  /// be.
  ///
  /// - Throws: `CaptureError.Code.invalidArgument`.
  package func checkHighRange(of color: ColorDescription) throws(CaptureError) {
    guard masteringDisplay != nil || contentLightLevel != nil,
      ![.pq, .hlg, .unspecified].contains(color.transferFunction)
    else { return }
    throw CaptureError(
      .invalidArgument,
      "a mastering display and a content light level need PQ or HLG; the color of this video is "
        + "\(color.withCommonCodes), so leave them out")
  }

  var preRoll: PreRoll {
    PreRoll(
      duration: preRollDuration, byteLimit: preRollByteLimit,
      margin: MediaTime(seconds: StartMark.margin, preferredTimescale: 1000))
  }
}
