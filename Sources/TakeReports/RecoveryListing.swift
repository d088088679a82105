public import MediaCore
import QuickTime

/// The result of a recovery as `recover --json` prints it.
public struct RecoveryListing: Encodable, Sendable {
  /// The movie.
  public let path: String
  /// False for a movie that was finished already.
  public let wasRecovered: Bool
  /// Frames of the video track.
  public let frameCount: Int
  /// Seconds.
  public let duration: Double
  /// Bytes of the movie as it is now.
  public let fileSize: UInt64
  /// Fragments at the end that had not reached the disk.
  public let droppedFragmentCount: Int
  /// Bytes at the end that belong to no whole fragment.
  public let unusedByteCount: UInt64
  /// Why the sidecar could not be brought up to date.
  public let sidecarError: ErrorSummary?

  /// What became of the movie at a path.
  public init(path: String, _ outcome: TakeRecovery.Outcome) {
    self.path = path
    let movie = outcome.movie
    wasRecovered = movie.wasRecovered
    frameCount = movie.summary.tracks.first { $0.mediaType == .video }?.sampleCount ?? 0
    duration = movie.summary.duration.isNumeric ? movie.summary.duration.seconds : 0
    fileSize = movie.summary.fileSize
    droppedFragmentCount = movie.droppedFragmentCount
    unusedByteCount = movie.unusedByteCount
    sidecarError = outcome.sidecarError
  }
}
