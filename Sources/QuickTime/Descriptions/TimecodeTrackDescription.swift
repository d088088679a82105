public import MediaCore

/// What a timecode track (`tmcd`) says.
public struct TimecodeTrackDescription: Sendable, Hashable {
  /// The address of the first frame, and how the timecode counts.
  public var start: Timecode
  /// The name of the reel; empty for none.
  public var reelName: String

  /// Frames that a timecode track counts in a second at most: the number has a byte in the file.
  public static let mostFramesPerSecond = 255

  /// A timecode that starts at an address.
  public init(start: Timecode, reelName: String = "") {
    self.start = start
    self.reelName = reelName
  }
}
