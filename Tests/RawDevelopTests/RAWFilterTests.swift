import DNG
import Foundation
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// What a filter offers, accepts and refuses.
struct RAWFilterTests: RAWFilterRig {
  private func mean(_ image: RenderedImage, _ color: Int) -> Double {
    var sum = 0.0
    for row in 0..<image.height {
      for column in 0..<image.width { sum += Double(image[row, column, color]) }
    }
    return sum / Double(image.width * image.height)
  }

  @Test func a_web_url_is_not_opened_as_a_file() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try ExampleNegative().bytes(), "a.dng")
    _ = try RAWFilter(url: file)
    let address = try #require(URL(string: "https://localhost" + file.path))
    let error = #expect(throws: RawDevelopError.self) { try RAWFilter(url: address) }
    #expect(error?.code == .fileFailed)
    withExtendedLifetime(folder) {}
  }

  @Test func properties_are_clamped_to_their_ranges() throws {
    var filter = try filter()
    filter.boostAmount = 3
    filter.boostShadowAmount = -1
    filter.extendedDynamicRangeAmount = 9
    filter.detailAmount = 7
    filter.neutralTint = 900
    filter.neutralTemperature = 10
    filter.scaleFactor = 0
    #expect(filter.boostAmount == 1)
    #expect(filter.boostShadowAmount == 0)
    #expect(filter.extendedDynamicRangeAmount == 2)
    #expect(filter.detailAmount == 3)
    #expect(filter.neutralTint == 150)
    #expect(filter.neutralTemperature == 2000)
    #expect(filter.scaleFactor > 0)
  }

  @Test func unsupported_settings_cannot_be_changed() throws {
    var filter = try filter()
    #expect(!filter.isLocalToneMapSupported && !filter.isLensCorrectionSupported)
    #expect(!filter.isHighlightRecoverySupported && !filter.isMoireReductionSupported)
    filter.localToneMapAmount = 1
    filter.isLensCorrectionEnabled = true
    filter.isHighlightRecoveryEnabled = true
    filter.moireReductionAmount = 1
    #expect(filter.localToneMapAmount == 0 && !filter.isLensCorrectionEnabled)
    #expect(!filter.isHighlightRecoveryEnabled && filter.moireReductionAmount == 0)
  }

  @Test func exposure_doubles_linear_light() throws {
    var filter = try filter()
    filter.useLinearOutput()
    filter.sampleFormat = .float
    let usual = try filter.outputImage()
    filter.exposure = 1
    let brighter = try filter.outputImage()
    for place in [(20, 10), (40, 70), (60, 33)] {
      for color in 0..<3 {
        let (a, b) = (usual[place.0, place.1, color], brighter[place.0, place.1, color])
        #expect(abs(b - 2 * a) <= 1e-4 * max(abs(a), 1e-2))
      }
    }
  }

  @Test func orientation_only_moves_pixels() throws {
    var filter = try filter()
    let upright = try filter.outputImage()
    filter.orientation = .right
    let turned = try filter.outputImage()
    #expect(turned.width == upright.height && turned.height == upright.width)
    for (row, column) in [(0, 0), (13, 70), (63, 95)] {
      for color in 0..<3 {
        #expect(
          upright[row, column, color] == turned[column, upright.height - 1 - row, color])
      }
    }
    filter.orientation = .down
    let down = try filter.outputImage()
    #expect(down[63, 95, 1] == upright[0, 0, 1])
  }

  @Test(arguments: [Float(0.5), 0.3, 0.25, 0.1])
  func scaled_images_keep_their_mean_light(scale: Float) throws {
    var filter = try filter(mosaic)
    filter.isHighlightRecoveryEnabled = false
    filter.isGamutMappingEnabled = false
    let full = try filter.outputImage()
    filter.scaleFactor = scale
    let small = try filter.outputImage()
    #expect(small.width == Int((240 * Double(scale)).rounded()))
    #expect(small.height == Int((200 * Double(scale)).rounded()))
    for color in 0..<3 { #expect(abs(mean(full, color) - mean(small, color)) < 0.01) }
  }

  @Test(arguments: [
    (2 as UInt32, ImageColorSpace.sRGB), (3 as UInt32, .adobeRGB),
    (4 as UInt32, ImageColorSpace(primaries: .proPhoto, curve: .gamma18)), (0 as UInt32, .sRGB),
  ])
  func a_preview_has_the_color_space_stated_in_the_file(
    number: UInt32, space: ImageColorSpace
  ) throws {
    let jpeg = try EncodedPreview(
      rendering: [UInt8](repeating: 90, count: 3 * 16 * 8), width: 16, height: 8, quality: 0.9)
    var preview = TIFFDirectory()
    preview[.newSubFileType] = .longs([1])
    preview[.imageWidth] = .longs([16])
    preview[.imageLength] = .longs([8])
    preview[.bitsPerSample] = .shorts([8, 8, 8])
    preview[.compression] = .shorts([7])
    preview[.photometric] = .shorts([6])
    preview[.samplesPerPixel] = .shorts([3])
    preview[.rowsPerStrip] = .longs([8])
    preview[.previewColorSpace] = .longs([number])
    preview.pixels = .init(isTiled: false, chunks: [jpeg.data])
    var negative = ExampleNegative()
    negative.change = { [preview] root in root.children = [preview] }
    let image = try #require(try filter(negative).decodedPreview())
    #expect(image.colorSpace == space && image.width == 16)
  }

  /// As for thumbnails of panoramas.
  @Test func a_wide_image_scales_down_to_the_requested_size() throws {
    var negative = ExampleNegative()
    (negative.width, negative.height) = (4000, 8)
    negative.light = { _, column, _ in Double(column) / 3999 }
    var filter = try filter(negative)
    filter.scaleFactor = 0.0005
    let image = try filter.outputImage()
    #expect(filter.outputSize == VideoDimensions(width: 2, height: 1))
    #expect((image.width, image.height) == (2, 1))
    #expect(image[0, 0, 1] < image[0, 1, 1])
  }

  @Test func the_neutral_location_becomes_gray() throws {
    var filter = try filter(mosaic)
    filter.colorSpace = .linearSRGB
    filter.sampleFormat = .float
    try filter.setNeutralLocation(x: 100, y: 90)
    let image = try filter.outputImage()
    let (r, g, b) = (image[90, 100, 0], image[90, 100, 1], image[90, 100, 2])
    #expect(abs(r / g - 1) < 0.02 && abs(b / g - 1) < 0.02, "\(r) \(g) \(b)")
    #expect(throws: RawDevelopError.self) { try filter.setNeutralLocation(x: 240, y: 0) }
  }

  @Test func the_white_point_follows_the_profile_in_use() throws {
    var filter = try filter()
    let own = (filter.neutralChromaticity, filter.neutralTint)
    var other = try #require(filter.properties.profiles.first)
    // A camera that is less sensitive to green.
    for calibration in other.calibrations.indices {
      for place in 3..<6 { other.calibrations[calibration].colorMatrix[place] *= 0.8 }
    }
    filter.profile = other
    #expect(filter.neutralChromaticity != own.0 && abs(filter.neutralTint - own.1) > 1)
    let tint = filter.neutralTint
    filter.neutralTemperature = 4000
    #expect(filter.neutralTemperature == 4000 && filter.neutralTint == tint)
    // What was set stays with any profile.
    filter.profile = nil
    #expect(filter.neutralTemperature == 4000 && filter.neutralTint == tint)
    filter.neutralChromaticity = [0.33, 0.34]
    #expect(filter.neutralChromaticity == [0.33, 0.34] && filter.neutralTemperature != 4000)
  }

  @Test func light_above_white_is_preserved() throws {
    var bright = ExampleNegative()
    bright.change = { $0[.baselineExposure] = ExampleNegative.rationals([2]) }
    var filter = try filter(bright)
    filter.colorSpace = .linearSRGB
    filter.sampleFormat = .half
    func greatest(_ amount: Float) throws -> Float {
      filter.extendedDynamicRangeAmount = amount
      let image = try filter.outputImage()
      return (0..<image.width).map { image[4, $0, 1] }.max() ?? 0
    }
    #expect(try greatest(0) <= 1)
    #expect(try greatest(1) > 2)
    #expect(try greatest(2) > 4)
  }

  /// A `.dcp` file may be big-endian although the photo is not.
  @Test func rgb_tables_are_read_in_their_profiles_byte_order() throws {
    func tables(isLittleEndian: Bool) -> [UInt8] {
      func number(_ value: Int, _ size: Int) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(value >> (8 * $0) & 255) }
        return isLittleEndian ? bytes : bytes.reversed()
      }
      // One 16-bit table of two divisions in sRGB, which swaps red and blue.
      let corners = (0..<8).flatMap { [$0 & 1, $0 >> 1 & 1, $0 >> 2] }
      return number(1, 4) + number(0, 4) + number(0, 2) + [2, 1, 1, 0, 1]
        + corners.flatMap { number($0 * 65_535, 2) }
    }
    var filter = try filter()
    let plain = try filter.outputImage()
    var profile = try #require(filter.properties.profiles.first)
    var images: [RenderedImage] = []
    for isLittleEndian in [true, false] {
      profile.rgbTables = tables(isLittleEndian: isLittleEndian)
      profile.isLittleEndian = isLittleEndian
      filter.profile = profile
      images.append(try filter.outputImage())
    }
    #expect(images[0] == images[1] && images[0] != plain)
  }

  @Test func histograms_count_every_sample() throws {
    let filter = try filter(mosaic)
    let linear = try filter.linearHistogram(bins: 64)
    #expect(linear.counts.map { $0.reduce(0, +) } == [12_000, 24_000, 12_000])
    let rendered = try filter.outputImage().histogram()
    #expect(rendered.counts.allSatisfy { $0.reduce(0, +) == 48_000 })
  }

  @Test func unsupported_versions_opcodes_and_profiles_are_refused() throws {
    var filter = try filter()
    filter.decoderVersion = "0"
    #expect(throws: RawDevelopError.self) { try filter.outputImage() }
    var unknown = ExampleNegative()
    unknown.change = {
      $0[.opcodeList2] = .undefined([0, 0, 0, 1, 0, 0, 0, 99, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }
    let refused = try self.filter(unknown)
    #expect {
      try refused.outputImage()
    } throws: { error in
      (error as? RawDevelopError)?.code == .unsupported
        && (error as? RawDevelopError)?.message.contains("99") == true
    }
    var colorless = ExampleNegative()
    colorless.change = { $0[.colorMatrix1] = nil }
    #expect(throws: RawDevelopError.self) { try self.filter(colorless).outputImage() }
  }

  @Test func skipped_optional_opcodes_are_named() throws {
    func list(_ opcode: UInt8, _ data: [UInt8]) -> TIFFValue {
      .undefined(
        [0, 0, 0, 1, 0, 0, 0, opcode, 1, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(data.count)] + data)
    }
    var example = ExampleNegative()
    let plain = try filter(example)
    #expect(plain.omittedCorrections.isEmpty)
    example.change = {
      // Numbers that the specification does not define.
      $0[.opcodeList1] = list(98, [1, 2])
      $0[.opcodeList2] = list(99, [])
    }
    let filter = try filter(example)
    #expect(
      filter.omittedCorrections == [
        "opcode 98 is unknown (DNG 1.3.0.0)", "opcode 99 is unknown (DNG 1.3.0.0)",
      ])
    #expect(try filter.outputImage() == plain.outputImage())
  }
}
