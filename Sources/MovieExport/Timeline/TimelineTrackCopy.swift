import MediaCore
import QuickTime

/// A track of a timeline on its way into a movie, piece by piece.
protocol TimelineTrackCopy: AnyObject {
  /// How far the movie's track is.
  var time: MediaTime { get }
  /// What the movie has otherwise than its sources.
  var notes: [ExportNote] { get }

  /// Adds its track, before the movie starts.
  func addTrack(to writer: MovieWriter) throws(QuickTimeError)

  /// Writes a frame, or a run of sound.
  ///
  /// - Returns: False where nothing was left.
  /// - Throws: `AssetReaderError` where a source cannot be read, `QuickTimeError` where the movie cannot be
  ///   written.
  func writeNext(to writer: MovieWriter) throws -> Bool
}
