import DNG
import Foundation
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// Numbers that no camera writes yield an image or an error, never a crash.
@Suite struct HostileNumberTests {
  @Test func hostile_numbers_give_an_image_or_an_error() throws {
    let changes: [(inout TIFFDirectory) -> Void] = [
      { $0[.defaultScale] = .rationals([.init(numerator: 1, denominator: 0), .init(1)]) },
      { $0[.baselineExposure] = ExampleNegative.rationals([1900]) },
      { $0[.baselineExposure] = ExampleNegative.rationals([-1900]) },
      { $0[.asShotNeutral] = ExampleNegative.unsigned([1e-6, 1, 1e3]) },
      { $0[.colorMatrix1] = ExampleNegative.rationals([1, 0, 0, 1, 0, 0, 1, 0, 0]) },
      { root in
        root[.profileLookTableDims] = .longs([2, 2, 2])
        root[.profileLookTableData] = .floats([Float](repeating: .nan, count: 24))
      },
      { root in
        root[.profileHueSatMapDims] = .longs([1, 1, 1])
        root[.profileHueSatMapData1] = .floats([.infinity, -.infinity, .nan])
      },
      { $0[.profileToneCurve] = .floats([0, -1e30, 0.5, 1e30, 1, 0]) },
      { $0[.rgbTables] = .undefined([1, 0, 0, 0, 9, 0, 0, 0]) },
      // The table gets infinite light unless the light is bounded first.
      { root in
        root[.baselineExposure] = ExampleNegative.rationals([200])
        root[.profileLookTableDims] = .longs([6, 2, 2])
        root[.profileLookTableData] = .floats([Float](repeating: 1, count: 72))
      },
    ]
    let filters: [RAWFilter.LinearSpaceFilter?] = [
      nil, { _ in SIMD3(-1e-6, -1, -1e9) }, { $0 * 1e38 * 1e38 },
    ]
    for (index, change) in changes.enumerated() {
      var hostile = ExampleNegative()
      hostile.change = change
      for format in RenderedImage.SampleFormat.allCases {
        do {
          var filter = try RAWFilter(data: try hostile.bytes())
          filter.sampleFormat = format
          filter.extendedDynamicRangeAmount = 1
          filter.sharpnessAmount = 0.5
          for linearFilter in filters {
            filter.linearSpaceFilter = linearFilter
            let image = try filter.outputImage()
            #expect(image.width == 96 && image.height == 64, "change \(index)")
          }
        } catch let error as RawDevelopError {
          #expect(!error.message.isEmpty)
        }
      }
    }
  }

