public import MediaCore

/// A part of a track's presentation: an entry of its edit list.
public struct MovieEdit: Sendable, Hashable {
  /// Where the part begins in the track's media, in the track's time scale; nil for silence or
  /// nothing to see (an empty edit).
  public var mediaTime: Int64?
  /// How long the part lasts; nil for all the media that are left, which only the last entry may
  /// say.
  public var duration: MediaTime?
  /// Seconds of the media that a second of the movie shows: 1 as they were recorded, 2 for twice as fast, 0 for a
  /// frame that stays.
  public var rate: Double

  /// A part from its begin and its length.
  public init(mediaTime: Int64?, duration: MediaTime?, rate: Double = 1) {
    self.mediaTime = mediaTime
    self.duration = duration
    self.rate = rate
  }
}
