import DNG
import Foundation
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// Holds every step of rendering to what Adobe's DNG SDK makes of the same file.
@Suite(
  .tags(.judges, .network), .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
struct AdobeRenderingTests {
  struct Case {
    let name: String
    var negative = ExampleNegative()
    var settings = DevelopSettings()
    var space = "sRGB"
    /// What is left out at the edges, where both fill up differently.
    var margin = 0
    /// Limits of the mean, of 99.9 % and of all differences, of 65535.
    var limits = (mean: 4.0, most: 32.0, all: 96.0)

    init(_ name: String, _ change: @escaping (inout TIFFDirectory) -> Void = { _ in }) {
      self.name = name
      negative.change = change
    }
  }

  @Test func rendering_agrees_with_adobes() throws {
    try judge(
      plainCases + profileCases + mapCases + colorSpaceCases + levelCases + opcodeCases)
  }

  /// Both interpolate a mosaic in their own way: means of eight by eight pixels are compared.
  @Test func mosaics_agree_on_average() throws {
    var negative = ExampleNegative()
    (negative.components, negative.width, negative.height) = (1, 160, 128)
    negative.light = { row, column, color in
      let wave = sin(Double(column) / 13) * cos(Double(row) / 11)
      return (0.3 + 0.25 * wave) * [0.52, 1, 0.66][color]
    }
    let file = try negative.bytes()
    let adobe = try AdobeRendering.render([AdobeRendering.Request(file: file)])[0].get()
    let ours = try Developer(
      negative: try Negative(try DNGFile(file)), settings: DevelopSettings()
    ).develop()
    try #require(ours.width == adobe.width && ours.height == adobe.height)
    var differences: [Double] = []
    for row in stride(from: 8, to: ours.height - 16, by: 8) {
      for column in stride(from: 8, to: ours.width - 16, by: 8) {
        for color in 0..<3 {
          var sum = 0.0
          for place in 0..<64 {
            let (y, x) = (row + place / 8, column + place % 8)
            let theirs = adobe.samples[(y * ours.width + x) * 3 + color]
            sum += Double(ours[y, x, color] * 65_535 - theirs)
          }
          differences.append(abs(sum / 64))
        }
      }
    }
    let mean = differences.reduce(0, +) / Double(differences.count)
    #expect(mean < 100 && (differences.max() ?? 0) < 600, "mean \(mean), \(differences.max() ?? 0)")
    if ProcessInfo.processInfo.environment["SHOW_FIGURES"] != nil {
      print("mosaic: mean \(mean), most \(differences.max() ?? 0)")
    }
  }

  @Test func rendering_beyond_white_agrees_with_adobes() throws {
    try judge([highDynamicRangeCase], isFloat: true)
  }

  // MARK: Cases

  private var plainCases: [Case] {
    var darker = Case("exposure below 0")
    darker.settings.exposure = -1.5
    var brighter = Case("exposure above 0")
    brighter.settings.exposure = 1.3
    var shadows = Case("no shadows taken away")
    shadows.settings.shadowBias = 0
    var white = Case("another white")
    white.settings.white = .point(WhitePoint(x: 0.38, y: 0.37))
    return [
      Case("two calibrations, the default curve"), darker, brighter, shadows, white,
      Case("BaselineExposure and ShadowScale") { root in
        root[.baselineExposure] = ExampleNegative.rationals([0.7])
        root[.shadowScale] = ExampleNegative.unsigned([0.4])
      },
      Case("AnalogBalance and CameraCalibration") { root in
        root[.analogBalance] = ExampleNegative.unsigned([0.9, 1, 1.2])
        root[.cameraCalibration1] = ExampleNegative.rationals([1.05, 0, 0, 0, 1, 0, 0, 0, 0.95])
        root[.cameraCalibration2] = ExampleNegative.rationals([1.02, 0, 0, 0, 1, 0, 0, 0, 0.98])
      },
    ]
  }

  private static func addForwardMatrices(_ root: inout TIFFDirectory) {
    root[.forwardMatrix1] = ExampleNegative.rationals(ExampleNegative.forwardA)
    root[.forwardMatrix2] = ExampleNegative.rationals(ExampleNegative.forwardD65)
  }

  /// A table of hues that changes from entry to entry.
  private static func hues(_ hues: Int, _ saturations: Int, _ values: Int, seed: Float) -> [Float] {
    (0..<hues * saturations * values).flatMap { index -> [Float] in
      // The rule of DNG for gray: its value stays.
      let isGray = index % saturations == 0
      let wave = sin(Float(index) * 0.7 + seed)
      return [12 * wave, isGray ? 1 : 1 + 0.2 * wave, isGray ? 1 : 1 - 0.15 * wave]
    }
  }

  private var profileCases: [Case] {
    [
      Case("forward matrices", Self.addForwardMatrices),
      Case("hue tables of two lights") { root in
        Self.addForwardMatrices(&root)
        root[.profileHueSatMapDims] = .longs([12, 5, 1])
        root[.profileHueSatMapData1] = .floats(Self.hues(12, 5, 1, seed: 0))
        root[.profileHueSatMapData2] = .floats(Self.hues(12, 5, 1, seed: 2))
      },
      Case("hue tables with divisions of value, in the sRGB curve") { root in
        root[.profileHueSatMapDims] = .longs([6, 4, 5])
        root[.profileHueSatMapData1] = .floats(Self.hues(6, 4, 5, seed: 1))
        root[.profileHueSatMapData2] = .floats(Self.hues(6, 4, 5, seed: 1))
        root[.profileHueSatMapEncoding] = .longs([1])
      },
      Case("a look table") { root in
        root[.profileLookTableDims] = .longs([8, 3, 4])
        root[.profileLookTableData] = .floats(Self.hues(8, 3, 4, seed: 3))
      },
      Case("a tone curve, and no black by default") { root in
        root[.profileToneCurve] = .floats([0, 0, 0.1, 0.06, 0.4, 0.5, 0.8, 0.92, 1, 1])
        root[.defaultBlackRender] = .longs([1])
      },
      Case("three calibrations") { root in
        Self.addForwardMatrices(&root)
        root[.colorMatrix3] = ExampleNegative.rationals(
          ExampleNegative.colorMatrixD65.map { $0 * 1.04 })
        root[.forwardMatrix3] = ExampleNegative.rationals(ExampleNegative.forwardD65)
        root[.calibrationIlluminant3] = .shorts([23])
      },
      Case("tables of colors") { root in
        root[.rgbTables] = .undefined(Self.colorTable(curve: 1, primaries: 2, gamut: 1))
      },
      Case("tables of colors that clip") { root in
        root[.rgbTables] = .undefined(Self.colorTable(curve: 1, primaries: 0, gamut: 0))
      },
      Case("tables of colors by gamma 2.2") { root in
        root[.rgbTables] = .undefined(Self.colorTable(curve: 3, primaries: 4, gamut: 0))
      },
    ]
  }

  /// A table of 5 divisions that turns colors around a little.
  private static func colorTable(curve: UInt8, primaries: UInt8, gamut: UInt8) -> [UInt8] {
    let header: [UInt8] =
      ExampleNegative.bytes([UInt32(1), 0]) + [0, 0, 5, 1, curve, primaries, gamut]
    var entries: [UInt16] = []
    for index in 0..<125 {
      let r = Double(index / 25) / 4
      let g = Double(index / 5 % 5) / 4
      let b = Double(index % 5) / 4
      let turned: [Double] = [0.9 * r + 0.1 * g, 0.8 * g + 0.2 * b, 0.85 * b + 0.15 * r]
      entries += turned.map { UInt16(($0 * 65_535).rounded()) }
    }
    return header + ExampleNegative.bytes(entries)
  }

  private var mapCases: [Case] {
    func place(_ rows: Double, _ columns: Double) -> [UInt8] {
      ExampleNegative.bytes([1 / rows, 1 / columns, 0.4 / rows, 0.6 / columns])
    }
    let weights = ExampleNegative.bytes([Float(0.3), 0.4, 0.1, 0.05, 0.15])
    let gains: [Float] = (0..<180).map { 1 + 0.8 * sin(Float($0) * 0.05) }
    let codes: [UInt8] = (0..<180).map { UInt8($0 * 37 % 64 + 80) }
    var head: [UInt8] = ExampleNegative.bytes([UInt32(4), 5])
    head += place(4, 5)
    head += ExampleNegative.bytes([UInt32(9)])
    head += weights
    var second = head
    second += ExampleNegative.bytes([UInt32(0)])
    second += ExampleNegative.bytes([Float(0.6), 0.25, 2.5])
    second += codes
    let first = head + ExampleNegative.bytes(gains)
    return [
      Case("a gain map") { [first] root in
        root[.baselineExposure] = ExampleNegative.rationals([0.5])
        root[.profileGainTableMap] = .undefined(first)
      },
      Case("a gain map of the second version") { [second] root in
        root[.profileGainTableMap2] = .undefined(second)
      },
    ]
  }

  private var colorSpaceCases: [Case] {
    let spaces: [(String, PictureColorSpace)] = [
      ("DisplayP3", .displayP3), ("Rec2020", .rec2020),
      // The SDK's curve of Adobe RGB has a straight foot that the standard does not have.
      ("AdobeRGB_Linear", PictureColorSpace.adobeRGB.linear),
    ]
    return spaces.map { name, space in
      var result = Case(name, Self.addForwardMatrices)
      result.space = name
      result.settings.colorSpace = space
      return result
    }
  }

  private var levelCases: [Case] {
    [
      Case("black and white levels with deltas") { root in
        root[.blackLevel] = ExampleNegative.unsigned([512, 520, 530])
        root[.whiteLevel] = .longs([60_000, 61_000, 62_000])
        root[.blackLevelDeltaV] = ExampleNegative.rationals((0..<64).map { Double($0 % 5) })
      },
      Case("a linearization table") { root in
        let table: [UInt16] = (0..<4096).map { index in
          let x = Double(index) / 4095
          return UInt16(x * x * 65_535)
        }
        root[.linearizationTable] = .shorts(table)
        let codes: [UInt16] = ExampleNegative().samples.map { $0 >> 4 }
        root.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(codes)])
        root[.whiteLevel] = .longs([65_535])
      },
      Case("a crop") { root in
        root[.defaultCropOrigin] = .longs([5, 3])
        root[.defaultCropSize] = .longs([70, 40])
        root[.activeArea] = .longs([2, 4, 60, 94])
      },
    ]
  }

  private var opcodeCases: [Case] {
    let area = [UInt32](arrayLiteral: 4, 6, 60, 90, 0, 3, 1, 1).flatMap(Self.big)
    let spread = [UInt32](arrayLiteral: 4, 6, 60, 90, 1, 1, 2, 3).flatMap(Self.big)
    func list(_ opcodes: [(UInt32, [UInt8])]) -> TIFFValue {
      var bytes: [UInt8] = Self.big(UInt32(opcodes.count))
      for (number, data) in opcodes {
        bytes += Self.big(number) + [1, 3, 0, 0]
        bytes += Self.big(UInt32(0)) + Self.big(UInt32(data.count))
        bytes += data
      }
      return .undefined(bytes)
    }
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
    var warp = Case("warps") { root in
      root[.opcodeList3] = list([(1, Self.big(UInt32(1)) + warpTerms.flatMap(Self.big))])
    }
    warp.negative.light = Self.smooth
    warp.margin = 4
    var fisheye = Case("a fisheye") { root in
      root[.opcodeList3] = list([(2, Self.big(UInt32(1)) + fisheyeTerms.flatMap(Self.big))])
    }
    fisheye.negative.light = Self.smooth
    fisheye.margin = 4
    return [
      Case("polynomials and a gain map") { [gains] root in
        root[.opcodeList2] = list([(8, polynomial), (9, gains)])
      },
      Case("rows and columns") { root in
        root[.opcodeList2] = list([(10, rows), (13, columns)])
      },
      Case("a table") { root in
        let table: [UInt16] = (0..<1024).map { UInt16($0 * 60) }
        let data: [UInt8] = area + Self.big(UInt32(1024)) + table.flatMap(Self.big)
        root[.opcodeList1] = list([(7, data)])
        let codes: [UInt16] = ExampleNegative().samples.map { $0 >> 6 }
        root.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(codes)])
      },
      Case("vignetting") { root in
        root[.opcodeList3] = list([(3, vignetteTerms.flatMap(Self.big))])
      }, warp, fisheye,
    ]
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

  private var highDynamicRangeCase: Case {
    var result = Case("a profile for high dynamic range") { root in
      Self.addForwardMatrices(&root)
      root[.baselineExposure] = ExampleNegative.rationals([1.5])
      root[.defaultBlackRender] = .longs([1])
      root[.profileToneCurve] = .floats([0, 0, 0.3, 0.25, 0.7, 0.75, 1, 1])
      root[.profileLookTableDims] = .longs([8, 3, 4])
      root[.profileLookTableData] = .floats(Self.hues(8, 3, 4, seed: 3))
      root[.profileDynamicRange] = .undefined([1, 0, 1, 0] + ExampleNegative.bytes([Float(4)]))
    }
    result.settings.sampleFormat = .float
    result.settings.colorSpace = .linearSRGB
    return result
  }

  // MARK: Verdict

  private func judge(_ cases: [Case], isFloat: Bool = false) throws {
    let files = try cases.map { try $0.negative.bytes() }
    let requests = zip(cases, files).map { test, file in
      var request = AdobeRendering.Request(file: file)
      request.space = test.space
      request.isFloat = isFloat
      request.exposure = test.settings.exposure
      request.shadows = test.settings.shadowBias
      if case .point(let point) = test.settings.white { request.white = SIMD2(point.x, point.y) }
      return request
    }
    for ((test, file), result) in zip(zip(cases, files), try AdobeRendering.render(requests)) {
      let adobe = try result.get()
      let negative = try Negative(try DNGFile(file))
      let ours = try Developer(negative: negative, settings: test.settings).develop()
      #expect(ours.width == adobe.width && ours.height == adobe.height, "\(test.name)")
      guard ours.width == adobe.width, ours.height == adobe.height else { continue }
      var differences: [Double] = []
      for row in test.margin..<ours.height - test.margin {
        for column in test.margin..<ours.width - test.margin {
          for component in 0..<3 {
            let theirs = adobe.samples[(row * ours.width + column) * 3 + component]
            let unit: Float = isFloat ? 65_535 : 1
            differences.append(
              Double(abs(ours[row, column, component] * 65_535 - theirs * unit)))
          }
        }
      }
      differences.sort()
      let mean = differences.reduce(0, +) / Double(differences.count)
      let most = differences[differences.count * 999 / 1000]
      let all = differences[differences.count - 1]
      if ProcessInfo.processInfo.environment["SHOW_FIGURES"] != nil {
        print("\(test.name): mean \(mean), 99.9 % \(most), most \(all)")
      }
      #expect(
        mean <= test.limits.mean && most <= test.limits.most && all <= test.limits.all,
        "\(test.name): mean \(mean), 99.9 % \(most), most \(all)")
    }
  }
}
