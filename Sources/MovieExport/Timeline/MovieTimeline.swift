public import AssetReader
public import MediaCore

/// Stretches of movies and sound files in a new order, on tracks that run side by side.
///
/// ``TimelineCopy`` makes a movie of one without encoding a frame anew.
public struct MovieTimeline: Sendable {
  /// A stretch of a track of a file, and where it is shown.
  public struct Clip: Sendable, Hashable {
    /// The file.
    public var location: AssetLocation
    /// The track of the file.
    public var track: AssetTrack
    /// What is taken of it, in the file's time.
    public var source: MediaTimeRange
    /// Where it is shown. A length that is not the source's makes pictures faster or slower.
    public var target: MediaTimeRange

    /// A stretch and its place.
    public init(
      location: AssetLocation, track: AssetTrack, source: MediaTimeRange, target: MediaTimeRange
    ) {
      self.location = location
      self.track = track
      self.source = source
      self.target = target
    }

    /// True where the stretch is shown as fast as it was shot.
    public var keepsSpeed: Bool { source.duration == target.duration }

    /// Where a time of the file is shown.
    public func shown(_ time: MediaTime) -> MediaTime {
      guard !keepsSpeed else { return target.start + (time - source.start) }
      return target.start + (time - source.start).scaled(by: target.duration, over: source.duration)
    }

    /// The time of the file that is shown at a time.
    public func origin(of time: MediaTime) -> MediaTime {
      guard !keepsSpeed else { return source.start + (time - target.start) }
      return source.start + (time - target.start).scaled(by: source.duration, over: target.duration)
    }
  }

  /// Clips one after the other.
  public struct Track: Sendable, Hashable {
    /// Pictures or sound.
    public var mediaType: MediaType
    /// The clips in order of their places, none over another. Between them nothing is shown.
    public var clips: [Clip]
    /// How far a player turns the pictures, in quarters clockwise.
    public var quarterTurns = 0
    /// The language as ISO 639-2; nil where not known.
    public var language: String?
    /// False for a track that a player leaves silent until it is asked.
    public var isEnabled = true

    /// A track of clips.
    public init(mediaType: MediaType, clips: [Clip]) {
      self.mediaType = mediaType
      self.clips = clips
    }
  }

  /// The tracks, in the movie's order.
  public var tracks: [Track]

  /// A timeline of tracks.
  public init(tracks: [Track]) { self.tracks = tracks }

  /// Where the last clip ends.
  public var duration: MediaTime {
    tracks.compactMap(\.clips.last?.target.end).max() ?? .zero
  }
}

extension MediaTime {
  /// How far a time may be off that a container rounds to a millisecond.
  static let containerRounding = MediaTime(value: 600, timescale: 1_000_000)
}
