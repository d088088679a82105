/// How a track of timecode counts.
public struct TimecodeFormatDescription: Hashable, Sendable {
  /// `tmcd`, whose samples are frame numbers of 32 bits, or `tc64`, of 64.
  public var mediaSubType: FourCharCode
  /// How long a frame lasts.
  public var frameDuration: MediaTime
  /// Frames that are counted in a second, 1 to 255.
  public var frameQuanta: UInt8
  /// True for drop-frame counting.
  public var isDropFrame: Bool
  /// True where the count wraps at 24 hours.
  public var wrapsAt24Hours: Bool
  /// True where addresses before zero make sense.
  public var allowsNegative: Bool

  /// A description from its parts.
  public init(
    mediaSubType: FourCharCode = "tmcd", frameDuration: MediaTime, frameQuanta: UInt8,
    isDropFrame: Bool, wrapsAt24Hours: Bool = true, allowsNegative: Bool = false
  ) {
    self.mediaSubType = mediaSubType
    self.frameDuration = frameDuration
    self.frameQuanta = frameQuanta
    self.isDropFrame = isDropFrame
    self.wrapsAt24Hours = wrapsAt24Hours
    self.allowsNegative = allowsNegative
  }
}

/// What the facts of a track of timed metadata are called, and what they are.
public struct MetadataFormatDescription: Hashable, Sendable {
  /// A fact that samples may have.
  public struct Key: Hashable, Sendable {
    /// The key space and the key: `mdta/com.apple.quicktime.still-image-time`.
    public var identifier: String
    /// The type of its values in reverse DNS: `com.apple.metadata.datatype.int8`.
    public var dataType: String

    /// A key from its parts.
    public init(identifier: String, dataType: String) {
      self.identifier = identifier
      self.dataType = dataType
    }
  }

  /// The facts that there may be.
  public var keys: [Key]

  /// A description of some keys.
  public init(keys: [Key]) { self.keys = keys }
}
