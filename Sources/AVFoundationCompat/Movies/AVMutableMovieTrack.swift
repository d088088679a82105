import AssetReader
import Foundation
public import MediaCore
import MovieExport
import Synchronization

/// A track of a mutable movie.
///
/// Unchecked: the compiler does not verify subclasses. This one adds a `let` of a `Sendable` type.
public final class AVMutableMovieTrack: AVMovieTrack, @unchecked Sendable {
  /// What the track shows.
  let edits: AVMutableCompositionTrack

  init(_ edits: AVMutableCompositionTrack, of movie: AVMutableMovie) {
    self.edits = edits
    super.init(nil, of: movie)
  }

  override var facts: AssetTrack? { edits.facts }
  override func clips(in range: CMTimeRange) -> [MovieTimeline.Clip] { edits.clips(in: range) }
  override var ownRuns: CompositionRuns? { edits.ownRuns }
  /// True if the track shows part of a file.
  func shows(_ path: String) -> Bool {
    edits.clips(in: timeRange).contains {
      URL(filePath: $0.location.path).resolvingSymlinksInPath().path == path
    }
  }
  /// True if the track shows nothing.
  var isEmpty: Bool { edits.clips(in: timeRange).isEmpty }

  /// The track ID, unique within the movie, from 1.
  public override var trackID: CMPersistentTrackID { edits.trackID }
  /// Video or audio.
  public override var mediaType: AVMediaType { edits.mediaType }
  /// From 0 to the end of the last segment.
  public override var timeRange: CMTimeRange { edits.timeRange }
  /// The media and empty segments, contiguous from 0.
  public override var segments: [AVAssetTrackSegment] { edits.segments }
  /// 0: the sizes of source files' samples are not counted.
  public override var totalSampleDataLength: Int64 { 0 }

  private func change(_ body: () -> Void) {
    body()
    noteChange()
  }

  private func noteChange() { (asset as? AVMutableMovie)?.noteChange() }

  /// True if the movie was changed since it was read or written.
  public var isModified: Bool { (asset as? AVMutableMovie)?.isModified ?? false }

  /// How players transform the video. Only rotations by multiples of 90 degrees are written; others are dropped, and
  /// the movie's notes say so.
  public override var preferredTransform: CGAffineTransform {
    get { edits.preferredTransform }
    set { change { edits.preferredTransform = newValue } }
  }
  /// The language, as an ISO 639-2 code.
  public override var languageCode: String? {
    get { edits.languageCode }
    set { change { edits.languageCode = newValue } }
  }
  /// Same as ``languageCode``.
  public override var extendedLanguageTag: String? {
    get { languageCode }
    set { languageCode = newValue }
  }
  /// False for a track that players skip by default. Video is always enabled in a written movie, and its notes say
  /// so.
  public override var isEnabled: Bool {
    get { edits.isEnabled }
    set { change { edits.isEnabled = newValue } }
  }

  /// Inserts a range of a track at a time; later media move back.
  ///
  /// - Parameters:
  ///   - timeRange: The range, on the timeline of the track's asset. Parts where the track is empty stay empty.
  ///   - track: A track of the same media type.
  ///   - startTime: Where to insert; an invalid time for the end.
  ///   - copySampleData: No effect: a written movie contains all of its media.
  /// - Throws: ``AVError``, like `AVMutableCompositionTrack.insertTimeRange(_:of:at:)`.
  public func insertTimeRange(
    _ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime, copySampleData: Bool
  ) throws {
    try edits.insert(timeRange, of: track, at: startTime)
    noteChange()
  }

  /// Inserts an empty range; later media move back.
  public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    change { edits.insertEmptyTimeRange(timeRange) }
  }

  /// Removes a range; later media move up.
  public func removeTimeRange(_ timeRange: CMTimeRange) {
    change { edits.removeTimeRange(timeRange) }
  }

  /// Changes the speed of a range of video. Audio with changed speed cannot be written.
  public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    change { edits.scaleTimeRange(timeRange, toDuration: duration) }
  }

  /// Always fails: use an ``AVAssetWriter`` to write samples.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed``.
  public func append(
    _ sampleBuffer: CMSampleBuffer, decodeTime outDecodeTime: UnsafeMutablePointer<CMTime>?,
    presentationTime outPresentationTime: UnsafeMutablePointer<CMTime>?
  ) throws {
    throw AVError(
      .operationNotAllowed,
      "append(_:decodeTime:presentationTime:): a movie's track takes only ranges of other tracks; "
        + "write samples with an AVAssetWriter")
  }

  /// False: there are no appended samples to insert.
  public func insertMediaTimeRange(
    _ mediaTimeRange: CMTimeRange, into trackTimeRange: CMTimeRange
  ) -> Bool { false }
}
