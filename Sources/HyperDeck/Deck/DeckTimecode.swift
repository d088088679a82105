public import MediaCore

/// Timecodes as decks write them.
public enum DeckTimecode {
  /// The text for a missing timecode.
  public static let zero = "00:00:00:00"

  /// A recorder's timecode as a deck's: a semicolon only at rates that have drop-frame, because
  /// Companion treats any other as an error.
  public static func text(_ timecode: String?, rate: FrameRate?) -> String {
    guard let timecode else { return zero }
    guard let rate, TimecodeFormat(frameRate: rate, isDropFrame: true) != nil else {
      return timecode.replacing(";", with: ":")
    }
    return timecode
  }

  /// A number of frames as a timecode, in drop-frame if another timecode is.
  public static func text(frames: Int64, rate: FrameRate?, like timecode: String) -> String {
    guard let rate else { return zero }
    let format =
      TimecodeFormat(frameRate: rate, isDropFrame: timecode.contains(";"))
      ?? TimecodeFormat(standardFor: rate)
    return Timecode(frameNumber: max(frames, 0), format: format).description
  }
}
