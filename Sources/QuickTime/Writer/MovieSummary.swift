public import MediaCore

/// What a finished movie holds.
public struct MovieSummary: Sendable, Hashable {
  /// A track of the movie.
  public struct Track: Sendable, Hashable {
    /// The number in the track header, from 1.
    public var id: TrackID
    /// Video, audio or timecode.
    public var mediaType: MediaType
    /// Video frames, or PCM samples of every channel.
    public var sampleCount: Int
    /// The length of its media, before edits.
    public var duration: MediaTime
    /// Bytes of its media.
    public var byteCount: UInt64

    /// A track that another writer than ``MovieWriter`` made.
    package init(
      id: TrackID, mediaType: MediaType, sampleCount: Int, duration: MediaTime, byteCount: UInt64
    ) {
      self.id = id
      self.mediaType = mediaType
      self.sampleCount = sampleCount
      self.duration = duration
      self.byteCount = byteCount
    }
  }

  public var fileSize: UInt64
  /// The movie's duration, after edits.
  public var duration: MediaTime
  /// The tracks, in the order they were added.
  public var tracks: [Track]
  /// Fragments that were written.
  public var fragmentCount: Int
  /// Checksums that were taken while writing; nil where none were wanted, or more than the last 64
  /// fragments were given up after a failure.
  public var checksums: MovieChecksums?

  /// A movie that another writer than ``MovieWriter`` made.
  package init(fileSize: UInt64, duration: MediaTime, tracks: [Track], fragmentCount: Int) {
    self.fileSize = fileSize
    self.duration = duration
    self.tracks = tracks
    self.fragmentCount = fragmentCount
  }

  init(_ movie: MovieRecord, fileSize: UInt64, fragmentCount: Int) {
    self.fileSize = fileSize
    self.fragmentCount = fragmentCount
    self.duration = MediaTime(
      value: movie.duration, timescale: Int32(clamping: movie.timescale))
    self.tracks = movie.tracks.map { track in
      Track(
        id: TrackID(rawValue: track.id),
        mediaType: MediaType(handler: track.handler.description) ?? .metadata,
        sampleCount: track.samples.count,
        duration: MediaTime(
          value: track.samples.duration, timescale: Int32(clamping: track.timescale)),
        byteCount: track.samples.byteCount)
    }
  }
}
