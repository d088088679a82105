import DNG
import Foundation
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// What gamut mapping, noise reduction, sharpening and highlight recovery change in an image, and what they
/// leave unchanged.
struct RAWFilterProcessingTests: RAWFilterRig {
  /// Colors outside the gamut keep their hue; clipping shifts it.
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
      // Blue keeps its dominant wavelength, not its hue in Oklab.
      let isBlue = abs(remainder(Self.hue(plain) - 255 * .pi / 180, 2 * .pi)) < .pi / 4
      #expect(turn < (isBlue ? 0.3 : 0.06), "column \(column): \(turn)")
    }
    #expect(outside > 10)
  }

  /// Deep blue just outside sRGB stays deep and blue: the gamut is concave there at constant hue and lightness.
  @Test func gamut_mapping_keeps_deep_blue_smooth() throws {
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
      func light(_ image: RenderedImage, _ column: Int) -> [Double] {
        (0..<3).map { Double(image[30, column, $0]) }
      }
      let (before, after) = (light(plain, column), light(mapped, column))
      // As clipping would leave it.
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

  @Test func noise_reduction_lowers_noise_and_keeps_edges() throws {
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
      let image = try filter.outputImage()
      var values: [Double] = []
      for row in 60..<140 {
        for column in 30..<90 { values.append(Double(image[row, column, 1])) }
      }
      let mean = values.reduce(0, +) / Double(values.count)
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
      let edge = (60..<140).reduce(0.0) {
        $0 + Double(image[$1, 124, 1] - image[$1, 115, 1]) / 80
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

  /// Fine color waves, six pixels long: noise reduction brings the image closer to the noise-free one.
  @Test func noise_reduction_preserves_fine_colors() throws {
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
      let image = try filter.outputImage()
      var sum = 0.0
      for row in 20..<180 {
        for column in 20..<220 {
          for color in 0..<3 {
            let difference = Double(image[row, column, color] - wanted[row, column, color])
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
    func slope(_ image: RenderedImage) -> Float { image[30, 49, 1] - image[30, 47, 1] }
    #expect(slope(after) > 1.1 * slope(before))
    let top = (0..<96).map { after[30, $0, 1] }.max() ?? 0
    #expect(top < (before[30, 95, 1]) * 1.03)
  }

  /// Lens shading that opcodes remove is not contrast of the scene.
  @Test(arguments: [1, 3], [1, 0.5] as [Float])
  func local_contrast_is_measured_after_corrections(components: Int, scale: Float) throws {
    func image(shaded: Bool) throws -> RenderedImage {
      var negative = ExampleNegative()
      negative.components = components
      let gains = (0..<96).map { 1 + 3 * Double($0) / 95 }
      negative.light = { row, column, color in
        let light = 0.05 + 0.12 * Double(column / 40 % 2 ^ row / 40 % 2)
        return light * [0.52, 1, 0.66][color] / (shaded ? gains[column] : 1)
      }
      if shaded {
        let area = [0, 0, 64, 96, 0, components, 1, 1].flatMap(OpcodeBytes.long)
        let values = OpcodeBytes.long(96) + OpcodeBytes.floats(gains.map { Float($0) })
        negative.change = {
          $0[.opcodeList2] = .undefined(OpcodeBytes.list([(13, area + values)]))
        }
      }
      var filter = try filter(negative)
      filter.contrastAmount = 1
      filter.scaleFactor = scale
      return try filter.outputImage()
    }
    let (wanted, corrected) = (try image(shaded: false), try image(shaded: true))
    for (row, column) in [(0.1, 0.1), (0.5, 0.05), (0.5, 0.95), (0.9, 0.5), (0.2, 0.9)] {
      let (y, x) = (Int(Double(wanted.height) * row), Int(Double(wanted.width) * column))
      for color in 0..<3 {
        let (a, b) = (wanted[y, x, color], corrected[y, x, color])
        #expect(abs(a - b) < 0.01, "\(y), \(x): \(b), not \(a)")
      }
    }
  }

  /// A clipped color is rebuilt from the others, so a bright warm surface stays warm.
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
    // Green saturates from column 174: without recovery, everything after is the same white.
    #expect(abs(flat[100, 225, 1] - flat[100, 195, 1]) < 0.005)
    #expect(recovered[100, 225, 1] > recovered[100, 195, 1] + 0.01)
  }
}
