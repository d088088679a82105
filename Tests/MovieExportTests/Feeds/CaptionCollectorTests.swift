import AssetReader
import MediaCore
import Testing

@testable import MovieExport

/// An export's captions on their way to the movie.
struct CaptionCollectorTests {
  @Test func captions_without_a_track_are_counted_once() throws {
    var said = FrameSideData.LineCaptions()
    said.firstField = [0x14, 0x2C]
    var captions = CaptionCollector()
    // There were no captions before.
    captions.add(FrameSideData.LineCaptions(), at: .zero)
    try captions.handOver(to: nil)
    #expect(captions.unplacedCount == 0)
    captions.add(said, at: MediaTime(value: 1, timescale: 25))
    captions.add(nil, at: MediaTime(value: 2, timescale: 25))
    try captions.handOver(to: nil)
    try captions.handOver(to: nil)
    #expect(captions.unplacedCount == 2)
  }
}
