public import MediaCore
import QuickTime

/// The result of a recovery as `recover --json` prints it.
public struct RecoveryListing: Encodable, Sendable {
  public let path: String
  /// False for a movie that was already finished.
  public let wasRecovered: Bool
  /// The number of frames of the video track.
  public let frameCount: Int
  /// The duration in seconds.
  public let duration: Double
  /// The current size of the movie in bytes.
  public let fileSize: UInt64
  /// The number of fragments at the end that had not reached the disk.
  public let droppedFragmentCount: Int
  /// The bytes at the end that do not form a complete fragment.
  public let unusedByteCount: UInt64
  /// Why the sidecar could not be updated.
  public let sidecarError: ErrorSummary?

  /// The result for the movie at a path.
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
