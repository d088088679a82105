import AssetReader
import Foundation
public import MediaCore
import MovieExport
import Synchronization

/// A track of a movie that can be changed.
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
  /// True for a track that shows some of a file.
  func shows(_ path: String) -> Bool {
    edits.clips(in: timeRange).contains {
      URL(filePath: $0.location.path).resolvingSymlinksInPath().path == path
    }
  }
  /// True for a track that shows nothing.
  var isEmpty: Bool { edits.clips(in: timeRange).isEmpty }

  /// The number of the track in its movie, from 1.
  public override var trackID: CMPersistentTrackID { edits.trackID }
  /// Pictures or audio.
  public override var mediaType: AVMediaType { edits.mediaType }
  /// From 0 to the end of the last stretch.
  public override var timeRange: CMTimeRange { edits.timeRange }
  /// The stretches of files, and of nothing, end to end from 0.
  public override var segments: [AVAssetTrackSegment] { edits.segments }
  /// Bytes of the samples of the files that it is made of are not counted: 0.
  public override var totalSampleDataLength: Int64 { 0 }

  private func change(_ body: () -> Void) {
    body()
    noteChange()
  }

  private func noteChange() { (asset as? AVMutableMovie)?.noteChange() }

  /// True since the movie was changed.
  public var isModified: Bool { (asset as? AVMutableMovie)?.isModified ?? false }

  /// How a player turns the pictures: by quarters, or the movie leaves it out, which its notes tell.
  public override var preferredTransform: CGAffineTransform {
    get { edits.preferredTransform }
    set { change { edits.preferredTransform = newValue } }
  }
  /// The language as ISO 639-2.
  public override var languageCode: String? {
    get { edits.languageCode }
    set { change { edits.languageCode = newValue } }
  }
  /// Same as ``languageCode``.
  public override var extendedLanguageTag: String? {
    get { languageCode }
    set { languageCode = newValue }
  }
  /// False for a track that a player leaves out until it is asked. Pictures are on in a movie that is written, which
  /// its notes tell.
  public override var isEnabled: Bool {
    get { edits.isEnabled }
    set { change { edits.isEnabled = newValue } }
  }

  /// Puts a stretch of a track at a time; what was there comes after it.
  ///
  /// - Parameters:
  ///   - timeRange: The stretch, in the time of its asset. Where the track has nothing, nothing is shown.
  ///   - track: A track of the same kind.
  ///   - startTime: The place; an invalid time for the end.
  ///   - copySampleData: Changes nothing: a movie that is written has all of its media.
  /// - Throws: ``AVError`` as `AVMutableCompositionTrack.insertTimeRange(_:of:at:)`.
  public func insertTimeRange(
    _ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime, copySampleData: Bool
  ) throws {
    try edits.insert(timeRange, of: track, at: startTime)
    noteChange()
  }

  /// Shows nothing for a range; what was there comes after it.
  public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    change { edits.insertEmptyTimeRange(timeRange) }
  }

  /// Takes a range away; what comes after it moves up.
  public func removeTimeRange(_ timeRange: CMTimeRange) {
    change { edits.removeTimeRange(timeRange) }
  }

  /// Makes pictures of a range slower or faster. Audio is not: such a movie is not written.
  public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    change { edits.scaleTimeRange(timeRange, toDuration: duration) }
  }

  /// Fails: samples are written by an ``AVAssetWriter``.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed``.
  public func append(
    _ sampleBuffer: CMSampleBuffer, decodeTime outDecodeTime: UnsafeMutablePointer<CMTime>?,
    presentationTime outPresentationTime: UnsafeMutablePointer<CMTime>?
  ) throws {
    throw AVError(
      .operationNotAllowed,
      "append(_:decodeTime:presentationTime:): a movie's track takes stretches of other tracks; "
        + "write samples with an AVAssetWriter")
  }

  /// False: nothing was appended that could be put into the track.
  public func insertMediaTimeRange(
    _ mediaTimeRange: CMTimeRange, into trackTimeRange: CMTimeRange
  ) -> Bool { false }
}