  @Test func nan_samples_pass_through_a_table_as_black() throws {
    var negative = ExampleNegative()
    (negative.width, negative.height) = (12, 8)
    var samples = [Float](repeating: 0.25, count: 3 * 12 * 8)
    for place in stride(from: 0, to: samples.count, by: 7) { samples[place] = .nan }
    negative.change = {
      $0[.bitsPerSample] = .shorts([32, 32, 32])
      $0[.sampleFormat] = .shorts([3, 3, 3])
      $0.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(samples)])
      $0[.opcodeList1] = .undefined(
        OpcodeBytes.list([
          (7, OpcodeBytes.area + OpcodeBytes.long(4) + [0, 0, 64, 0, 128, 0, 255, 255])
        ]))
    }
    let developer = Developer(
      negative: try Negative(try DNGFile(try negative.bytes())), settings: .linear)
    let image = try developer.develop()
    #expect((0..<96).allSatisfy { image[$0 / 12, $0 % 12, 1].isFinite })
  }

  @Test func nan_samples_are_black() throws {
    var negative = ExampleNegative()
    (negative.width, negative.height) = (12, 8)
    var samples = [Float](repeating: 0.25, count: 3 * 12 * 8)
    for place in 0..<36 { samples[place] = .nan }
    negative.change = {
      $0[.bitsPerSample] = .shorts([32, 32, 32])
      $0[.sampleFormat] = .shorts([3, 3, 3])
      $0.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(samples)])
    }
    let image = try RAWFilter(data: try negative.bytes()).outputImage()
    for column in 0..<12 {
      #expect((0..<3).allSatisfy { image[0, column, $0] == 0 })
      #expect((0..<3).allSatisfy { image[1, column, $0] > 0.1 })
    }
  }

  /// Otherwise the mean of a block, and all that is interpolated from it, would be black too.
  @Test(arguments: [1, 3], [Float(1), 0.5])
  func extreme_samples_are_black_without_darkening_neighbors(
    components: Int, scale: Float
  ) throws {
    func image(_ odd: Float) throws -> RenderedImage {
      var negative = ExampleNegative()
      (negative.width, negative.height, negative.components) = (24, 16, components)
      var samples = [Float](repeating: 0.25, count: components * 24 * 16)
      samples[components * (5 * 24 + 6)] = odd
      negative.change = {
        $0[.bitsPerSample] = .shorts([UInt16](repeating: 32, count: components))
        $0[.sampleFormat] = .shorts([UInt16](repeating: 3, count: components))
        $0.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(samples)])
      }
      let file = try DNGFile(try negative.bytes())
      #expect(try file.decodeLinear(of: file.rawImage()).samples.min() == 0)
      var filter = try RAWFilter(file)
      filter.scaleFactor = scale
      return try filter.outputImage()
    }
    let black = try image(0)
    for odd in [-Float.infinity, -.greatestFiniteMagnitude, .nan] {
      #expect(try image(odd) == black, "\(odd)")
    }
  }

  /// Minus infinity times 0 is not a number.
  @Test func an_extreme_vignette_leaves_finite_samples() throws {
    var negative = ExampleNegative()
    (negative.width, negative.height) = (12, 8)
    negative.change = {
      $0[.opcodeList1] = .undefined(
        OpcodeBytes.list([
          (3, OpcodeBytes.doubles([-1e300, 0, 0, 0, 0, 0.5, 0.5])),
          (12, OpcodeBytes.area + OpcodeBytes.long(8) + [UInt8](repeating: 0, count: 32)),
        ]))
    }
    let image = try RAWFilter(data: try negative.bytes()).outputImage()
    #expect(image.width == 12 && image.height == 8)
    let planes = LightPlanes(width: 12, height: 8, count: 1)
    for index in 0..<96 { planes[0][index] = 0.5 }
    OpcodeRunner(stage: .demosaicked).fixVignette(planes, [-1e300, 0, 0, 0, 0], [0.5, 0.5])
    #expect((0..<96).allSatisfy { planes[0][$0] >= -1 })
  }

  @Test func a_mask_claiming_a_huge_area_is_refused() throws {
    func mask(_ area: TIFFValue) throws -> SemanticMask? {
      var negative = ExampleNegative()
      negative.change = {
        $0.children = [
          ExampleNegative.mask(
            "sky", width: 4, samples: [UInt8](repeating: 255, count: 8), area: area)
        ]
      }
      return try RAWFilter(data: try negative.bytes()).matte(.sky)
    }
    let image = try #require(try mask(.longs([1, 2, 12, 8]))).image
    #expect(image.width == 12 && image[1, 2, 0] > 0.99 && image[0, 0, 0] == 0)
    for area: TIFFValue in [
      .longs([0, 0, .max, .max]), .longs([0, 0, 65_535, 65_535]), .longs([.max, 0, 4, 2]),
      .long8s([UInt64(Int64.max), 0, 4, 2]), .long8s([0, 0, UInt64(Int64.max), 2]),
    ] {
      let error = #expect(throws: RawDevelopError.self) { try mask(area) }
      #expect(error?.code == .invalidFile && error?.message.contains("MaskSubArea") == true)
    }
  }
}
