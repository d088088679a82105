import AssetWriter
import MediaCore
import QuickTime
import Testing

@testable import AssetReader
@testable import MovieExport

/// The filters of an export, and the pictures that another rate shows.
@Suite struct ExportFiltersTests {
  @Test func a_picture_that_is_held_is_filtered_a_few_times_at_once() throws {
    var processing = PictureProcessing()
    processing.frameRate = .fps60
    var filters = ExportFilters(
      processing, from: .fps25, edit: ExportEdit(), fieldOrder: nil, timecode: nil, name: "a")
    var details = PixelBuffer.Description(format: .yuv422p10, width: 64, height: 48)
    details.color = .bt709
    let picture = try MutablePixelBuffer(details).finish()
    var counts = [try filters.send(picture, at: 0).count]
    // Ten seconds on, and the end.
    counts.append(try filters.send(picture, at: 250).count)
    func drain() throws {
      while case let count = try filters.more().count, count > 0 { counts.append(count) }
    }
    try drain()
    counts.append(try filters.finish().count)
    try drain()
    #expect(try filters.finish().isEmpty, "an end that was asked for twice")
    #expect(counts.reduce(0, +) == 602)
    #expect(counts.allSatisfy { $0 <= 20 }, "\(counts)")
  }

  @Test func light_levels_of_pictures_that_a_table_changes_are_told() {
    var settings = VideoOutputSettings(
      codec: .proRes422HQ, width: 64, height: 48, frameRate: .fps25)
    var processing = PictureProcessing()
    processing.lut = "a.cube"
    #expect(ExportDifferences.displayNote(settings, processing) == nil)
    settings.contentLightLevel = ContentLightLevel(maximum: 1000, maximumFrameAverage: 400)
    #expect(ExportDifferences.displayNote(settings, processing)?.kind == .assumed)
    #expect(ExportDifferences.displayNote(settings, PictureProcessing()) == nil)
  }
}
