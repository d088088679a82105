public import MediaCore

/// The index of a QuickTime movie: its tracks, where each sample lies, and what the movie says about
/// itself. Media are not read, but for the first timecode.
///
/// Plain movies and movies in fragments are read alike; of the latter, each whole fragment. The file
/// may hold anything: what makes no sense is an error or is left out, and memory is bounded by the
/// size of the index, which is read up to 512 MiB.
public struct MovieIndex: Sendable {
  /// Whether the movie is complete.
  public enum Completion: String, Sendable, Hashable {
    /// A plain movie with its index.
    case finished
    /// A take of ours that was not finished: ``MovieRecovery`` can finish it.
    case unfinished
    /// A take of ours that was finished and then lost its end: ``MovieRecovery`` can save the
    /// fragments that are whole.
    case lostIndex
    /// A movie in fragments that another program wrote.
    case fragmented
  }

  /// Whether the movie is complete.
  public let completion: Completion
  /// True where the file ends within an atom, where something else than an atom follows, or where
  /// samples lie beyond its end. A take that was killed is often cut short within its last fragment.
  public let isTruncated: Bool
  public let fileSize: UInt64
  /// Whole fragments; 0 for a plain movie.
  public let fragmentCount: Int
  /// Units a second of ``duration``.
  public let timescale: Int32
  /// The movie's duration, after edits.
  public let duration: MediaTime
  /// When the movie was made, in seconds since 1970 UTC; nil where it does not say.
  public let creationTime: Int64?
  /// How fast players play it: 1 is as it was recorded.
  public let preferredRate: Float
  /// How loud players play it: 1 is as it was recorded.
  public let preferredVolume: Float
  /// The facts of `moov/meta`.
  public let metadata: MovieMetadata
  /// The tracks, in the order of the file.
  public let tracks: [Track]

  /// Reads the index of a file.
  ///
  /// - Throws: ``QuickTimeError/Code/notFound``, ``QuickTimeError/Code/permissionDenied``,
  ///   ``QuickTimeError/Code/notAMovie``, ``QuickTimeError/Code/damaged``,
  ///   ``QuickTimeError/Code/unsupported`` where the index is too large,
  ///   ``QuickTimeError/Code/ioFailed``.
  public init(path: String) throws(QuickTimeError) {
    try self.init(PosixMovieFile(path: path, mode: .read))
  }

  /// Reads the index of a movie.
  ///
  /// - Throws: As ``init(path:)``.
  public init(_ source: any MovieByteSource) throws(QuickTimeError) {
    let scan = try MovieScan(source)
    let movie = scan.movie
    self.completion =
      switch scan.layout {
      case .plain: .finished
      case .fragments: .fragmented
      case .unfinishedTake: .unfinished
      case .finishedTakeWithoutIndex: .lostIndex
      }
    self.fileSize = scan.fileSize
    self.fragmentCount = scan.fragmentStarts.count
    self.timescale = Int32(clamping: movie.timescale)
    self.duration = MediaTime(value: movie.duration, timescale: timescale)
    self.creationTime =
      movie.creationTime == 0
      ? nil : Int64(clamping: movie.creationTime) - MovieRecord.epochOffset
    self.preferredRate = Float(Int32(bitPattern: movie.preferredRate)) / 65_536
    self.preferredVolume = Float(Int16(bitPattern: movie.preferredVolume)) / 256
    self.metadata = MetadataParser.parse(movie.metadata)
    self.isTruncated =
      scan.isCutShort || movie.tracks.contains { $0.samples.endOffset > scan.fileSize }
    var tracks: [Track] = []
    for record in movie.tracks {
      tracks.append(Track(record, movieTimescale: movie.timescale, source: source))
    }
    self.tracks = tracks
  }

  /// The first video track.
  public var videoTrack: Track? { tracks.first { $0.mediaType == .video } }
  /// The audio tracks.
  public var audioTracks: [Track] { tracks.filter { $0.mediaType == .audio } }
  /// The timecode track that the first video track refers to, or else the first one.
  public var timecodeTrack: Track? {
    let referred = videoTrack?.references["tmcd"]?.first
    return tracks.first { $0.mediaType == .timecode && $0.id == referred }
      ?? tracks.first { $0.mediaType == .timecode }
  }

  /// A track by its number.
  public func track(_ id: TrackID) -> Track? { tracks.first { $0.id == id } }
}
