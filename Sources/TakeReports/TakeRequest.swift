import AssetWriter
import MediaCore

/// The request, as stored in a sidecar. Unspecified values are missing.
public struct TakeRequest: Sendable, Hashable, Codable {
  /// The preset's name.
  public var preset: String?
  /// The device's identifier; missing if the best one was to be chosen.
  public var device: String?
  /// The audio device, or `auto`, or `none`.
  public var audio: String?
  /// The source file, if a file was encoded.
  public var input: String?
  /// The options of an encode of a file, by name: `start`, `codec`. Values taken from the source or
  /// from defaults are missing; nil if options were not recorded.
  public var options: [String: String]?
  /// `1920x1080`.
  public var size: String?
  /// Frames per second: `25`, `30000/1001`.
  public var frameRate: String?
  /// The codec, by its short name.
  public var codec: String?
  /// The encoder: `auto`, `native`, ...
  public var encoder: String?
  /// `300f` for frames, `10.0s` for seconds; missing to record until stopped.
  public var duration: String?
  /// `device`, `time-of-day`, `none`, or the first frame's timecode.
  public var timecode: String?
  public var reel: String?
  public var scene: String?
  /// The take's number, given or counted automatically.
  public var take: Int?
  /// When to continue in a new movie: `600.0s`, `300f`, `4000000000 bytes`.
  public var segment: String?
  /// The length of the pre-roll in seconds.
  public var preRoll: Double?
  /// The length of a fragment in seconds.
  public var fragmentInterval: Double?
  /// When data must reach the disk: `every-fragment`, `at-end`.
  public var sync: String?
  /// What to do when the source is lost: `new-segment`, `hold`, `slate`, `stop`.
  public var onInterruption: String?
  /// What to put in place of missing frames: `repeat`, `leave`.
  public var gaps: String?
  /// The recording time to leave free on the disk, in seconds.
  public var minFreeSeconds: Double?
  /// True if inputs other than 10-bit 4:2:2 were allowed.
  public var allowsFallback: Bool?

  public init() {}
}

extension TakeRequest {
  /// The take's slate.
  package var label: TakeLabel {
    get { TakeLabel(reel: reel, scene: scene, take: take) }
    set { (reel, scene, take) = (newValue.reel, newValue.scene, newValue.take) }
  }
}
