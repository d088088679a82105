import DNG
import Foundation
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// Compares every step of rendering with Adobe's DNG SDK, on the same files.
@Suite(
  .tags(.judges, .network), .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
struct AdobeRenderingTests {
  @Test func rendering_agrees_with_adobe() throws {
    try AdobeCase.judge(plainCases + profileCases + mapCases + colorSpaceCases + levelCases)
  }

  /// The filter pattern begins at the corner of the active area, wherever that is.
  @Test func mosaics_agree_with_adobe_for_any_active_area_origin() throws {
    try AdobeCase.judge(
      [(4, 6), (4, 7), (5, 6), (5, 7)].map { top, left in
        var test = AdobeCase.mosaic("an active area at \(top), \(left)") { root in
          root[.activeArea] = .longs([top, left, 124, 152].map { UInt32($0) })
          // From the file's corner, the mosaic is GRBG.
          let cell: [UInt8] = [1, 0, 2, 1]
          root[.cfaPattern] = .bytes(
            (0..<4).map { cell[($0 / 2 + top) % 2 * 2 + ($0 % 2 + left) % 2] })
        }
        test.margin = 8
        return test
      })
  }

  @Test func rendering_above_white_agrees_with_adobe() throws {
    try AdobeCase.judge([highDynamicRangeCase], isFloat: true)
  }

  // MARK: Cases

  private var plainCases: [AdobeCase] {
    var darker = AdobeCase("exposure below 0")
    darker.settings.exposure = -1.5
    var brighter = AdobeCase("exposure above 0")
    brighter.settings.exposure = 1.3
    var shadows = AdobeCase("no shadow bias")
    shadows.settings.shadowBias = 0
    var white = AdobeCase("another white")
    white.settings.white = .point(WhitePoint(x: 0.38, y: 0.37))
    return [
      AdobeCase("two calibrations, the default curve"), darker, brighter, shadows, white,
      AdobeCase("BaselineExposure and ShadowScale") { root in
        root[.baselineExposure] = ExampleNegative.rationals([0.7])
        root[.shadowScale] = ExampleNegative.unsigned([0.4])
      },
      AdobeCase("AnalogBalance and CameraCalibration") { root in
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

  /// A hue table whose entries all differ.
  private static func hues(_ hues: Int, _ saturations: Int, _ values: Int, seed: Float) -> [Float] {
    (0..<hues * saturations * values).flatMap { index -> [Float] in
      // DNG's rule for gray: its value stays.
      let isGray = index % saturations == 0
      let wave = sin(Float(index) * 0.7 + seed)
      return [12 * wave, isGray ? 1 : 1 + 0.2 * wave, isGray ? 1 : 1 - 0.15 * wave]
    }
  }

  private var profileCases: [AdobeCase] {
    [
      AdobeCase("forward matrices", Self.addForwardMatrices),
      AdobeCase("hue tables for two illuminants") { root in
        Self.addForwardMatrices(&root)
        root[.profileHueSatMapDims] = .longs([12, 5, 1])
        root[.profileHueSatMapData1] = .floats(Self.hues(12, 5, 1, seed: 0))
        root[.profileHueSatMapData2] = .floats(Self.hues(12, 5, 1, seed: 2))
      },
      AdobeCase("hue tables with divisions of value, in the sRGB curve") { root in
        root[.profileHueSatMapDims] = .longs([6, 4, 5])
        root[.profileHueSatMapData1] = .floats(Self.hues(6, 4, 5, seed: 1))
        root[.profileHueSatMapData2] = .floats(Self.hues(6, 4, 5, seed: 1))
        root[.profileHueSatMapEncoding] = .longs([1])
      },
      AdobeCase("a look table") { root in
        root[.profileLookTableDims] = .longs([8, 3, 4])
        root[.profileLookTableData] = .floats(Self.hues(8, 3, 4, seed: 3))
      },
      AdobeCase("a tone curve, and no black by default") { root in
        root[.profileToneCurve] = .floats([0, 0, 0.1, 0.06, 0.4, 0.5, 0.8, 0.92, 1, 1])
        root[.defaultBlackRender] = .longs([1])
      },
      AdobeCase("three calibrations") { root in
        Self.addForwardMatrices(&root)
        root[.colorMatrix3] = ExampleNegative.rationals(
          ExampleNegative.colorMatrixD65.map { $0 * 1.04 })
        root[.forwardMatrix3] = ExampleNegative.rationals(ExampleNegative.forwardD65)
        root[.calibrationIlluminant3] = .shorts([23])
      },
      AdobeCase("RGB tables") { root in
        root[.rgbTables] = .undefined(Self.colorTable(curve: 1, primaries: 2, gamut: 1))
      },
      AdobeCase("RGB tables that clip") { root in
        root[.rgbTables] = .undefined(Self.colorTable(curve: 1, primaries: 0, gamut: 0))
      },
      AdobeCase("RGB tables at gamma 2.2") { root in
        root[.rgbTables] = .undefined(Self.colorTable(curve: 3, primaries: 4, gamut: 0))
      },
    ]
  }

  /// A table of 5 divisions that shifts colors a little.
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

  private var mapCases: [AdobeCase] {
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
      AdobeCase("a gain map") { [first] root in
        root[.baselineExposure] = ExampleNegative.rationals([0.5])
        root[.profileGainTableMap] = .undefined(first)
      },
      AdobeCase("a gain map of the second version") { [second] root in
        root[.profileGainTableMap2] = .undefined(second)
      },
    ]
  }

  private var colorSpaceCases: [AdobeCase] {
    let spaces: [(String, ImageColorSpace)] = [
      ("DisplayP3", .displayP3), ("Rec2020", .rec2020),
      // The SDK's Adobe RGB curve has a linear segment near black, which the standard lacks.
      ("AdobeRGB_Linear", ImageColorSpace.adobeRGB.linear),
    ]
    return spaces.map { name, space in
      var result = AdobeCase(name, Self.addForwardMatrices)
      result.space = name
      result.settings.colorSpace = space
      return result
    }
  }

  private var levelCases: [AdobeCase] {
    [
      AdobeCase("black and white levels with deltas") { root in
        root[.blackLevel] = ExampleNegative.unsigned([512, 520, 530])
        root[.whiteLevel] = .longs([60_000, 61_000, 62_000])
        root[.blackLevelDeltaV] = ExampleNegative.rationals((0..<64).map { Double($0 % 5) })
      },
      AdobeCase("a linearization table") { root in
        let table: [UInt16] = (0..<4096).map { index in
          let x = Double(index) / 4095
          return UInt16(x * x * 65_535)
        }
        root[.linearizationTable] = .shorts(table)
        let codes: [UInt16] = ExampleNegative().samples.map { $0 >> 4 }
        root.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(codes)])
        root[.whiteLevel] = .longs([65_535])
      },
      AdobeCase("a finished image without a tone curve") { root in
        root[.colorimetricReference] = .shorts([1])
      },
      AdobeCase("a finished HDR image with a tone curve") { root in
        root[.colorimetricReference] = .shorts([2])
        root[.profileToneCurve] = .floats([0, 0, 0.3, 0.25, 0.7, 0.75, 1, 1])
      },
      AdobeCase("a ShadowScale of 0") { root in
        root[.shadowScale] = ExampleNegative.unsigned([0])
      },
      AdobeCase("a ShadowScale above 1") { root in
        root[.shadowScale] = ExampleNegative.unsigned([4])
      },
      AdobeCase("black levels with row deltas") { root in
        root[.blackLevelRepeatDim] = .shorts([2, 1])
        root[.blackLevel] = ExampleNegative.unsigned([100, 200, 300, 900, 50, 60])
        root[.blackLevelDeltaV] = ExampleNegative.rationals(
          (0..<64).map { $0 % 2 == 0 ? 130 : 0 })
      },
      AdobeCase("a crop") { root in
        root[.defaultCropOrigin] = .longs([5, 3])
        root[.defaultCropSize] = .longs([70, 40])
        root[.activeArea] = .longs([2, 4, 60, 94])
      },
    ]
  }

  private var highDynamicRangeCase: AdobeCase {
    var result = AdobeCase("an HDR profile") { root in
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
}
