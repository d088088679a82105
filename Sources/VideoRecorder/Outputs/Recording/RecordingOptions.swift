public import AssetWriter
package import CaptureDevices
public import MediaCore
public import QuickTime
package import TakeReports

/// How a movie-file output records. A recording takes what is set when it begins.
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

  /// What happens when the signal goes away while recording, when a device delivers nothing any more,
  /// or when it is gone itself. For the last, ``CaptureSession/reconnectsDevices`` brings it back.
  public enum SignalLossPolicy: String, Sendable, Hashable, CaseIterable, Codable {
    /// The recording ends with a valid file.
    case finish
    /// The recording goes on; the last good frame is shown until the signal is back.
    case holdLastFrame
    /// The recording goes on; a black picture with a cross is shown until the signal is back.
    case slate
  }

  /// What happens when the disk has fallen behind by as many frames as may wait.
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
  /// that would exceed it, as far as the sizes of the frames before it tell.
  public var maxRecordedFileSize: Int64 = 0
  /// Bytes that are left free on the disk: 64 MB unless told otherwise.
  public var minFreeDiskSpaceLimit: Int64 = 64_000_000
  /// Time that is left free on the disk, in seconds at the recording's own rate.
  public var minFreeDiskSeconds = 0.0
  /// How much of the movie a sudden end can cost.
  public var movieFragmentInterval = MediaTime(value: 1, timescale: 2)
  /// True where each fragment is brought to the disk at once.
  public var synchronizesFragments = true
  /// The path of a folder that gets each movie and its sidecar as well, byte for byte, on another disk;
  /// nil for none. The take survives the loss of either place.
  public var secondFolder: String?
  /// True to replace a file that exists.
  public var overwritesExistingFile = false
  /// Where the take is cut into several movies. The largest file that the file system and the process
  /// allow is always minded: a take goes on in a new file before it is reached.
  public var segments = SegmentPolicy()
  /// How much of what came before its start a recording begins with, where the output stood by.
  public var preRollDuration = MediaTime.zero
  /// The most memory that is taken for that, in bytes: 1 GiB unless told otherwise.
  public var preRollByteLimit: Int64 = 1 << 30
  /// Facts about the movie, beyond those that the output knows.
  public var metadata = MovieMetadata()
  /// Where the first frame's timecode comes from.
  public var timecodeSource = TimecodeSource.source
  /// What the take is called on its slate. Where the output stands by, it counts when the recording
  /// begins.
  public var label = TakeLabel()
  /// What the movies of one take have in common in their metadata, by which a library brings them
  /// together; nil to make one for each recording.
  public var takeIdentifier: String?
  /// What stands where frames are missing: the one before them, so that the rate stays constant, or
  /// nothing.
  public var gapPolicy = VideoOutputSettings.GapPolicy.repeatPreviousFrame
  /// What is asked of the system for the threads that encode and write.
  public var threads = ThreadOptions()
  /// What happens when the signal goes away.
  public var signalLossPolicy = SignalLossPolicy.finish
  /// Seconds without a frame after which a live device counts as stalled, and is treated as one
  /// without a signal; 0 for never.
  public var stallTimeout = 3.0
  /// Seconds for which a source that went away is bridged at most, or a first picture awaited that does not
  /// come, after which the recording ends; nil for as long as it takes.
  public var sourceWaitLimit: Double?
  /// True for a sidecar beside each movie, `take.mov.json`, that tells how it came to be, with
  /// checksums of its bytes; see `TakeSidecar`.
  public var writesSidecar = true
  /// What was asked, for the sidecar; nil for what the output's settings say.
  public var request: TakeRequest?
  /// Reads the system's clock when a recording begins, and tells what it finds, as often as it finds
  /// more. Must return at once; nil to leave the clock out of the report.
  package var readsClock: (@Sendable (_ tell: @escaping @Sendable (ClockState) -> Void) -> Void)?
  /// What happens when the disk has fallen behind.
  public var slowDiskPolicy = SlowDiskPolicy.dropFrames

  /// The display that HDR pictures were mastered on, for codecs that are chosen without settings of
  /// their own; nil for what the source says, if anything. A recording of pictures that are no HDR is
  /// refused.
  public var masteringDisplay: MasteringDisplayColorVolume?
  /// How bright HDR pictures get, likewise.
  public var contentLightLevel: ContentLightLevel?

  /// The defaults.
  public init() {}

  /// Refuses what is said of HDR where the pictures are something else. Pictures whose transfer function
  /// nobody tells may be HDR.
  ///
  /// - Throws: `CaptureError.Code.invalidArgument`.
  package func checkHighRange(of color: ColorDescription) throws(CaptureError) {
    guard masteringDisplay != nil || contentLightLevel != nil,
      ![.pq, .hlg, .unspecified].contains(color.transferFunction)
    else { return }
    throw CaptureError(
      .invalidArgument,
      "a mastering display and content light are of PQ and HLG pictures; these are of color "
        + "\(color.withCommonCodes), so leave them out")
  }

  var preRoll: PreRoll {
    PreRoll(
      duration: preRollDuration, byteLimit: preRollByteLimit,
      margin: MediaTime(seconds: StartMark.margin, preferredTimescale: 1000))
  }
}
