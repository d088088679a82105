import AssetReader
import AssetWriter
import MediaCore
import QuickTime

/// Collects captions that come with frames, for the movie's caption track.
///
/// Nothing is passed on before the first pair that is not padding, so that a source with only
/// padding gets no track.
struct CaptionCollector {
  /// libavcodec's names of the codecs whose frames can carry captions (ATSC A/53).
  static let codecs: Set = ["mpeg1video", "mpeg2video", "h264", "hevc", "vvc", "av1"]

  private var hasBegun = false
  /// Pairs of frames without a place in the movie, which are added to the next frame.
  private var waiting = FrameSideData.LineCaptions()
  /// Samples not yet passed on.
  private var samples: [CaptionSample] = []
  /// The number of frames whose captions were dropped because the movie has no caption track.
  private(set) var unplacedCount = 0

  /// Adds the captions of a frame.
  ///
  /// - Parameter time: The frame's time in the movie; nil if it is not in the movie.
  mutating func add(_ captions: FrameSideData.LineCaptions?, at time: MediaTime?) {
    if let captions {
      waiting.firstField += captions.firstField
      waiting.secondField += captions.secondField
    }
    guard let time else { return }
    hasBegun = hasBegun || !waiting.isSilent
    defer { waiting = FrameSideData.LineCaptions() }
    guard hasBegun else { return }
    samples.append(
      CaptionSample(
        start: time, firstField: waiting.firstField, secondField: waiting.secondField))
  }

  /// Passes on the collected captions.
  ///
  /// - Parameter writer: The writer of a movie with a caption track; nil if there is none, and
  ///   captions are counted and dropped.
  mutating func handOver(to writer: AssetWriter?) throws(AssetWriterError) {
    if let writer {
      for sample in samples { try writer.appendCaptions(sample) }
    } else {
      unplacedCount += samples.count
    }
    samples.removeAll()
  }
}
