import AssetReader
public import MediaCore
public import QuickTime

/// Makes a movie of a timeline: frames are copied as they are, so that cuts and joins lose nothing.
///
/// Frames must be ProRes, of which each stands for itself, and alike within a track. Integer PCM is copied to
/// the sample; other sound is decoded to it.
public struct TimelineCopy: Sendable {
  /// What a copy came to.
  public struct Outcome: Sendable {
    /// Frames of all tracks of pictures.
    public var frameCount: Int
    /// The length of the movie.
    public var duration: MediaTime
    /// Bytes of the movie.
    public var fileSize: UInt64
    /// What the movie lacks, changes or assumes, compared with the timeline.
    public var notes: [ExportNote]
  }

  /// What is copied.
  public var timeline: MovieTimeline
  /// The movie's path; a file that exists is not replaced.
  public var outputPath: String
  /// What the movie says of itself.
  public var metadata = MovieMetadata()
  /// The movie's creation time in seconds since 1970; nil for now.
  public var creationTime: Int64?
  /// How fast players play the movie, within `MovieWriter.Configuration`'s range: 1 is as it was recorded.
  public var preferredRate: Float = 1
  /// How loud players play the movie, within `MovieWriter.Configuration`'s range: 1 is as it was recorded.
  public var preferredVolume: Float = 1
  /// Called after each frame and run of sound with the part that is done, from 0 to 1; false ends the copy.
  public var onProgress: (@Sendable (Double) -> Bool)?

  /// A copy of a timeline to a path.
  public init(_ timeline: MovieTimeline, outputPath: String) {
    self.timeline = timeline
    self.outputPath = outputPath
  }

  /// Copies all. Blocks; nothing is left of a movie that cannot be completed.
  ///
  /// - Throws: `AssetReaderError` where a source cannot be read or copied,
  ///   `AssetReaderError.Code.cancelled` where ``onProgress`` ended it, and `QuickTimeError` where the movie
  ///   cannot be written.
  public func run() throws -> Outcome {
    let copies = try timeline.tracks.compactMap { track throws(AssetReaderError) in
      try Self.copy(of: track)
    }
    guard !copies.isEmpty else {
      throw AssetReaderError(.invalidArgument, "\(outputPath): the timeline has no clip to copy")
    }
    guard MovieWriter.Configuration.preferredRates.contains(preferredRate),
      MovieWriter.Configuration.preferredVolumes.contains(preferredVolume)
    else {
      throw AssetReaderError(
        .invalidArgument,
        "\(outputPath): no movie says a preferred rate of \(preferredRate) and a preferred volume of "
          + "\(preferredVolume); 1 is usual")
    }
    var configuration = MovieWriter.Configuration()
    configuration.metadata = metadata
    configuration.syncPolicy = .off
    configuration.preferredRate = preferredRate
    configuration.preferredVolume = preferredVolume
    if let creationTime { configuration.creationTime = creationTime }
    let writer = try MovieWriter(
      file: PosixMovieFile(path: outputPath, mode: .create), configuration: configuration)
    do {
      for copy in copies { try copy.addTrack(to: writer) }
      try writer.start()
      try write(copies, to: writer)
      let summary = try writer.finish()
      return Outcome(
        frameCount: copies.reduce(0) { $0 + (($1 as? PictureTrackCopy)?.frameCount ?? 0) },
        duration: timeline.duration, fileSize: summary.fileSize, notes: copies.flatMap(\.notes))
    } catch {
      writer.cancel()
      throw error
    }
  }

  private static func copy(
    of track: MovieTimeline.Track
  ) throws(AssetReaderError) -> (any TimelineTrackCopy)? {
    guard !track.clips.isEmpty else { return nil }
    switch track.mediaType {
    case .video: return try PictureTrackCopy(track)
    case .audio: return try SoundTrackCopy(track)
    default:
      throw AssetReaderError(.unsupported, "a timeline has tracks of pictures and of sound")
    }
  }

  /// The track that is behind goes on, so that the file has what is shown together in one place.
  private func write(_ copies: [any TimelineTrackCopy], to writer: MovieWriter) throws {
    let total = max(timeline.duration.seconds, .leastNonzeroMagnitude)
    var open = copies
    while let behind = open.indices.min(by: { open[$0].time < open[$1].time }) {
      guard try open[behind].writeNext(to: writer) else {
        open.remove(at: behind)
        continue
      }
      guard onProgress?(min(open[behind].time.seconds / total, 1)) ?? true else {
        throw AssetReaderError(.cancelled, "\(outputPath): the copy was cancelled")
      }
    }
  }
}
