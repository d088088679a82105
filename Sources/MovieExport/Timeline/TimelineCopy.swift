import AssetReader
public import MediaCore
public import QuickTime

/// Makes a movie from a timeline by copying frames, so that cuts and joins lose nothing.
///
/// Frames must be ProRes, which is intra-only, and alike within a track. Integer PCM is copied to
/// the sample; other audio is decoded to it.
public struct TimelineCopy: Sendable {
  /// The result of a copy.
  public struct Outcome: Sendable {
    /// The number of frames in all video tracks.
    public var frameCount: Int
    /// The movie's duration.
    public var duration: MediaTime
    /// The movie's size in bytes.
    public var fileSize: UInt64
    /// What the movie drops, changes or assumes compared with the timeline.
    public var notes: [ExportNote]
  }

  /// The timeline to copy.
  public var timeline: MovieTimeline
  /// The movie's path. An existing file is not replaced.
  public var outputPath: String
  /// The movie's metadata.
  public var metadata = MovieMetadata()
  /// The movie's creation time in seconds since 1970; nil for now.
  public var creationTime: Int64?
  /// The movie's preferred playback rate, within `MovieWriter.Configuration`'s range; 1 is normal
  /// speed.
  public var preferredRate: Float = 1
  /// The movie's preferred volume, within `MovieWriter.Configuration`'s range; 1 is the recorded
  /// level.
  public var preferredVolume: Float = 1
  /// Called after each frame and run of audio with the fraction done, from 0 to 1. Returning false
  /// cancels the copy.
  public var onProgress: (@Sendable (Double) -> Bool)?

  /// Creates a copy of a timeline to a path.
  public init(_ timeline: MovieTimeline, outputPath: String) {
    self.timeline = timeline
    self.outputPath = outputPath
  }

  /// Copies the timeline. Blocks. Leaves nothing of a movie that cannot be completed.
  ///
  /// - Throws: `AssetReaderError` if a source cannot be read or copied,
  ///   `AssetReaderError.Code.cancelled` if ``onProgress`` cancelled it, and `QuickTimeError` if
  ///   the movie cannot be written.
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
        "\(outputPath): no movie has a preferred rate of \(preferredRate) and a preferred volume of "
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
        frameCount: copies.reduce(0) { $0 + (($1 as? VideoTrackCopy)?.frameCount ?? 0) },
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
    case .video: return try VideoTrackCopy(track)
    case .audio: return try AudioTrackCopy(track)
    default:
      throw AssetReaderError(.unsupported, "a timeline can have only video and audio tracks")
    }
  }

  /// Always continues the track that is furthest behind, so that the file interleaves what is shown
  /// together.
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
