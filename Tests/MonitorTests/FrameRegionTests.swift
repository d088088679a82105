import MediaCore
import Testing

@testable import Monitor
@testable import TestPattern

@Suite struct FrameRegionTests {
  /// A frame in which neighboring pixels all differ in luma.
  private static func frame(_ format: PixelFormat) throws -> PixelBuffer {
    let details = PixelBuffer.Description(format: format, width: 194, height: 60)
    let canvas = try FrameCanvas(details)
    var line = PatternRow(width: 194)
    for row in 0..<60 {
      line.paint { x in PatternRow.Color(luma(x, row), chroma(x & ~1, row), 512) }
      canvas.store(line, row: row, x: 0, count: 194)
    }
    return try canvas.buffer {}
  }

  private static func luma(_ x: Int, _ row: Int) -> UInt16 {
    UInt16(64 + 4 * ((x + 3 * row) % 200))
  }
  private static func chroma(_ x: Int, _ row: Int) -> UInt16 { UInt16(100 + 4 * ((x + row) % 200)) }

  @Test(arguments: [PixelFormat.v210, .y210, .p210, .uyvy, .yuv422p10])
  func a_region_contains_source_pixels(format: PixelFormat) throws {
    let region = FrameRegion(x: 51, y: 7, width: 40, height: 20)
    let preview = try PreviewFrame(region, of: Self.frame(format))
    #expect(preview.width == 40 && preview.height == 20)
    #expect(preview.sourceDimensions == VideoDimensions(width: 194, height: 60))
    for row in 0..<20 {
      // An odd first column is moved to the even one before it.
      #expect(
        (0..<40).allSatisfy { preview.luma[row * 40 + $0] == Self.luma(50 + $0, 7 + row) })
      #expect(
        (0..<20).allSatisfy { preview.cb[row * 20 + $0] == Self.chroma(50 + 2 * $0, 7 + row) })
    }
    #expect(preview.cr.allSatisfy { $0 == 512 })
  }

  @Test(arguments: [
    (FrameRegion(x: 0, y: 0, width: 194, height: 60), [0, 0, 194, 60]),
    (FrameRegion(x: 190, y: 59, width: 40, height: 20), [154, 40, 40, 20]),
    (FrameRegion(x: -9, y: -9, width: 41, height: 20), [0, 0, 40, 20]),
    (FrameRegion(x: 5, y: 5, width: 9999, height: 9999), [0, 0, 194, 60]),
    (FrameRegion(x: .max, y: .max, width: 0, height: 0), [192, 59, 2, 1]),
  ])
  func a_region_is_moved_inside_the_frame(region: FrameRegion, place: [Int]) throws {
    let moved = region.moved(into: VideoDimensions(width: 194, height: 60))
    #expect([moved.x, moved.y, moved.width, moved.height] == place)
    let preview = try PreviewFrame(region, of: Self.frame(.v210))
    #expect([preview.width, preview.height] == [place[2], place[3]])
  }

  @Test func a_region_has_at_most_the_pixels_of_full_hd() {
    let moved = FrameRegion(x: 7000, y: 0, width: 9999, height: 9999)
      .moved(into: VideoDimensions(width: 7680, height: 4320))
    #expect(moved == FrameRegion(x: 5760, y: 0, width: 1920, height: 1080))
  }

  @Test func a_mosaic_has_no_region() throws {
    #expect(throws: MediaCoreError.self) {
      try FrameDecimator.check(.init(format: .rggb8, width: 64, height: 64))
    }
  }
}
