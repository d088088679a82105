import DNG
import Foundation
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// Compares every opcode with Adobe's DNG SDK.
@Suite(
  .tags(.judges, .network), .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
struct AdobeOpcodeTests {
  @Test func opcodes_agree_with_adobe() throws {
    try AdobeCase.judge(
      opcodeCases + factorCases + newerWarpCases + trimCases + [storedTrimCase, areaCase])
  }

  @Test func mosaics_agree_on_average_with_and_without_bad_pixels() throws {
    try AdobeCase.judge([.mosaic("a mosaic")] + badPixelCases)
  }

  @Test func mosaics_trimmed_or_warped_as_stored_agree_on_average() throws {
    let trim: [UInt8] = [UInt32](arrayLiteral: 3, 5, 125, 157).flatMap(Self.big)
    let trimmed = AdobeCase.mosaic("a trimmed mosaic") { root in
      root[.opcodeList1] = Self.list([(6, trim)])
      root[.activeArea] = .longs([2, 1, 120, 151])
      // Row 5 and column 6 of the stored samples.
      root[.cfaPattern] = .bytes([2, 1, 1, 0])
      root[.defaultCropOrigin] = .longs([4, 4])
      root[.defaultCropSize] = .longs([136, 104])
    }
    let terms: [Double] = [1.0, 0.02, -0.03, 0.005, 0.001, -0.002, 0.48, 0.53]
    let warp: [UInt8] = Self.big(UInt32(1)) + terms.flatMap { Self.big($0) }
    var warped = AdobeCase.mosaic("a warped mosaic") { root in
      root[.opcodeList2] = Self.list([(1, warp)])
    }
    // The same light in all colors: the warp then mixes the same values however they were interpolated.
    warped.negative.light = { row, column, _ in
      0.2 + 0.12 * sin(Double(column) / 13) * cos(Double(row) / 11)
    }
    try AdobeCase.judge([trimmed, warped])
  }

  // MARK: Cases

  private var opcodeCases: [AdobeCase] {
    let area = [UInt32](arrayLiteral: 4, 6, 60, 90, 0, 3, 1, 1).flatMap(Self.big)
    let spread = [UInt32](arrayLiteral: 4, 6, 60, 90, 1, 1, 2, 3).flatMap(Self.big)
    var grid: [UInt8] = [UInt32](arrayLiteral: 3, 4).flatMap(Self.big)
    grid += [Double](arrayLiteral: 0.5, 1.0 / 3, 0, 0).flatMap(Self.big)
    grid += Self.big(UInt32(1))
    for index in 0..<12 { grid += Self.big(Float(0.7) + Float(index % 5) * 0.07) }
    let terms: [Double] = [0.01, 0.9, 0.05]
    let warpTerms: [Double] = [1.0, 0.02, -0.03, 0.005, 0.001, -0.002, 0.48, 0.53]
    let fisheyeTerms: [Double] = [1.0, 0.2, -0.03, 0.005, 0.5, 0.5]
    let vignetteTerms: [Double] = [0.3, 0.1, 0.05, 0.02, 0.01, 0.45, 0.55]
    let deltas: [Float] = (0..<28).map { Float($0) * 130 }
    let factors: [Float] = (0..<28).map { 1 - Float($0) * 0.01 }
    let polynomial: [UInt8] = area + Self.big(UInt32(2)) + terms.flatMap(Self.big)
    let gains: [UInt8] = spread + grid
    let rows: [UInt8] = spread + Self.big(UInt32(28)) + deltas.flatMap(Self.big)
    let columns: [UInt8] = spread + Self.big(UInt32(28)) + factors.flatMap(Self.big)
    var warp = AdobeCase("warps") { root in
      root[.opcodeList3] = Self.list([(1, Self.big(UInt32(1)) + warpTerms.flatMap(Self.big))])
    }
    warp.negative.light = Self.smooth
    warp.margin = 4
    var fisheye = AdobeCase("a fisheye") { root in
      root[.opcodeList3] = Self.list([(2, Self.big(UInt32(1)) + fisheyeTerms.flatMap(Self.big))])
    }
    fisheye.negative.light = Self.smooth
    fisheye.margin = 4
    let square = [UInt32](arrayLiteral: 0, 0, 64, 96, 0, 3, 1, 1, 2).flatMap(Self.big)
    let squareTerms: [Double] = [0, 0.01, 0.99]
    let dark: [UInt8] = square + squareTerms.flatMap(Self.big)
    var dim = AdobeCase("a polynomial that makes the darkest light of 8 bits") { root in
      root[.opcodeList2] = Self.list([(8, dark)])
      root[.baselineExposure] = ExampleNegative.rationals([2])
    }
    dim.negative.light = { _, column, _ in Double(column % 16) / 255 }
    return [
      dim,
      AdobeCase("polynomials and a gain map") { [gains] root in
        root[.opcodeList2] = Self.list([(8, polynomial), (9, gains)])
      },
      AdobeCase("rows and columns") { root in
        root[.opcodeList2] = Self.list([(10, rows), (13, columns)])
      },
      AdobeCase("a table") { root in
        let table: [UInt16] = (0..<1024).map { UInt16($0 * 60) }
        let data: [UInt8] = area + Self.big(UInt32(1024)) + table.flatMap(Self.big)
        root[.opcodeList1] = Self.list([(7, data)])
        let codes: [UInt16] = ExampleNegative().samples.map { $0 >> 6 }
        root.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(codes)])
      },
      AdobeCase("vignetting") { root in
        root[.opcodeList3] = Self.list([(3, vignetteTerms.flatMap(Self.big))])
      }, warp, fisheye,
    ]
  }

  @Test func float_polynomials_agree_with_adobe_below_black() throws {
    let terms: [Double] = [0, 0.1, 0.9]
    let area = [UInt32](arrayLiteral: 0, 0, 64, 96, 0, 3, 1, 1, 2).flatMap(Self.big)
    let data: [UInt8] = area + terms.flatMap(Self.big)
    // Grays, because Adobe's SDK mixes floats differently if a single color is below black.
    let light: [Float] = (0..<64 * 96).flatMap { index -> [Float] in
      let gray = Float(index % 96) / 95 - 0.2
      return [gray, gray, gray]
    }
    try AdobeCase.judge([
      AdobeCase("a polynomial below black") { root in
        root[.bitsPerSample] = .shorts([32, 32, 32])
        root[.sampleFormat] = .shorts([3, 3, 3])
        root.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(light)])
        root[.opcodeList2] = Self.list([(8, data)])
      }
    ])
  }

  @Test func float_light_lowered_below_white_by_an_opcode_agrees_with_adobe() throws {
    let area = [UInt32](arrayLiteral: 0, 0, 64, 96, 0, 3, 1, 1, 1).flatMap(Self.big)
    let terms: [Double] = [0, 0.5]
    let data: [UInt8] = area + terms.flatMap(Self.big)
    let light: [Float] = (0..<64 * 96).flatMap { index in
      [Float](repeating: Float(index % 96) / 40, count: 3)
    }
    try AdobeCase.judge(
      [TIFFTag.opcodeList2, .opcodeList3].map { list in
        AdobeCase("light above white") { root in
          root[.bitsPerSample] = .shorts([32, 32, 32])
          root[.sampleFormat] = .shorts([3, 3, 3])
          root.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(light)])
          root[list] = Self.list([(8, data)])
        }
      })
  }

  /// Offsets and factors of rows and columns.
  private var factorCases: [AdobeCase] {
    let spread = [UInt32](arrayLiteral: 4, 6, 60, 90, 0, 2, 3, 2).flatMap(Self.big)
    let deltas: [Float] = (0..<42).map { Float($0) * -90 + 700 }
    let factors: [Float] = (0..<19).map { 0.7 + Float($0) * 0.01 }
    let columns: [UInt8] = spread + Self.big(UInt32(42)) + deltas.flatMap(Self.big)
    let rows: [UInt8] = spread + Self.big(UInt32(19)) + factors.flatMap(Self.big)
    return [
      AdobeCase("columns are shifted, rows multiplied") { root in
        root[.opcodeList2] = Self.list([(11, columns), (12, rows)])
      }
    ]
  }

  private var newerWarpCases: [AdobeCase] {
    func terms(_ radial: [Double], valid: [Double] = [0, 1]) -> [UInt8] {
      let radial = radial + [Double](repeating: 0, count: 15 - radial.count)
      return (radial + [0.001, -0.002] + valid).flatMap(Self.big)
    }
    func data(_ planes: [[UInt8]], isReciprocal: Bool) -> [UInt8] {
      Self.big(UInt32(planes.count)) + planes.joined() + [0.48, 0.53].flatMap(Self.big)
        + Self.big(UInt32(isReciprocal ? 1 : 0))
    }
    let forms: [(String, [UInt8])] = [
      ("a newer warp", data([terms([1, 0.01, 0.02, -0.03])], isReciprocal: false)),
      (
        "a newer warp for each color, within radii",
        data(
          [
            terms([1, 0.02], valid: [0.2, 0.8]), terms([1, 0.01, 0.01]),
            terms([0.99, 0, 0.01, 0.02]),
          ], isReciprocal: false)
      ),
      ("a newer warp that divides", data([terms([1, -0.02, 0.03])], isReciprocal: true)),
    ]
    // A reader of an optional newer opcode skips the older one right after it.
    let fisheye: [UInt8] =
      Self.big(UInt32(1)) + [1.0, 0.2, -0.03, 0.005, 0.5, 0.5].flatMap { Self.big($0) }
    let skipping = AdobeCase("a fisheye that is skipped") { root in
      let newer = data([terms([1, 0.01, 0.02, -0.03])], isReciprocal: false)
      root[.opcodeList3] = Self.list([(14, newer), (2, fisheye)], isOptional: true)
    }
    let cases = forms.map { name, data in
      AdobeCase(name) { $0[.opcodeList3] = Self.list([(14, data)]) }
    }
    return (cases + [skipping]).map { plain in
      var result = plain
      result.negative.light = Self.smooth
      result.margin = 4
      return result
    }
  }

  /// Tags about stored samples count from the first one that a trim leaves.
  private var storedTrimCase: AdobeCase {
    let trim: [UInt8] = [UInt32](arrayLiteral: 3, 5, 61, 90).flatMap(Self.big)
    let area: [UInt8] = [UInt32](arrayLiteral: 0, 0, 58, 85, 0, 3, 1, 1).flatMap(Self.big)
    let factors: [Float] = (0..<58).map { 1 - Float($0) * 0.005 }
    let rows: [UInt8] = area + Self.big(UInt32(58)) + factors.flatMap { Self.big($0) }
    var result = AdobeCase("trimmed stored samples") { root in
      root[.opcodeList1] = Self.list([(6, trim), (12, rows)])
      root[.activeArea] = .longs([2, 1, 56, 82])
      root[.blackLevelRepeatDim] = .shorts([2, 1])
      root[.blackLevel] = .longs([0, 300, 600, 900, 1200, 1500])
      root[.defaultCropOrigin] = .longs([2, 1])
      root[.defaultCropSize] = .longs([70, 50])
    }
    result.negative.light = Self.smooth
    return result
  }

  /// Areas that begin outside the image, with every second row and third column.
  private var areaCase: AdobeCase {
    func area(_ edges: [Int32], _ rest: [UInt32]) -> [UInt8] {
      edges.flatMap { Self.big($0) } + rest.flatMap { Self.big($0) }
    }
    var gains: [UInt8] = area([-7, -10, 60, 90], [0, 2, 2, 3])
    gains += [UInt32](arrayLiteral: 2, 2).flatMap(Self.big)
    gains += [Double](arrayLiteral: 1, 1, 0, 0).flatMap { Self.big($0) } + Self.big(UInt32(1))
    gains += [Float](arrayLiteral: 0.9, 0.5, 0.6, 0.7).flatMap { Self.big($0) }
    let factors: [Float] = (0..<35).map { 1 - Float($0) * 0.01 }
    let columns: [UInt8] =
      area([-4, -9, 99, 96], [1, 9, 2, 3]) + Self.big(UInt32(35))
      + factors.flatMap { Self.big($0) }
    return AdobeCase("areas that begin outside the image") { [gains] root in
      root[.opcodeList2] = Self.list([(9, gains), (13, columns)])
    }
  }

  /// The origin of a trimmed image's crop, and opcodes after a trim.
  private var trimCases: [AdobeCase] {
    let trim: [UInt8] = [UInt32](arrayLiteral: 3, 5, 61, 90).flatMap(Self.big)
    let vignette: [UInt8] = [0.3, 0.1, 0.05, 0.02, 0.01, 0.45, 0.55].flatMap { Self.big($0) }
    var vignetted = AdobeCase("a trimmed image with a crop") { root in
      root[.opcodeList3] = Self.list([(6, trim), (3, vignette)])
      root[.defaultCropOrigin] = .longs([2, 1])
      root[.defaultCropSize] = .longs([80, 50])
    }
    vignetted.negative.light = Self.smooth
    var map: [UInt8] = ExampleNegative.bytes([UInt32(2), 2])
    map += ExampleNegative.bytes([1, 1, 0, 0] as [Double]) + ExampleNegative.bytes([UInt32(1)])
    map += ExampleNegative.bytes([0.2, 0.2, 0.2, 0.2, 0.2, 0.3, 1, 0.5, 0.8] as [Float])
    var mapped = AdobeCase("a gain map over a trimmed image") { [map] root in
      root[.opcodeList3] = Self.list([(6, trim)])
      root[.defaultCropOrigin] = .longs([2, 1])
      root[.defaultCropSize] = .longs([80, 50])
      root[.profileGainTableMap] = .undefined(map)
    }
    mapped.negative.light = Self.smooth
    return [
      vignetted, mapped,
      AdobeCase("a crop beyond the edge of a trimmed image") { root in
        root[.opcodeList2] = Self.list([(6, trim)])
        root[.defaultCropOrigin] = .longs([11, 8])
        root[.defaultCropSize] = .longs([80, 54])
      },
    ]
  }

  /// One pixel in every eight by eight is bad; the two ways of mending use different neighbors.
  private var badPixelCases: [AdobeCase] {
    func spoil(_ codes: [UInt16]) -> (codes: [UInt16], points: [UInt32]) {
      var (codes, points) = (codes, [UInt32]())
      for row in stride(from: 3, to: 125, by: 8) {
        for column in stride(from: 3, to: 157, by: 8) {
          // Alternates between the colors.
          let (y, x) = (row + column / 8 % 2, column + row / 8 % 2)
          codes[y * 160 + x] = 0
          points += [UInt32(y), UInt32(x)]
        }
      }
      return (codes, points)
    }
    let (codes, points) = spoil(AdobeCase.mosaic("").negative.samples)
    // The phase of GRBG.
    let list: [UInt8] =
      [UInt32](arrayLiteral: 1, UInt32(points.count / 2), 0).flatMap(Self.big)
      + points.flatMap(Self.big)
    let constant: [UInt8] = [UInt32](arrayLiteral: 0, 1).flatMap(Self.big)
    // Unmended, the mean would be three times as great.
    let forms: [(String, UInt32, [UInt8])] = [
      ("bad pixels in a list", 5, list), ("bad pixels by their code", 4, constant),
    ]
    return forms.map { name, number, data in
      var result = AdobeCase.mosaic(name) { root in
        root.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(codes)])
        root[.opcodeList1] = Self.list([(number, data)])
      }
      result.limits = (mean: 150, most: 1000, all: 1000)
      return result
    }
  }

  // MARK: Bytes

  private static func list(_ opcodes: [(UInt32, [UInt8])], isOptional: Bool = false) -> TIFFValue {
    var bytes: [UInt8] = big(UInt32(opcodes.count))
    for (number, data) in opcodes {
      // Version DNG 1.3, or 1.6 for the newer warp.
      bytes += big(number) + [1, number == 14 ? 6 : 3, 0, 0]
      bytes += big(UInt32(isOptional ? 1 : 0)) + big(UInt32(data.count))
      bytes += data
    }
    return .undefined(bytes)
  }

  private static func smooth(_ row: Int, _ column: Int, _ component: Int) -> Double {
    let wave = sin(Double(column) / 9 + Double(component)) * cos(Double(row) / 11)
    return 0.3 + 0.25 * wave
  }

  private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
  private static func big(_ number: Double) -> [UInt8] { big(number.bitPattern) }
  private static func big(_ number: Float) -> [UInt8] { big(number.bitPattern) }
}
