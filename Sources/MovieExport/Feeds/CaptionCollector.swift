import AssetReader
import AssetWriter
import MediaCore
import QuickTime

/// Gathers the captions that come with pictures, on their way to the movie's track.
///
/// Nothing is handed over before the first pair that says something, so that a source whose captions
/// are all padding gets no track.
struct CaptionCollector {
  /// libavcodec's names of the codecs whose pictures have a place for captions (ATSC A/53).
  static let codecs: Set = ["mpeg1video", "mpeg2video", "h264", "hevc", "vvc", "av1"]

  private var hasBegun = false
  /// Pairs of pictures that had no place: they go with the next one.
  private var waiting = PictureSideData.LineCaptions()
  /// What is to be written, and was not handed over yet.
  private var samples: [CaptionSample] = []
  /// Frames with captions that the movie has no track for.
  private(set) var unplacedCount = 0

  /// Takes the captions of a picture.
  ///
  /// - Parameter time: The picture's place from the movie's start; nil where it has none.
  mutating func add(_ captions: PictureSideData.LineCaptions?, at time: MediaTime?) {
    if let captions {
      waiting.firstField += captions.firstField
      waiting.secondField += captions.secondField
    }
    guard let time else { return }
    hasBegun = hasBegun || !waiting.isSilent
    defer { waiting = PictureSideData.LineCaptions() }
    guard hasBegun else { return }
    samples.append(
      CaptionSample(
        start: time, firstField: waiting.firstField, secondField: waiting.secondField))
  }

  /// Hands over what has come.
  ///
  /// - Parameter writer: The writer of a movie with a track for captions; nil for a movie without, for which they are
  ///   counted and dropped.
  mutating func handOver(to writer: AssetWriter?) throws(AssetWriterError) {
    if let writer {
      for sample in samples { try writer.appendCaptions(sample) }
    } else {
      unplacedCount += samples.count
    }
    samples.removeAll()
  }
}
