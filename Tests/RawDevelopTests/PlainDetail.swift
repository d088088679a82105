import CRawKernels
import Foundation

/// Noise reduction and sharpening of a square of light, each step over the whole square: the reference for the
/// kernel in the middle, far enough from the edges for every step.
struct PlainDetail {
  static let side = 136
  var planes: [[Float]]
  let settings: raw_detail

  private typealias Plane = [Float]
  private var white: [Float] { [settings.white.0, settings.white.1, settings.white.2] }
  private var slopes: [Float] {
    [settings.noise_slope.0, settings.noise_slope.1, settings.noise_slope.2]
  }
  private var floors: [Float] {
    [settings.noise_floor.0, settings.noise_floor.1, settings.noise_floor.2]
  }

  mutating func work() {
    if settings.luminance_noise > 0 || settings.color_noise > 0 || settings.moire > 0
      || settings.structure > 0
    {
      reduceNoise()
    }
    if settings.sharpness > 0 { sharpen() }
  }

  // MARK: Filters

  /// Weighted sums of samples at steps around each one, along rows and then columns.
  private func filtered(_ plane: Plane, _ weights: Plane, step: Int = 1) -> Plane {
    let (side, reach) = (Self.side, weights.count / 2)
    func pass(_ source: Plane, _ stride: Int) -> Plane {
      var result = Plane(repeating: 0, count: source.count)
      source.withUnsafeBufferPointer { source in
        for index in source.indices {
          let place = stride == 1 ? index % side : index / side
          var sum: Float = 0
          for tap in 0..<weights.count {
            let other = min(max(place + (tap - reach) * step, 0), side - 1)
            sum += weights[tap] * source[index + (other - place) * stride]
          }
          result[index] = sum
        }
      }
      return result
    }
    return pass(pass(plane, 1), side)
  }

  // MARK: Noise

  private mutating func reduceNoise() {
    let scales = (0..<3).map { max(slopes[$0] / white[$0], 1e-7) }
    let offsets = (0..<3).map { max(floors[$0], 0) / (white[$0] * white[$0]) }
    let equal = (0..<3).map { color -> Plane in
      let (scale, offset, level) = (scales[color], offsets[color], white[color])
      return planes[color].map { light -> Float in
        let variance: Float = scale * light / level + 0.375 * scale * scale + offset
        return 2 / scale * max(variance, 0).squareRoot()
      }
    }
    // An orthonormal transform to brightness and two colors.
    let axes: [Plane] = [
      [0.57735027, 0.57735027, 0.57735027], [0.70710678, 0, -0.70710678],
      [0.40824829, -0.81649658, 0.40824829],
    ]
    let parts = axes.map { axis -> Plane in
      equal[0].indices.map { index -> Float in
        let (red, green) = (axis[0] * equal[0][index], axis[1] * equal[1][index])
        return red + green + axis[2] * equal[2][index]
      }
    }
    let kept = shrunk(parts)
    for color in 0..<3 {
      let (scale, level) = (scales[color], white[color])
      let shift: Float = scale / 8 + offsets[color] / scale
      planes[color] = kept[0].indices.map { index -> Float in
        var value: Float = 0
        for part in 0..<3 { value += axes[part][color] * kept[part][index] }
        let half = max(value, 0) / 2
        return (half * half * scale - shift) * level
      }
    }
  }

  /// What counts as noise of 1 at each level, in brightness and in two colors.
  private static let whiteNoise: [Plane] = [
    [1.1903, 0.0604, 0.0110, 0.0026], [0.9919, 0.0504, 0.0092, 0.0021],
    [0.9919, 0.0504, 0.0092, 0.0021],
  ]
  private static let interpolatedNoise: [Plane] = [
    [2.1962, 0.1838, 0.0347, 0.0084], [0.2007, 0.0841, 0.0392, 0.0125],
    [0.0900, 0.0545, 0.0265, 0.0082],
  ]

  private func shrunk(_ parts: [Plane]) -> [Plane] {
    let energies = settings.is_interpolated != 0 ? Self.interpolatedNoise : Self.whiteNoise
    let spline: Plane = [1, 4, 6, 4, 1].map { $0 / 16 }
    var brightness: Plane = []
    return parts.enumerated().map { color, part in
      let amount =
        color == 0 ? settings.luminance_noise : settings.color_noise
      var (rest, sum) = (part, Plane(repeating: 0, count: part.count))
      for (level, noiseEnergy) in energies[color].enumerated() {
        let coarse = filtered(rest, spline, step: 1 << level)
        let band = zip(rest, coarse).map { $0 - $1 }
        let energy = filtered(band.map { $0 * $0 }, Plane(repeating: 0.2, count: 5))
        if color == 0, level == 0 { brightness = energy }
        let structure: Float = level == 0 ? 0.15 : level < 3 ? 0.3 : 0.1
        let moire: Float = color > 0 && level < 3 ? settings.moire : 0
        let boost: Float = color > 0 ? 1 : 1 + settings.structure * structure
        let noise: Float = amount * noiseEnergy
        for index in sum.indices {
          let share = max(1 - noise / energy[index], 0)
          let suspect = moire * brightness[index] / (brightness[index] + energy[index])
          sum[index] += band[index] * share * (1 - suspect) * boost
        }
        rest = coarse
      }
      return zip(rest, sum).map { $0 + $1 }
    }
  }

  // MARK: Edges

  private mutating func sharpen() {
    let side = Self.side
    let light = planes[0].indices.map { index -> Float in
      let (red, blue) = (planes[0][index] / white[0] / 4, planes[2][index] / white[2] / 4)
      return max(red + planes[1][index] / white[1] / 2 + blue, 1e-4)
    }
    let spread: Plane = [0.0171, 0.2224, 0.5210, 0.2224, 0.0171]
    var guess = light
    for _ in 0..<7 {
      let ratio = zip(light, filtered(guess, spread)).map { $0 / max($1, 1e-4) }
      guess = zip(guess, filtered(ratio, spread)).map { $0 * $1 }
    }
    for row in side / 2 - 4..<side / 2 + 4 {
      for column in side / 2 - 4..<side / 2 + 4 {
        let index = row * side + column
        let around = (-1...1).flatMap { y in (-1...1).map { light[index + y * side + $0] } }
        guard let low = around.min(), let high = around.max() else { continue }
        let room = (high - low) / 4
        let sharp = max(min(guess[index], high + room), max(low - room, 1e-4))
        let level = light[index] + 0.01
        let change = (high - low) / level
        let variance: Float =
          slopes[1] / white[1] * light[index] + floors[1] / (white[1] * white[1])
        let noise: Float = 18 * variance / (level * level)
        let weight: Float = change * change / (change * change + 4e-4 + noise)
        let factor = 1 + settings.sharpness * weight * (sharp / light[index] - 1)
        for color in 0..<3 { planes[color][index] *= factor }
      }
    }
  }
}
