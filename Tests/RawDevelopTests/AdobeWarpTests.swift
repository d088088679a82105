import DNG
import Foundation
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// Compares mosaics whose opcodes follow demosaicking with Adobe's rendering, pixel by pixel: the SDK gets the
/// colors interpolated here, as a linear file with the same list of opcodes.
@Suite(
  .tags(.judges, .network), .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
struct AdobeWarpTests {
  /// A separate warp for each color, and vignetting.
  private static var list: TIFFValue {
    func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
    func opcode(_ number: UInt32, _ data: [UInt8]) -> [UInt8] {
      big(number) + [1, 3, 0, 0] + big(UInt32(0)) + big(UInt32(data.count)) + data
    }
    func doubles(_ values: [Double]) -> [UInt8] { values.flatMap { big($0.bitPattern) } }
    let warp: [UInt8] =
      big(UInt32(3))
      + doubles([0.97, 0.02, -0.03, 0.005, 0.001, -0.002])
      + doubles([0.98, 0.02, -0.03, 0.005, 0.001, -0.002])
      + doubles([0.99, 0.01, -0.03, 0.005, 0.001, -0.002]) + doubles([0.48, 0.53])
    let vignetting = doubles([0.3, 0.1, 0.05, 0.02, 0.01, 0.45, 0.55])
    return .undefined(big(UInt32(2)) + opcode(1, warp) + opcode(3, vignetting))
  }

  @Test func a_mosaic_warped_after_demosaicking_agrees_pixel_by_pixel() throws {
    var mosaic = AdobeCase.mosaic("a mosaic").negative
    mosaic.change = { $0[.opcodeList3] = Self.list }
    let bytes = try mosaic.bytes()
    let developer = Developer(
      negative: try Negative(try DNGFile(bytes)), settings: DevelopSettings())
    let twin = try #require(try AdobeLinearTwin.file(of: bytes, developer))
    let folder = try TemporaryFolder()
    let ours = try developer.develop()
    var request = AdobeRendering.Request(
      file: try folder.write(twin, "twin.dng"),
      ours: try ours.write(to: folder.url("ours")), width: ours.width, height: ours.height)
    request.margin = 4
    try AdobeRendering.compare([request])[0].expect("a warped mosaic", within: (4, 32, 96))
  }
}
