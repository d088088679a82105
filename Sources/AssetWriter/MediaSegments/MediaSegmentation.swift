public import MediaCore

/// How a take is delivered in media segments, as HTTP live streaming and DASH serve them: an initialization segment,
/// followed by segments that each begin with a frame that needs none before it.
public struct MediaSegmentation: Hashable, Sendable {
  /// What a segment's bytes are.
  public enum Profile: String, Hashable, Sendable, CaseIterable {
    /// Fragmented MPEG-4 as HTTP live streaming takes it.
    case appleHLS
    /// As above, with the brands of the Common Media Application Format and without edit lists: for one track.
    case cmaf
  }

  /// What a segment's bytes are.
  public var profile = Profile.appleHLS
  /// The length of a segment; 6 s by default. `MediaTime.indefinite` for segments that end only at
  /// ``AssetWriter/endMediaSegment()``. A key frame begins each segment, and a frame that lasts longer than the
  /// interval makes its segment longer. Video determines the boundaries: audio after the last frame is kept in memory
  /// until the last segment, so end both together.
  public var interval = MediaTime(value: 6, timescale: 1)
  /// The source time from which the intervals are counted; `MediaTime.invalid`, as at first, for the session's start.
  public var startTime = MediaTime.invalid

  /// Segments of 6 s.
  public init() {}

  /// Why no segments are made like this; nil where they are.
  var refusal: AssetWriterError? {
    guard interval.isIndefinite || interval.isNumeric && interval > .zero else {
      return AssetWriterError(
        .invalidSettings,
        "media segments of \(interval) are not possible; use a time above 0, or indefinite")
    }
    guard startTime.isNumeric || !startTime.isValid else {
      return AssetWriterError(
        .invalidSettings, "the first media segment cannot start at \(startTime)")
    }
    return nil
  }
}
