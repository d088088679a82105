import AssetReader
import MediaCore
import QuickTime

/// Gathers the captions that come with pictures.
///
/// Nothing is handed over before the first pair that says something, so that a source whose captions
/// are all padding gets no track.
struct CaptionCollector {
  /// libavcodec's names of the codecs whose pictures have a place for captions (ATSC A/53).
  static let codecs: Set = ["mpeg1video", "mpeg2video", "h264", "hevc", "vvc", "av1"]

  private var hasBegun = false
  /// Pairs of pictures that had no place: they go with the next one.
  private var waiting = PictureSideData.LineCaptions()

  /// Takes the captions of a picture.
  ///
  /// - Parameter time: The picture's place from the movie's start; nil where it has none.
  /// - Returns: What is to be written; nil for nothing.
  mutating func add(
    _ captions: PictureSideData.LineCaptions?, at time: MediaTime?
  ) -> CaptionSample? {
    if let captions {
      waiting.firstField += captions.firstField
      waiting.secondField += captions.secondField
    }
    guard let time else { return nil }
    hasBegun = hasBegun || !waiting.isSilent
    defer { waiting = PictureSideData.LineCaptions() }
    guard hasBegun else { return nil }
    return CaptionSample(
      start: time, firstField: waiting.firstField, secondField: waiting.secondField)
  }
}
