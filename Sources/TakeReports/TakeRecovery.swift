import AssetWriter
import CaptureDevices
public import MediaCore
public import QuickTime

/// Finishes takes that came to a sudden end, and lets their sidecars say so.
public enum TakeRecovery {
  /// What recovery did.
  public struct Outcome: Sendable, Hashable {
    /// What became of the movie.
    public var movie: MovieRecovery.Outcome
    /// Why its sidecar could not be brought up to date; nil where it was, or there is none.
    public var sidecarError: ErrorSummary?
  }

  /// Finishes a movie as `MovieRecovery.recover(path:)` does. A sidecar that it has is marked: what it
  /// says of the frames stays, where it says anything; what it says of the file as a whole goes. Media
  /// are not read, so that it takes no longer for a long take.
  ///
  /// - Throws: As `MovieRecovery.recover(path:)`.
  public static func recover(path: String) throws(QuickTimeError) -> Outcome {
    let outcome = try MovieRecovery.recover(path: path)
    let file = SidecarFile(ofMovie: path)
    do throws(CaptureError) {
      // One that was never brought up to date may stand beside a movie that was just completed.
      guard var sidecar = try file.read(), outcome.wasRecovered || sidecar.state == .recording
      else { return Outcome(movie: outcome) }
      mark(&sidecar, outcome)
      try file.write(sidecar)
      return Outcome(movie: outcome)
    } catch {
      guard outcome.wasRecovered else { return Outcome(movie: outcome) }
      return Outcome(movie: outcome, sidecarError: ErrorSummary(error))
    }
  }

  private static func mark(_ sidecar: inout TakeSidecar, _ outcome: MovieRecovery.Outcome) {
    sidecar.state = .recovered
    sidecar.date = TakeSidecar.now
    sidecar.checksums?.file = nil
    sidecar.checksums?.head = nil
    sidecar.checksums?.index = nil
    let frames = outcome.summary.tracks.first { $0.mediaType == .video }?.sampleCount ?? 0
    sidecar.movie?.fileSize = Int64(clamping: outcome.summary.fileSize)
    sidecar.movie?.frameCount = Int64(frames)
    sidecar.movie?.duration = outcome.summary.duration.seconds
    sidecar.movie?.checksum = nil
    guard sidecar.checksums == nil else { return }
    // What was told while it was recorded is not what it came to.
    sidecar.recording?.movie.frameCount = Int64(frames)
    sidecar.recording?.movie.duration = outcome.summary.duration.seconds
    sidecar.recording?.movie.fileSize = Int64(clamping: outcome.summary.fileSize)
  }
}
