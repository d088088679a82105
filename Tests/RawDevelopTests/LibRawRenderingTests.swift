import DNG
import Foundation
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// Compares a mosaic's linear light with LibRaw's.
@Suite(
  .tags(.judges, .network), .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
struct LibRawRenderingTests {
  /// Linear sRGB of 16 bits, with only the file's white balance applied.
  private static let script = """
    import rawpy, sys
    with rawpy.imread(sys.argv[1]) as raw:
        light = raw.postprocess(
            use_camera_wb=True, no_auto_bright=True, gamma=(1, 1), output_bps=16, user_flip=0,
            adjust_maximum_thr=0, highlight_mode=rawpy.HighlightMode.Clip,
            output_color=rawpy.ColorSpace.sRGB)
    light.tofile(sys.argv[2])
    print(light.shape[1], light.shape[0])
    """

  /// LibRaw supports one calibration, and no profile.
  private var negative: ExampleNegative {
    var negative = ExampleNegative()
    (negative.components, negative.width, negative.height) = (1, 320, 240)
    negative.light = { row, column, color in
      let wave = sin(Double(column) / 23 + Double(color) / 2) * cos(Double(row) / 17)
      return (0.3 + 0.2 * wave) * [0.52, 1, 0.66][color]
    }
    negative.change = { root in
      root[.colorMatrix1] = ExampleNegative.rationals(ExampleNegative.colorMatrixD65)
      root[.calibrationIlluminant1] = .shorts([21])
      (root[.colorMatrix2], root[.calibrationIlluminant2]) = (nil, nil)
      root[.make] = .ascii("Example")
      root[.model] = .ascii("Example")
    }
    return negative
  }

  @Test func mosaic_colors_agree_with_libraw() throws {
    let folder = try TemporaryFolder()
    let bytes = try negative.bytes()
    let file = try folder.write(bytes, "mosaic.dng")
    let answer = try Command.run(
      try DNGJudges.python.get(), ["-c", Self.script, file.path, folder.path("light")])
    try #require(answer.output == "320 240\n", "\(answer.output)")
    let data = try Data(contentsOf: folder.url("light"))
    let theirs = data.withUnsafeBytes { bytes in
      bytes.bindMemory(to: UInt16.self).map { Double($0) / 65_535 }
    }
    var filter = try RAWFilter(data: bytes)
    filter.useLinearOutput()
    filter.colorSpace = .linearSRGB
    filter.sampleFormat = .float
    let ours = try filter.outputImage()
    try #require(ours.width == 320 && ours.height == 240)
    var differences: [Double] = []
    for row in stride(from: 8, to: 224, by: 8) {
      for column in stride(from: 8, to: 304, by: 8) {
        func mean(_ value: (Int, Int, Int) -> Double) -> [Double] {
          (0..<3).map { color in
            (0..<64).reduce(0) { $0 + value(row + $1 / 8, column + $1 % 8, color) } / 64
          }
        }
        let (a, b) = (
          Self.lab(mean { Double(ours[$0, $1, $2]) }),
          Self.lab(mean { theirs[($0 * 320 + $1) * 3 + $2] })
        )
        differences.append(zip(a, b).reduce(0) { $0 + pow($1.0 - $1.1, 2) }.squareRoot())
      }
    }
    let mean = differences.reduce(0, +) / Double(differences.count)
    let most = differences.max() ?? 0
    #expect(mean < 1 && most < 3, "CIE 1976 differences: mean \(mean), most \(most)")
  }

  /// CIE 1976 L*, a* and b* of linear sRGB.
  private static func lab(_ c: [Double]) -> [Double] {
    let (r, g, b) = (c[0], c[1], c[2])
    let x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    let y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    let z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    func root(_ t: Double) -> Double { t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116 }
    return [116 * root(y) - 16, 500 * (root(x) - root(y)), 200 * (root(y) - root(z))]
  }
}
