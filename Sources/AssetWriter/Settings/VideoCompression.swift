public import MediaCore

/// Settings for the encoder of an interframe codec. ProRes ignores them: only its profile counts.
public struct VideoCompression: Hashable, Sendable {
  /// Which tools of the codec a player has to know.
  public enum Profile: String, Hashable, Sendable, CaseIterable, Codable {
    /// H.264 without reordered frames and arithmetic coding.
    case baseline
    /// H.264 and HEVC of 8 bits.
    case main
    /// H.264 of 8 bits with larger transforms.
    case high
    /// HEVC of 10 bits.
    case main10
  }

  /// How H.264 codes its numbers.
  public enum EntropyCoding: String, Hashable, Sendable, CaseIterable, Codable {
    /// By an arithmetic coder: smaller.
    case cabac
    /// By a table: faster to read.
    case cavlc
  }

  /// Bits a second on average, 1000 or more; nil for a rate that follows ``quality``.
  public var averageBitRate: Int?
  /// From 0 to 1, the best, where no bit rate is set; nil for 0.6.
  public var quality: Double?
  /// The profile; nil for high (H.264) and main (HEVC).
  public var profile: Profile?
  /// The level, such as `4.1`; nil for the lowest that the video fits.
  public var level: String?
  /// Frames from one key frame to the next at most; nil for two seconds of them.
  public var maximumKeyFrameInterval: Int?
  /// Seconds from one key frame to the next at most, greater than 0; nil for no such limit.
  public var maximumKeyFrameIntervalDuration: Double?
  /// False to have frames in the file in the order in which they are shown.
  public var allowsFrameReordering = true
  /// How H.264 codes its numbers; nil for what the profile has.
  public var entropyCoding: EntropyCoding?
  /// Frames a second to expect where the track has no rate: the encoder shares its bits out by it. No
  /// frame is moved to keep to it.
  public var expectedFrameRate: FrameRate?

  /// What the encoder chooses by itself.
  public init() {}
}
