import AssetWriter
import Foundation
import MediaCore
import QuickTime
import Testing

@testable import AssetReader
@testable import MovieExport

/// An export's filters, and the frames that are shown at another rate.
@Suite struct ExportFiltersTests {
  @Test func held_frames_are_filtered_in_small_batches() throws {
    var processing = VideoProcessing()
    processing.frameRate = .fps60
    var filters = ExportFilters(
      processing, from: .fps25, edit: ExportEdit(), fieldOrder: nil, timecode: nil, name: "a")
    var details = PixelBuffer.Description(format: .yuv422p10, width: 64, height: 48)
    details.color = .bt709
    let frame = try MutablePixelBuffer(details).finish()
    var counts = [try filters.send(frame, at: 0).count]
    // Ten seconds later, and the end.
    counts.append(try filters.send(frame, at: 250).count)
    func drain() throws {
      while case let count = try filters.more().count, count > 0 { counts.append(count) }
    }
    try drain()
    counts.append(try filters.finish().count)
    try drain()
    #expect(try filters.finish().isEmpty, "the end was requested twice")
    #expect(counts.reduce(0, +) == 602)
    #expect(counts.allSatisfy { $0 <= 20 }, "\(counts)")
  }

  @Test(arguments: [false, true])
  func repeated_frames_have_their_own_frame_numbers(areFields: Bool) throws {
    var processing = VideoProcessing()
    processing.burnIns = [.frame, .timecode]
    if areFields { processing.deinterlacing = .fields }
    let timecode = Timecode("10:00:00:00", frameRate: areFields ? .fps50 : .fps25)
    var filters = ExportFilters(
      processing, from: .fps25, edit: ExportEdit(), fieldOrder: nil, timecode: timecode, name: "a")
    var details = PixelBuffer.Description(format: .yuv422p10, width: 320, height: 240)
    details.color = .bt709
    if areFields { details.fieldOrder = .topFieldFirst }
    let frame = try MutablePixelBuffer(details).finish()
    var outputs: [FrameFilter.Output] = []
    for place: Int64 in [0, 1, 5, 6] { outputs += try filters.send(frame, at: place) }
    outputs += try filters.finish()
    while case let more = try filters.more(), !more.isEmpty { outputs += more }
    let perFrame = areFields ? 2 : 1
    #expect(outputs.count == 7 * perFrame)
    #expect(filters.framesFilled == 3 * perFrame)
    let rate = areFields ? FrameRate.fps50 : .fps25
    #expect(outputs.map(\.time) == (0..<outputs.count).map { rate.time(ofFrame: Int64($0)) })
    let lumas = outputs.map { output in
      output.frame.withUnsafeBytes(ofPlane: 0) { Data($0) }
    }
    #expect(Set(lumas).count == outputs.count)
  }

  @Test func a_name_burn_in_adds_no_repeated_frames() throws {
    var processing = VideoProcessing()
    processing.burnIns = [.name]
    var filters = ExportFilters(
      processing, from: .fps25, edit: ExportEdit(), fieldOrder: nil, timecode: nil, name: "a")
    let frame = try MutablePixelBuffer(
      PixelBuffer.Description(format: .yuv422p10, width: 64, height: 48)
    ).finish()
    var count = 0
    for place: Int64 in [0, 1, 5] { count += try filters.send(frame, at: place).count }
    count += try filters.finish().count
    #expect(count == 3 && filters.framesFilled == 0)
  }

  @Test func light_levels_changed_by_a_lut_are_reported() {
    var settings = VideoOutputSettings(
      codec: .proRes422HQ, width: 64, height: 48, frameRate: .fps25)
    var processing = VideoProcessing()
    processing.lut = "a.cube"
    #expect(ExportDifferences.displayNote(settings, processing) == nil)
    settings.contentLightLevel = ContentLightLevel(maximum: 1000, maximumFrameAverage: 400)
    #expect(ExportDifferences.displayNote(settings, processing)?.kind == .assumed)
    #expect(ExportDifferences.displayNote(settings, VideoProcessing()) == nil)
  }
}
