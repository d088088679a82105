import AssetReader
import AssetWriter
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MovieExport

/// Frames with less chroma than ProRes 4444 has, and the notes about them.
@Suite struct FullChromaTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Frames

  /// - Parameter code: The 8-bit code of a sample, with a fraction, by its plane, column and row.
  private func frame(
    _ format: PixelFormat, _ fieldOrder: FieldOrder, color: ColorDescription = .bt709,
    code: (Int, Int, Int) -> Double
  ) throws -> PixelBuffer {
    let details = PixelBuffer.Description(
      format: format, width: 64, height: 48, color: color, fieldOrder: fieldOrder)
    var frame = try MutablePixelBuffer(details)
    let depth = format.descriptor.bitDepth
    for plane in 0..<3 {
      let step = frame.bytesPerRow(plane: plane)
      frame.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for row in 0..<format.rows(plane: plane, height: 48) {
          for column in 0..<(plane == 0 ? 64 : 32) {
            let word = UInt16(code(plane, column, row) * Double(1 << (depth - 8)))
            if depth == 8 {
              bytes[row * step + column] = UInt8(word)
            } else {
              bytes.storeBytes(of: word, toByteOffset: row * step + 2 * column, as: UInt16.self)
            }
          }
        }
      }
    }
    return frame.finish()
  }

  /// A code of a 12-bit frame.
  private func code(_ frame: PixelBuffer, _ plane: Int, _ column: Int, _ row: Int) -> Int {
    frame.withUnsafeBytes(ofPlane: plane) { bytes in
      let start = row * frame.bytesPerRow(plane: plane) + 2 * column
      return Int(bytes.load(fromByteOffset: start, as: UInt16.self))
    }
  }

  private func formed(
    _ frame: PixelBuffer, _ fieldOrder: FieldOrder? = nil
  ) throws -> PixelBuffer {
    var form = try #require(FrameForm(fullChromaFor: .proRes4444XQ, fieldOrder: fieldOrder))
    return try form.formed(frame, of: "a")
  }

  @Test(
    arguments: [PixelFormat.yuv422p8, .yuv422p10, .yuv420p8, .yuv420p10],
    [FieldOrder.progressive, .topFieldFirst, .bottomFieldFirst])
  func luma_codes_and_uniform_chroma_are_preserved(
    format: PixelFormat, fieldOrder: FieldOrder
  ) throws {
    let unit = Double(1 << (format.descriptor.bitDepth - 8))
    func luma(_ column: Int, _ row: Int) -> Double {
      16 + Double((column * 37 + row * 11) % Int(219 * unit)) / unit
    }
    let made = try formed(
      frame(format, fieldOrder) { plane, column, row in
        [luma(column, row), 53, 201][plane]
      })
    #expect(made.format == .yuv444p12 && made.details.fieldOrder == fieldOrder)
    #expect(made.details.color == .bt709.with(range: .video))
    var wrong = 0
    for row in 0..<48 {
      for column in 0..<64 {
        wrong += code(made, 0, column, row) == Int(luma(column, row) * 16) ? 0 : 1
        wrong += code(made, 1, column, row) == 53 * 16 ? 0 : 1
        wrong += code(made, 2, column, row) == 201 * 16 ? 0 : 1
      }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: [PixelFormat.yuv422p8, .yuv422p10, .yuv420p10])
  func full_range_is_scaled_with_an_error_below_one_code(format: PixelFormat) throws {
    let depth = format.descriptor.bitDepth
    let (top, unit) = ((1 << depth) - 1, Double(1 << (depth - 8)))
    func luma(_ column: Int, _ row: Int) -> Int { (column + 64 * row) % (top + 1) }
    let color = ColorDescription.unspecified.with(range: .full)
    let made = try formed(
      frame(format, .progressive, color: color) { plane, column, row in
        plane == 0 ? Double(luma(column, row)) / unit : 200
      })
    #expect(made.details.color == .unspecified.with(range: .video))
    var most = 0.0
    for row in 0..<48 {
      for column in 0..<64 {
        let wanted = 256 + Double(luma(column, row)) * 3504 / Double(top)
        most = max(most, (Double(code(made, 0, column, row)) - wanted).magnitude)
        let chroma = 2048 + 72 * unit * 3584 / Double(top)
        most = max(most, (Double(code(made, 1, column, row)) - chroma).magnitude)
      }
    }
    #expect(most < 1)
  }

  @Test func chroma_is_interpolated_within_its_field_only() throws {
    func woven(_ fieldOrder: FieldOrder) throws -> PixelBuffer {
      try frame(.yuv420p10, fieldOrder) { plane, _, row in
        plane == 0 ? 100 : row % 2 == 0 ? 75 : 175
      }
    }
    func isApart(_ frame: PixelBuffer) -> Bool {
      (0..<48).allSatisfy { code(frame, 1, 20, $0) == ($0 % 2 == 0 ? 75 : 175) * 16 }
    }
    #expect(isApart(try formed(woven(.topFieldFirst))))
    #expect(isApart(try formed(woven(.bottomFieldFirst))))
    #expect(!isApart(try formed(woven(.progressive))))
    let reported = try formed(woven(.progressive), .topFieldFirst)
    #expect(isApart(reported) && reported.details.fieldOrder == .topFieldFirst)
  }

  @Test func full_chroma_frames_and_422_codecs_are_unchanged() throws {
    let full = try MutablePixelBuffer(.init(format: .yuv444p10, width: 64, height: 48)).finish()
    #expect(try formed(full) === full)
    #expect(FrameForm(fullChromaFor: .proRes422HQ) == nil)
  }

  // MARK: Movies

  /// Three frames of one color.
  private func source(_ space: String, _ chromaCount: Int) throws -> AssetLocation {
    var bytes = Array("YUV4MPEG2 W64 H48 F25:1 It A1:1 C\(space)\n".utf8)
    func words(_ code: UInt8, _ count: Int) -> [UInt8] {
      (0..<count).flatMap { _ in [code << 2, code >> 6] }
    }
    for _ in 0..<3 {
      bytes += Array("FRAME\n".utf8) + words(120, 64 * 48) + words(53, chromaCount)
      bytes += words(201, chromaCount)
    }
    let url = folder.url("\(space).y4m")
    try Data(bytes).write(to: url)
    return try AssetLocation(url.path)
  }

  @Test(arguments: [("422p10", 32 * 48, "4:2:2"), ("420p10", 32 * 24, "4:2:0")])
  func a_subsampled_source_becomes_4444_and_is_reported(
    space: String, chromaCount: Int, words: String
  ) async throws {
    let made = folder.path("out.mov")
    var session = AssetExportSession(location: try source(space, chromaCount), outputPath: made)
    session.codec = .proRes4444
    let outcome = try await session.export()
    #expect(
      outcome.notes.filter { $0.subject == "chroma" }.map(\.message) == [
        "the source has \(words); its chroma is interpolated to 4:4:4, and nothing is gained over "
          + "ProRes 422 HQ"
      ])
    let reader = try AssetReader(made)
    #expect(reader.videoTrack?.codecTag == "ap4h")
    let sample = try #require(try reader.nextSample())
    let shown = try #require(sample.sampleBuffer.imageBuffer)
    #expect(shown.format.descriptor.subsampling == .yuv444)
    #expect(shown.details.fieldOrder == .topFieldFirst)
    let unit = 1 << (shown.format.descriptor.bitDepth - 8)
    for (plane, wanted) in [120, 53, 201].enumerated() {
      for place in [0, 31, 47] {
        #expect((code(shown, plane, place, place) - wanted * unit).magnitude <= unit / 4)
      }
    }
  }

  @Test func scaling_down_is_not_reported_as_gaining_nothing() async throws {
    var session = AssetExportSession(
      location: try source("422p10", 32 * 48), outputPath: folder.path("out.mov"))
    session.codec = .proRes4444
    session.edit.processing.scaling = .init(VideoDimensions(width: 32, height: 48))
    session.edit.processing.scaling?.fitting = .stretch
    let outcome = try await session.export()
    #expect(
      outcome.notes.filter { $0.subject == "chroma" }.map(\.message) == [
        "the source has 4:2:2; its chroma is interpolated to 4:4:4"
      ])
    #expect(outcome.report.video.first?.framesWritten == 3)
  }
}
