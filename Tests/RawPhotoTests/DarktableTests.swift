import DNG
import Foundation
import TestSupport
import Testing

@testable import RawPhoto

/// darktable develops both kinds of files: grays stay gray, and in order.
@Suite(
  .tags(.judges), .serialized,
  .enabled(
    if: Judges.find("darktable-cli") != nil,
    "darktable is not installed"))
struct DarktableTests {
  private let scene = KnownScene(width: 640, height: 480)

  @Test func a_mosaic_is_developed() throws {
    let frame = try scene.frame(seed: 1)
    let file = try BayerNegative(
      mosaic: frame.mosaic, pattern: frame.pattern, calibration: frame.calibration
    ).dngFileData()
    try expectWedge(file, steps: 6...13)
  }

  @Test func merged_exposures_are_developed_to_the_brightest_step() throws {
    let negative = try LinearNegative(merging: [
      scene.frame(seed: 1), scene.frame(-2, seed: 2), scene.frame(2, seed: 3),
    ])
    try expectWedge(negative.dngFileData(), steps: 6...15)
  }

  /// Expects each step of the wedge to be brighter than the one before, and without color.
  private func expectWedge(_ file: [UInt8], steps: ClosedRange<Int>) throws {
    let folder = try TemporaryFolder()
    let image = folder.path("a.ppm")
    let source = try folder.write(file, "a.dng").path
    let run = try Judges.run(
      "darktable-cli",
      [
        source, image, "--width", "640", "--core", "--configdir", folder.path, "--library",
        ":memory:",
      ])
    try #require(run.status == 0, "\(run.output)")
    let bytes = try Data(contentsOf: URL(filePath: image))
    let parts = bytes.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
    try #require(parts.count == 4 && parts[0] == Data("P6".utf8))
    let size = String(decoding: parts[1], as: UTF8.self).split(separator: " ").compactMap {
      Int($0)
    }
    try #require(size.count == 2 && size[0] > 320)
    let pixels = [UInt8](parts[3])
    var last = -1.0
    for step in steps {
      let colors = (0..<3).map { color in
        // 16 bits, the high byte first, around the middle of the step.
        let (x, y) = ((2 * step + 1) * size[0] / 32, size[1] * 15 / 16)
        let sums = (-4...4).map { column in
          let index = 6 * (y * size[0] + x + column) + 2 * color
          return Double(pixels[index]) * 256 + Double(pixels[index + 1])
        }
        return sums.reduce(0, +) / 9
      }
      let mean = colors.reduce(0, +) / 3
      #expect(mean > last, "step \(step): \(colors)")
      for color in colors { #expect(abs(color - mean) < 0.06 * mean + 200, "\(step): \(colors)") }
      last = mean
    }
  }
}
