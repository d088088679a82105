public import AssetReader
public import MediaCore

/// Parts of movies and audio files in a new order, on parallel tracks.
///
/// ``TimelineCopy`` makes a movie from a timeline without re-encoding.
public struct MovieTimeline: Sendable {
  /// A part of a file's track, and its place on the timeline.
  public struct Clip: Sendable, Hashable {
    /// The file.
    public var location: AssetLocation
    /// The file's track.
    public var track: AssetTrack
    /// The part used, in the file's time.
    public var source: MediaTimeRange
    /// The place on the timeline. Video plays faster or slower if the durations differ.
    public var target: MediaTimeRange

    /// Creates a clip.
    public init(
      location: AssetLocation, track: AssetTrack, source: MediaTimeRange, target: MediaTimeRange
    ) {
      self.location = location
      self.track = track
      self.source = source
      self.target = target
    }

    /// True if the clip plays at its original speed.
    public var keepsSpeed: Bool { source.duration == target.duration }

    /// The timeline time of a file time.
    public func shown(_ time: MediaTime) -> MediaTime {
      guard !keepsSpeed else { return target.start + (time - source.start) }
      return target.start + (time - source.start).scaled(by: target.duration, over: source.duration)
    }

    /// The file time shown at a timeline time.
    public func origin(of time: MediaTime) -> MediaTime {
      guard !keepsSpeed else { return source.start + (time - target.start) }
      return source.start + (time - target.start).scaled(by: source.duration, over: target.duration)
    }
  }

  /// A sequence of clips.
  public struct Track: Sendable, Hashable {
    /// Video or audio.
    public var mediaType: MediaType
    /// The clips in timeline order, without overlaps. Gaps show nothing.
    public var clips: [Clip]
    /// How far a player rotates the video, in clockwise quarter turns.
    public var quarterTurns = 0
    /// The language as an ISO 639-2 code; nil if unknown.
    public var language: String?
    /// False for an audio track that players do not play by default.
    public var isEnabled = true

    /// Creates a track.
    public init(mediaType: MediaType, clips: [Clip]) {
      self.mediaType = mediaType
      self.clips = clips
    }
  }

  /// The tracks, in the movie's order.
  public var tracks: [Track]

  /// Creates a timeline.
  public init(tracks: [Track]) { self.tracks = tracks }

  /// The end of the last clip.
  public var duration: MediaTime {
    tracks.compactMap(\.clips.last?.target.end).max() ?? .zero
  }
}

extension MediaTime {
  /// The tolerance for times that a container rounds to a millisecond.
  static let containerRounding = MediaTime(value: 600, timescale: 1_000_000)
}
