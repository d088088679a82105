import DNG
import Glibc
import RawDevelop

/// Converts light to BT.2100 signal values.
struct HighRangeCurve: Sendable {
  /// The luminance of white in an HDR image, in nits (BT.2408).
  static let whiteNits = 203.0
  /// The luminance of PQ's greatest value, in nits.
  static let pqPeak = 10_000.0
  /// The peak luminance of HLG's nominal display, in nits.
  static let hlgPeak = 1_000.0

  private let range: ImageDynamicRange
  private let matrix: [Float]
  /// The image's values to light with white at 1; nil if they already are linear.
  private let decode: CurveTable?

  /// The curve for images in a color space.
  init(_ range: ImageDynamicRange, _ space: ImageColorSpace) {
    self.range = range
    matrix = Chromaticities(space.primaries).matrix(to: Chromaticities(.rec2020)).elements.map {
      Float($0)
    }
    let curve = space.curve
    decode = curve == .linear ? nil : CurveTable { curve.decode($0) }
  }

  /// The PQ value of light with white at 1 (BT.2100 table 4).
  static let pq = CurveTable { light in
    let power = pow(light * whiteNits / pqPeak, 2610.0 / 16_384)
    return pow(
      (3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
  }

  /// The HLG value of scene light from 0 to 1 (BT.2100 table 5).
  static let hlg = CurveTable { light in
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    return light <= 1.0 / 12 ? (3 * light).squareRoot() : a * log(12 * light - b) + c
  }

  /// Display light divided by this is scene light: its luminance to the power of 1/6.
  private static let sceneDivisor = CurveTable { pow($0, 0.2 / 1.2) }

  /// Converts interleaved pixels to BT.2100 values from 0 to 1; returns how many were clipped.
  func apply(_ pixels: UnsafeMutablePointer<Float>, count: Int) -> Int {
    var cut = 0
    for index in 0..<count {
      var (r, g, b) = (pixels[3 * index], pixels[3 * index + 1], pixels[3 * index + 2])
      if let decode { (r, g, b) = (decode[r], decode[g], decode[b]) }
      let red = matrix[0] * r + matrix[1] * g + matrix[2] * b
      let green = matrix[3] * r + matrix[4] * g + matrix[5] * b
      let blue = matrix[6] * r + matrix[7] * g + matrix[8] * b
      let color = range == .pq ? SIMD3(red, green, blue) : scene(red, green, blue)
      for component in 0..<3 {
        let number = range == .pq ? Self.pq[color[component]] : Self.hlg[color[component]]
        // Rounding may leave tiny values below black; losing them is harmless.
        if color[component] < -1e-4 || number > 1.0001 { cut += 1 }
        pixels[3 * index + component] = min(max(number, 0), 1)
      }
    }
    return cut
  }

  /// The scene light that a display with a system gamma of 1.2 shows as this light.
  @inline(__always)
  private func scene(_ red: Float, _ green: Float, _ blue: Float) -> SIMD3<Float> {
    let color = SIMD3(red, green, blue) * Float(Self.whiteNits / Self.hlgPeak)
    let brightness = 0.2627 * color.x + 0.6780 * color.y + 0.0593 * color.z
    guard brightness > 1e-9 else { return SIMD3(repeating: 0) }
    return color / Self.sceneDivisor[brightness]
  }
}
