import AssetWriter
import MediaCore

/// What was asked for, as a sidecar tells it. What was not said is missing.
public struct TakeRequest: Sendable, Hashable, Codable {
  /// The preset's name.
  public var preset: String?
  /// The device's identifier; missing where the best one was to be taken.
  public var device: String?
  /// The sound's device, or `auto`, or `none`.
  public var audio: String?
  /// What was encoded, where that was a file.
  public var input: String?
  /// What was asked of an encode of a file, by name: `start`, `codec`. What was left to the source or to what
  /// is usual is missing; nil where it was not noted.
  public var options: [String: String]?
  /// `1920x1080`.
  public var size: String?
  /// Frames a second: `25`, `30000/1001`.
  public var frameRate: String?
  /// The codec, by its short name.
  public var codec: String?
  /// The encoder: `auto`, `native`, ...
  public var encoder: String?
  /// `300f` for frames, `10.0s` for seconds; missing for until stopped.
  public var duration: String?
  /// `device`, `time-of-day`, `none`, or the first frame's address.
  public var timecode: String?
  public var reel: String?
  public var scene: String?
  /// The take's number, also where it was counted rather than said.
  public var take: Int?
  /// When the take was to go on in a new movie: `600.0s`, `300f`, `4000000000 bytes`.
  public var segment: String?
  /// Seconds of pre-roll.
  public var preRoll: Double?
  /// Seconds of a fragment.
  public var fragmentInterval: Double?
  /// When what was written was to reach the disk: `every-fragment`, `at-end`.
  public var sync: String?
  /// What was to happen when the source goes away: `new-segment`, `hold`, `slate`, `stop`.
  public var onInterruption: String?
  /// What was to stand where frames are missing: `repeat`, `leave`.
  public var gaps: String?
  /// Seconds that were to be left free on the disk.
  public var minFreeSeconds: Double?
  /// True where inputs that do not hold 10-bit 4:2:2 were allowed.
  public var allowsFallback: Bool?

  /// Nothing said.
  public init() {}
}

extension TakeRequest {
  /// What the take is called.
  package var label: TakeLabel {
    get { TakeLabel(reel: reel, scene: scene, take: take) }
    set { (reel, scene, take) = (newValue.reel, newValue.scene, newValue.take) }
  }
}
