import MediaCore
import QuickTime

/// Copies a track of a timeline into a movie, piece by piece.
protocol TimelineTrackCopy: AnyObject {
  /// How far the track has been written.
  var time: MediaTime { get }
  /// How the movie differs from its sources.
  var notes: [ExportNote] { get }

  /// Adds the track, before the movie starts.
  func addTrack(to writer: MovieWriter) throws(QuickTimeError)

  /// Writes a frame or a run of audio.
  ///
  /// - Returns: False if nothing is left.
  /// - Throws: `AssetReaderError` if a source cannot be read, `QuickTimeError` if the movie cannot
  ///   be written.
  func writeNext(to writer: MovieWriter) throws -> Bool
}
