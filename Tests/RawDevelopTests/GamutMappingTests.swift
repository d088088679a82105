import CRawKernels
import DNG
import Foundation
import Testing

@testable import RawDevelop

/// How bright colors outside the output's gamut are mapped.
@Suite struct GamutMappingTests {
  /// A plan with only the output's colors, and their conversion to Oklab.
  private struct Output {
    var plan = raw_develop()
    private let toLMS: Matrix3
    private let fromLMS: Matrix3
    private let fromRIMM: Matrix3

    init(_ primaries: ColorPrimaries) {
      let sRGBToLMS =
        Matrix3([
          0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566,
          0.0883024619, 0.2817188376, 0.6299787005,
        ]) ?? .identity
      toLMS = sRGBToLMS * ColorPrimaries.sRGB.fromXYZ * primaries.toXYZ
      fromLMS = toLMS.inverse ?? .identity
      fromRIMM = primaries.fromXYZ * ColorPrimaries.proPhoto.toXYZ
      Self.store(fromRIMM, &plan.output)
      Self.store(toLMS, &plan.to_lms)
      Self.store(fromLMS, &plan.from_lms)
      let light = (0..<3).map { Float(primaries.toXYZ[1, $0]) }
      plan.luminance = (light[0], light[1], light[2])
      plan.maps_gamut = 1
    }

    private static func store<Nine>(_ matrix: Matrix3, _ nine: inout Nine) {
      withUnsafeMutableBytes(of: &nine) { bytes in
        for (index, element) in matrix.elements.enumerated() {
          bytes.storeBytes(of: Float(element), toByteOffset: 4 * index, as: Float.self)
        }
      }
    }

    /// Linear output from linear RIMM, both 0 to 1.
    func rendered(_ light: [[Double]]) -> [[Double]] {
      var planes = (0..<3).map { color in light.map { Float($0[color]) } }
      var (red, green, blue) = (planes[0], planes[1], planes[2])
      withUnsafePointer(to: plan) {
        raw_develop_look($0, light.count, nil, &red, &green, &blue)
      }
      planes = [red, green, blue]
      return light.indices.map { pixel in planes.map { Double($0[pixel]) } }
    }

    /// The same without clipping.
    func unbounded(_ light: [Double]) -> [Double] { fromRIMM * light }

    /// Lightness, chroma and hue in Oklab.
    func color(_ rgb: [Double]) -> (lightness: Double, chroma: Double, hue: Double) {
      let root = (toLMS * rgb).map { cbrt(max($0, 0)) }
      let a = 1.9779984951 * root[0] - 2.4285922050 * root[1] + 0.4505937099 * root[2]
      let b = 0.0259040371 * root[0] + 0.7827717662 * root[1] - 0.8086757660 * root[2]
      return (
        0.2104542553 * root[0] + 0.7936177850 * root[1] - 0.0040720468 * root[2], hypot(a, b),
        atan2(b, a)
      )
    }

    /// The distance to the nearest color of the same hue in the gamut.
    func leastDistance(_ color: (lightness: Double, chroma: Double, hue: Double)) -> Double {
      var least = Double.infinity
      for lightness in stride(from: 0, through: 1, by: 0.004) {
        var (inside, outside) = (0.0, color.chroma)
        for _ in 0..<14 {
          let chroma = (inside + outside) / 2
          let (a, b) = (chroma * cos(color.hue), chroma * sin(color.hue))
          let root = [
            lightness + 0.3963377774 * a + 0.2158037573 * b,
            lightness - 0.1055613458 * a - 0.0638541728 * b,
            lightness - 0.0894841775 * a - 1.2914855480 * b,
          ]
          let rgb = fromLMS * root.map { $0 * $0 * $0 }
          if rgb.allSatisfy({ (-1e-4...1.0001).contains($0) }) {
            inside = chroma
          } else {
            outside = chroma
          }
        }
        least = min(least, hypot(lightness - color.lightness, inside - color.chroma))
      }
      return least
    }
  }

  /// Lamps with colors of Rec. 2020, at an image's greatest brightness.
  @Test(
    arguments: [ColorPrimaries.sRGB, .displayP3, .adobeRGB],
    [[1, 0, 0], [1, 0.25, 0], [1, 0.55, 0], [1, 1, 0], [1, 0, 1], [1, 0.05, 0.4]])
  func bright_saturated_light_maps_near_the_closest_gamut_color(
    primaries: ColorPrimaries, lamp: [Double]
  ) {
    let output = Output(primaries)
    let toRIMM = ColorPrimaries.proPhoto.fromXYZ * ColorPrimaries.rec2020.toXYZ
    let light = (toRIMM * lamp).map { max($0, 0) }
    let bright = light.map { $0 / (light.max() ?? 1) }
    let before = output.color(output.unbounded(bright))
    let after = output.color(output.rendered([bright])[0])
    let distance = hypot(after.lightness - before.lightness, after.chroma - before.chroma)
    let least = output.leastDistance(before)
    #expect(distance < 1.1 * least + 0.005, "\(before) \(after), \(least)")
    #expect(abs(remainder(after.hue - before.hue, 2 * .pi)) < 0.02, "\(before) \(after)")
  }

  /// As light rises past white in steps of a 256th of a stop, no color changes by a visible step.
  @Test(arguments: [ColorPrimaries.sRGB, .displayP3, .rec2020])
  func colors_desaturate_smoothly_as_light_rises(primaries: ColorPrimaries) {
    let output = Output(primaries)
    for saturation in [1, 0.9, 0.7] {
      for hue in 0..<60 {
        let pure = [0.0, 2, 4].map { place in
          min(max(abs(remainder(Double(hue) / 10 - place, 6)), 1), 2) - 1
        }
        let ramp = (-128...384).map { step in
          pure.map { min((1 - saturation * $0) * exp2(Double(step) / 256), 1) }
        }
        let codes = output.rendered(ramp).map { $0.map { 255 * TransferCurve.sRGB.encode($0) } }
        let steps = zip(codes, codes.dropFirst()).map { one, next in
          zip(one, next).map { abs($0 - $1) }.max() ?? 0
        }
        let most = steps.max() ?? 0
        #expect(most < 8, "hue \(hue), saturation \(saturation): \(most) codes")
      }
    }
  }

  @Test(arguments: [ColorPrimaries.sRGB, .adobeRGB])
  func a_color_maps_equally_alone_and_among_others(primaries: ColorPrimaries) {
    var output = Output(primaries)
    let steps = [0.0, 0.02, 0.2, 0.6, 0.9, 1]
    let light = steps.flatMap { red in
      steps.flatMap { green in steps.map { [red, green, $0] } }
    }
    let together = output.rendered(light)
    #expect(together == light.map { output.rendered([$0])[0] })
    output.plan.maps_gamut = 0
    let changed = zip(together, output.rendered(light)).count { $0 != $1 }
    #expect(changed > light.count / 3)
  }

  @Test func grays_are_unchanged() {
    var output = Output(.sRGB)
    let grays = (0...1000).map { [Double](repeating: Double($0) / 1000, count: 3) }
    let mapped = output.rendered(grays)
    output.plan.maps_gamut = 0
    #expect(mapped == output.rendered(grays))
  }
}
