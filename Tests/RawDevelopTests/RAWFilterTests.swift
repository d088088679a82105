import DNG
import Foundation
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

struct RAWFilterTests {
  private func filter(
    _ negative: ExampleNegative = ExampleNegative()
  ) throws -> RAWFilter { try RAWFilter(data: try negative.bytes()) }

  private var mosaic: ExampleNegative {
    var negative = ExampleNegative()
    (negative.components, negative.width, negative.height) = (1, 240, 200)
    negative.light = { row, column, color in
      let wave = sin(Double(column) / 23) * cos(Double(row) / 17)
      return (0.3 + 0.25 * wave) * [0.5, 1, 0.66][color]
    }
    return negative
  }

  private func mean(_ picture: RenderedPicture, _ color: Int) -> Double {
    var sum = 0.0
    for row in 0..<picture.height {
      for column in 0..<picture.width { sum += Double(picture[row, column, color]) }
    }
    return sum / Double(picture.width * picture.height)
  }

  @Test func properties_stay_within_their_ranges() throws {
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

  @Test func what_the_file_does_not_offer_cannot_be_set() throws {
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

  @Test func turning_moves_pixels_alone() throws {
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
  func small_pictures_keep_their_light(scale: Float) throws {
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

  @Test func a_place_becomes_neutral() throws {
    var filter = try filter(mosaic)
    filter.colorSpace = .linearSRGB
    filter.sampleFormat = .float
    try filter.setNeutralLocation(x: 100, y: 90)
    let picture = try filter.outputImage()
    let (r, g, b) = (picture[90, 100, 0], picture[90, 100, 1], picture[90, 100, 2])
    #expect(abs(r / g - 1) < 0.02 && abs(b / g - 1) < 0.02, "\(r) \(g) \(b)")
    #expect(throws: RawDevelopError.self) { try filter.setNeutralLocation(x: 240, y: 0) }
  }

  @Test func the_white_is_that_of_the_profile_in_use() throws {
    var filter = try filter()
    let own = (filter.neutralChromaticity, filter.neutralTint)
    var other = try #require(filter.properties.profiles.first)
    // A camera that sees less green.
    for calibration in other.calibrations.indices {
      for place in 3..<6 { other.calibrations[calibration].colorMatrix[place] *= 0.8 }
    }
    filter.profile = other
    #expect(filter.neutralChromaticity != own.0 && abs(filter.neutralTint - own.1) > 1)
    let tint = filter.neutralTint
    filter.neutralTemperature = 4000
    #expect(filter.neutralTemperature == 4000 && filter.neutralTint == tint)
    // What is set stays with any profile.
    filter.profile = nil
    #expect(filter.neutralTemperature == 4000 && filter.neutralTint == tint)
    filter.neutralChromaticity = [0.33, 0.34]
    #expect(filter.neutralChromaticity == [0.33, 0.34] && filter.neutralTemperature != 4000)
  }

  @Test func light_beyond_white_stays() throws {
    var bright = ExampleNegative()
    bright.change = { $0[.baselineExposure] = ExampleNegative.rationals([2]) }
    var filter = try filter(bright)
    filter.colorSpace = .linearSRGB
    filter.sampleFormat = .half
    func greatest(_ amount: Float) throws -> Float {
      filter.extendedDynamicRangeAmount = amount
      let picture = try filter.outputImage()
      return (0..<picture.width).map { picture[4, $0, 1] }.max() ?? 0
    }
    #expect(try greatest(0) <= 1)
    #expect(try greatest(1) > 2)
    #expect(try greatest(2) > 4)
  }

  /// Colors beyond the gamut keep their hue; clipping turns it.
  @Test func gamut_mapping_keeps_hue() throws {
    var vivid = ExampleNegative()
    vivid.light = { _, column, component in
      let phase = Double(column) / 96 * 2 * .pi - Double(component) * 2 * .pi / 3
      return (0.28 + 0.26 * cos(phase)) * [0.52, 1, 0.66][component]
    }
    var filter = try filter(vivid)
    filter.colorSpace = .linearRec2020
    filter.sampleFormat = .float
    filter.isGamutMappingEnabled = false
    let wide = try filter.outputImage()
    filter.colorSpace = .linearSRGB
    filter.isGamutMappingEnabled = true
    let mapped = try filter.outputImage()
    var outside = 0
    for column in 0..<96 {
      let colors = (0..<3).map { Double(wide[30, column, $0]) }
      let toSRGB = ColorPrimaries.sRGB.fromXYZ * ColorPrimaries.rec2020.toXYZ
      let plain = toSRGB * colors
      guard plain.contains(where: { $0 < -0.002 || $0 > 1.002 }) else { continue }
      outside += 1
      let (before, after) = (
        Self.hue(plain), Self.hue((0..<3).map { Double(mapped[30, column, $0]) })
      )
      let turn = abs(remainder(before - after, 2 * .pi))
      // Of blue the dominant wavelength is kept, and not the hue in Oklab.
      let isBlue = abs(remainder(Self.hue(plain) - 255 * .pi / 180, 2 * .pi)) < .pi / 4
      #expect(turn < (isBlue ? 0.3 : 0.06), "column \(column): \(turn)")
    }
    #expect(outside > 10)
  }

  /// Deep blue a little beyond sRGB stays deep and blue: along equal hue and lightness the gamut is hollow
  /// there.
  @Test func gamut_mapping_leaves_no_patches_in_blue() throws {
    var deep = ExampleNegative()
    deep.light = { row, column, component in
      [0.02, 0.05, 0.1 + 0.5 * Double(column) / 96][component]
        * (component == 2 ? 1 : 1 + 0.2 * Double(row) / 64)
    }
    var filter = try filter(deep)
    filter.colorSpace = .linearSRGB
    filter.sampleFormat = .float
    filter.isGamutMappingEnabled = false
    let plain = try filter.outputImage()
    filter.isGamutMappingEnabled = true
    let mapped = try filter.outputImage()
    var outside = 0
    for column in 0..<96 {
      func light(_ picture: RenderedPicture, _ column: Int) -> [Double] {
        (0..<3).map { Double(picture[30, column, $0]) }
      }
      let (before, after) = (light(plain, column), light(mapped, column))
      // As cutting off would leave it.
      guard before[2] > 0.05 else { continue }
      outside += 1
      #expect(after[2] > 0.4 * min(before[2], 1), "column \(column): \(before) \(after)")
      #expect(after[2] > 6 * max(after[0], after[1]), "column \(column): \(before) \(after)")
      let next = light(mapped, min(column + 1, 95))
      #expect(abs(next[2] - after[2]) < 0.06, "column \(column): \(after) \(next)")
    }
    #expect(outside > 20)
  }

  /// The hue of linear sRGB in Oklab.
  private static func hue(_ c: [Double]) -> Double {
    let l = cbrt(max(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2], 0))
    let m = cbrt(max(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2], 0))
    let s = cbrt(max(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2], 0))
    let a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    let b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    return atan2(b, a)
  }

  /// A `.dcp` file may be big-endian and the photo not.
  @Test func tables_of_colors_are_read_in_the_order_of_their_profile() throws {
    func tables(isLittleEndian: Bool) -> [UInt8] {
      func number(_ value: Int, _ size: Int) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(value >> (8 * $0) & 255) }
        return isLittleEndian ? bytes : bytes.reversed()
      }
      // One table of two divisions and 16 bits in sRGB, which swaps red and blue.
      let corners = (0..<8).flatMap { [$0 & 1, $0 >> 1 & 1, $0 >> 2] }
      return number(1, 4) + number(0, 4) + number(0, 2) + [2, 1, 1, 0, 1]
        + corners.flatMap { number($0 * 65_535, 2) }
    }
    var filter = try filter()
    let plain = try filter.outputImage()
    var profile = try #require(filter.properties.profiles.first)
    var pictures: [RenderedPicture] = []
    for isLittleEndian in [true, false] {
      profile.rgbTables = tables(isLittleEndian: isLittleEndian)
      profile.isLittleEndian = isLittleEndian
      filter.profile = profile
      pictures.append(try filter.outputImage())
    }
    #expect(pictures[0] == pictures[1] && pictures[0] != plain)
  }

  @Test func histograms_count_every_sample() throws {
    let filter = try filter(mosaic)
    let linear = try filter.linearHistogram(bins: 64)
    #expect(linear.counts.map { $0.reduce(0, +) } == [12_000, 24_000, 12_000])
    let rendered = try filter.outputImage().histogram()
    #expect(rendered.counts.allSatisfy { $0.reduce(0, +) == 48_000 })
  }

  @Test func noise_reduction_takes_noise_and_leaves_edges() throws {
    var noisy = mosaic
    var generator = SeededGenerator(seed: 7)
    let noise = (0..<48_000).map { _ in
      (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
    }
    noisy.light = { row, column, color in
      let level = column < 120 ? 0.1 : 0.4
      return level * [0.5, 1, 0.66][color] + 0.02 * noise[row * 240 + column]
    }
    noisy.change = { $0[.noiseProfile] = .doubles([1e-6, 4e-4]) }
    var filter = try filter(noisy)
    func spread() throws -> (noise: Double, edge: Double) {
      let picture = try filter.outputImage()
      var values: [Double] = []
      for row in 60..<140 {
        for column in 30..<90 { values.append(Double(picture[row, column, 1])) }
      }
      let mean = values.reduce(0, +) / Double(values.count)
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
      let edge = (60..<140).reduce(0.0) {
        $0 + Double(picture[$1, 124, 1] - picture[$1, 115, 1]) / 80
      }
      return (variance.squareRoot(), edge)
    }
    let before = try spread()
    filter.luminanceNoiseReductionAmount = 1
    filter.colorNoiseReductionAmount = 1
    let after = try spread()
    #expect(after.noise < 0.5 * before.noise, "\(before.noise) to \(after.noise)")
    #expect(abs(after.edge / before.edge - 1) < 0.1, "\(before.edge) to \(after.edge)")
  }

  /// Fine waves of color, six pixels long: with noise reduction the picture is nearer to the one without noise.
  @Test func noise_reduction_leaves_fine_colors() throws {
    var clean = mosaic
    clean.light = { row, column, color in
      let wave = sin(Double(column) * .pi / 3) * cos(Double(row) * .pi / 3.9)
      return (0.35 + [0.08, 0, -0.08][color] * wave) * [0.5, 1, 0.66][color]
    }
    var noisy = clean
    var generator = SeededGenerator(seed: 9)
    let noise = (0..<48_000).map { _ in
      (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
    }
    let light = clean.light
    noisy.light = { row, column, color in
      light(row, column, color) + 0.007 * noise[row * 240 + column]
    }
    noisy.change = { $0[.noiseProfile] = .doubles([1e-7, 4.9e-5]) }
    var filter = try filter(noisy)
    let wanted = try self.filter(clean).outputImage()
    func error() throws -> Double {
      let picture = try filter.outputImage()
      var sum = 0.0
      for row in 20..<180 {
        for column in 20..<220 {
          for color in 0..<3 {
            let difference = Double(picture[row, column, color] - wanted[row, column, color])
            sum += difference * difference
          }
        }
      }
      return sum.squareRoot()
    }
    let untouched = try error()
    filter.luminanceNoiseReductionAmount = 1
    filter.colorNoiseReductionAmount = 1
    let reduced = try error()
    #expect(reduced < 0.97 * untouched, "\(reduced) of \(untouched)")
  }

  @Test func sharpening_raises_edges_without_halos() throws {
    var soft = ExampleNegative()
    soft.light = { _, column, color in
      let edge = 1 / (1 + exp(-(Double(column) - 48) / 0.7))
      return (0.08 + 0.3 * edge) * [0.52, 1, 0.66][color]
    }
    var filter = try filter(soft)
    let before = try filter.outputImage()
    filter.sharpnessAmount = 1
    let after = try filter.outputImage()
    func slope(_ picture: RenderedPicture) -> Float { picture[30, 49, 1] - picture[30, 47, 1] }
    #expect(slope(after) > 1.1 * slope(before))
    let top = (0..<96).map { after[30, $0, 1] }.max() ?? 0
    #expect(top < (before[30, 95, 1]) * 1.03)
  }

  /// A clipped color is rebuilt from the others: a bright warm surface stays warm.
  @Test func clipped_highlights_keep_their_color() throws {
    var clipped = mosaic
    clipped.light = { row, column, color in
      let level = 0.2 + 1.1 * Double(column) / 239
      return min(level * [0.45, 1, 0.5][color], 1)
    }
    var filter = try filter(clipped)
    filter.colorSpace = .linearSRGB
    filter.sampleFormat = .float
    filter.exposure = -1.5
    filter.isHighlightRecoveryEnabled = false
    let flat = try filter.outputImage()
    filter.isHighlightRecoveryEnabled = true
    let recovered = try filter.outputImage()
    // Green saturates from column 174 on: without recovery there is one white.
    #expect(abs(flat[100, 225, 1] - flat[100, 195, 1]) < 0.005)
    #expect(recovered[100, 225, 1] > recovered[100, 195, 1] + 0.01)
  }

  @Test func what_makes_no_sense_is_refused_by_name() throws {
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

  @Test func optional_opcodes_that_are_not_applied_are_named() throws {
    func list(_ opcode: UInt8, _ data: [UInt8]) -> TIFFValue {
      .undefined(
        [0, 0, 0, 1, 0, 0, 0, opcode, 1, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(data.count)] + data)
    }
    var example = ExampleNegative()
    let plain = try filter(example)
    #expect(plain.correctionsLeftOut.isEmpty)
    example.change = {
      // Of no number in the specification.
      $0[.opcodeList1] = list(98, [1, 2])
      $0[.opcodeList2] = list(99, [])
    }
    let filter = try filter(example)
    #expect(
      filter.correctionsLeftOut == [
        "opcode 98 is not known (DNG 1.3.0.0)", "opcode 99 is not known (DNG 1.3.0.0)",
      ])
    #expect(try filter.outputImage() == plain.outputImage())
  }
}
