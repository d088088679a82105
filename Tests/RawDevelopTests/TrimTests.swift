import DNG
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// Opcodes after a trim, and what the file says about the image, count from the first remaining pixel.
@Suite struct TrimTests {
  /// What remains of 64 rows of 96 columns.
  private static let area = PixelArea(top: 3, left: 5, bottom: 61, right: 90)

  private func cropped<Number>(_ samples: [Number], components: Int) -> [Number] {
    let area = Self.area
    return (area.top..<area.bottom).flatMap { row in
      let (first, end) = (row * 96 + area.left, row * 96 + area.right)
      return samples[first * components..<end * components]
    }
  }

  /// Develops a file that trims its samples, or one that stores only those left by the trim.
  private func image<Number: BitwiseCopyable>(
    of samples: [Number], components: Int, storesAll: Bool, scale: Double = 1,
    contrast: Float = 0, _ change: @escaping (inout TIFFDirectory) -> Void
  ) throws -> RenderedImage {
    var negative = ExampleNegative()
    negative.components = components
    let stored = storesAll ? samples : cropped(samples, components: components)
    negative.change = { root in
      if storesAll {
        let trim = [3, 5, 61, 90].flatMap(OpcodeBytes.long)
        root[.opcodeList1] = .undefined(OpcodeBytes.list([OpcodeBytes.opcode(6, trim, flags: 0)]))
      } else {
        root[.imageWidth] = .longs([85])
        root[.imageLength] = .longs([58])
        root[.rowsPerStrip] = .longs([58])
      }
      root.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(stored)])
      change(&root)
    }
    var filter = try RAWFilter(data: try negative.bytes())
    filter.scaleFactor = Float(scale)
    filter.contrastAmount = contrast
    return try filter.outputImage()
  }

  private func codes(components: Int) -> [UInt16] {
    var negative = ExampleNegative()
    negative.components = components
    return negative.samples.map { $0 >> 6 }
  }

  @Test(arguments: [1, 3], [1, 0.5])
  func levels_areas_and_crop_are_relative_to_the_trimmed_image(components: Int, scale: Double)
    throws
  {
    func image(storesAll: Bool) throws -> RenderedImage {
      try self.image(
        of: codes(components: components), components: components, storesAll: storesAll,
        scale: scale
      ) { root in
        root[.linearizationTable] = .shorts((0..<900).map { $0 * 70 })
        root[.activeArea] = .longs([1, 2, 57, 83])
        root[.blackLevelRepeatDim] = .shorts([2, 2])
        root[.blackLevel] = .longs((0..<UInt32(4 * components)).map { 100 + 50 * $0 })
        root[.blackLevelDeltaV] = ExampleNegative.rationals((0..<56).map { Double($0) })
        root[.defaultCropOrigin] = .longs([3, 2])
        root[.defaultCropSize] = .longs([70, 50])
      }
    }
    let trimmed = try image(storesAll: true)
    #expect(trimmed.width == (scale == 1 ? 70 : 35) && trimmed.height == (scale == 1 ? 50 : 25))
    #expect(try trimmed == image(storesAll: false))
  }

  @Test func floating_point_samples_are_trimmed() throws {
    let samples = codes(components: 3).map { Float($0) / 1023 }
    func image(storesAll: Bool) throws -> RenderedImage {
      try self.image(of: samples, components: 3, storesAll: storesAll) { root in
        root[.bitsPerSample] = .shorts([32, 32, 32])
        root[.sampleFormat] = .shorts([3, 3, 3])
        root[.activeArea] = .longs([1, 2, 57, 83])
      }
    }
    #expect(try image(storesAll: true) == image(storesAll: false))
  }

  @Test func trimmed_masked_areas_do_not_set_the_black_level() throws {
    let samples = codes(components: 1)
    func image(storesAll: Bool) throws -> RenderedImage {
      try self.image(of: samples, components: 1, storesAll: storesAll) { root in
        root[.activeArea] = .longs([0, 4, 58, 85])
        root[.whiteLevel] = .longs([1023])
        root[.maskedAreas] = .longs([14, 0, 18, 4, 60, 90, 64, 96])
      }
    }
    #expect(try image(storesAll: true) == image(storesAll: false))
  }

  @Test(arguments: [nil, [0, 0, 58, 86], [0, 0, 59, 85], [6, 6, 64, 96]] as [[UInt32]?])
  func an_active_area_outside_the_trimmed_image_is_an_error(area: [UInt32]?) throws {
    let samples = codes(components: 3)
    let error = #expect(throws: RawDevelopError.self) {
      try image(of: samples, components: 3, storesAll: true) { root in
        root[.activeArea] = area.map { .longs($0) }
      }
    }
    #expect(error?.code == .invalidFile)
    #expect(error?.message.contains("TrimBounds leaves 85x58") == true, "\(error?.message ?? "")")
  }
  // MARK: Later lists

  /// The gains of two by two points, in the tag's form for a little-endian file.
  private static var gainMap: TIFFValue {
    let (points, places) = ([2, 2] as [UInt32], [1, 1, 0, 0] as [Double])
    let (weights, gains) = ([Float](repeating: 0.2, count: 5), [0.3, 1, 0.5, 0.8] as [Float])
    return .undefined(
      ExampleNegative.bytes(points) + ExampleNegative.bytes(places)
        + ExampleNegative.bytes([1] as [UInt32]) + ExampleNegative.bytes(weights + gains))
  }

  @Test(arguments: [TIFFTag.opcodeList2, .opcodeList3])
  func gain_map_and_local_contrast_cover_the_trimmed_image(list: TIFFTag) throws {
    let samples = codes(components: 3).map { $0 << 6 }
    var trimming = ExampleNegative()
    trimming.change = { root in
      let trim = [3, 5, 61, 90].flatMap(OpcodeBytes.long)
      root[list] = .undefined(OpcodeBytes.list([(6, trim)]))
      root[.profileGainTableMap] = Self.gainMap
      root.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(samples)])
    }
    var filter = try RAWFilter(data: try trimming.bytes())
    filter.contrastAmount = 0.8
    let trimmed = try filter.outputImage()
    let plain = try image(of: samples, components: 3, storesAll: false, contrast: 0.8) { _ in }
    let mapped = try image(of: samples, components: 3, storesAll: false, contrast: 0.8) { root in
      root[.profileGainTableMap] = Self.gainMap
    }
    #expect(trimmed == mapped && mapped != plain)
  }

  @Test(arguments: [TIFFTag.opcodeList2, .opcodeList3])
  func neutral_locations_are_relative_to_the_trimmed_image(list: TIFFTag) throws {
    func developer(_ change: @escaping (inout TIFFDirectory) -> Void) throws -> Developer {
      var negative = ExampleNegative()
      negative.light = { row, column, color in
        (0.2 + 0.4 * Double(row) / 64 + 0.2 * Double(column / 24 % 2)) * [0.9, 1, 0.8][color]
      }
      negative.change = change
      return Developer(
        negative: try Negative(try DNGFile(try negative.bytes())), settings: DevelopSettings())
    }
    let trimming = try developer { root in
      let trim = [3, 5, 61, 90].flatMap(OpcodeBytes.long)
      root[list] = .undefined(OpcodeBytes.list([(6, trim)]))
    }
    let cropping = try developer { root in
      root[.defaultCropOrigin] = .longs([5, 3])
      root[.defaultCropSize] = .longs([85, 58])
    }
    #expect(try trimming.develop() == cropping.develop())
    for (x, y) in [(10, 10), (60, 40)] {
      #expect(try trimming.cameraColor(x: x, y: y) == cropping.cameraColor(x: x, y: y))
    }
  }
}
