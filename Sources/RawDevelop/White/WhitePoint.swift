import Glibc

/// A white point: the color of a light, as a chromaticity or as temperature and tint.
///
/// Temperature and tint follow A. R. Robertson, "Computation of Correlated Color Temperature and Distribution
/// Temperature", JOSA 58 (1968), with the isotherms in Wyszecki and Stiles, "Color Science", 2nd edition, page 228.
/// A tint of 1 is 1/3000 in CIE 1960 uv; greater tints are greener.
public struct WhitePoint: Sendable, Hashable {
  /// CIE 1931 x.
  public var x: Double
  /// CIE 1931 y.
  public var y: Double

  /// D50, the white point of DNG's connection space.
  static let d50 = WhitePoint(x: 0.3457, y: 0.3585)
  /// D55, used if a file states no white point.
  static let d55 = WhitePoint(x: 0.3324, y: 0.3474)

  /// A white point from its chromaticity.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// A white point from temperature and tint.
  ///
  /// - Parameters:
  ///   - temperature: Kelvins, at least 1667.
  ///   - tint: 0 for a black body, positive to correct green light, negative to correct magenta light.
  public init(temperature: Double, tint: Double) {
    let reciprocal = 1e6 / max(temperature, 1)
    let rows = Self.isotherms
    let index =
      (0..<rows.count - 2).first { reciprocal < rows[$0 + 1].reciprocal } ?? rows.count - 2
    let (a, b) = (rows[index], rows[index + 1])
    let share = (b.reciprocal - reciprocal) / (b.reciprocal - a.reciprocal)
    let direction = (share * a.direction + (1 - share) * b.direction).unit
    let place =
      share * SIMD2(a.u, a.v) + (1 - share) * SIMD2(b.u, b.v) + direction * (tint / Self.tintScale)
    let divisor = place.x - 4 * place.y + 2
    self.init(x: 1.5 * place.x / divisor, y: place.y / divisor)
  }

  /// The correlated color temperature in kelvins.
  public var temperature: Double { temperatureAndTint.temperature }
  /// The distance from the black body's color.
  public var tint: Double { temperatureAndTint.tint }

  /// Temperature and tint together.
  public var temperatureAndTint: (temperature: Double, tint: Double) {
    let divisor = 1.5 - x + 6 * y
    let uv = SIMD2(2 * x / divisor, 3 * y / divisor)
    let rows = Self.isotherms
    var before = 0.0
    for index in 1..<rows.count {
      let (a, b) = (rows[index - 1], rows[index])
      let offset = uv - SIMD2(b.u, b.v)
      let isLast = index == rows.count - 1
      let distance = offset.y * b.direction.x - offset.x * b.direction.y
      guard distance <= 0 || isLast else {
        before = distance
        continue
      }
      let below = max(-distance, 0)
      let share = index == 1 ? 0 : below / (before + below)
      let reciprocal = share * a.reciprocal + (1 - share) * b.reciprocal
      let rest = uv - (share * SIMD2(a.u, a.v) + (1 - share) * SIMD2(b.u, b.v))
      let direction = (share * (index == 1 ? .zero : a.direction) + (1 - share) * b.direction).unit
      return (1e6 / reciprocal, (rest * direction).sum() * Self.tintScale)
    }
    return (1e6 / rows[rows.count - 1].reciprocal, 0)
  }

  /// XYZ of the white point, with Y = 1.
  var xyz: [Double] { [x / y, 1, (1 - x - y) / y] }

  /// A white point from XYZ; nil if it has no chromaticity.
  init?(xyz: [Double]) {
    let sum = xyz[0] + xyz[1] + xyz[2]
    guard sum.isFinite, sum > 0, xyz[1] > 0 else { return nil }
    self.init(x: xyz[0] / sum, y: xyz[1] / sum)
  }

  private static let tintScale = -3000.0

  private struct Isotherm {
    let reciprocal: Double
    let u: Double
    let v: Double
    let slope: Double

    var direction: SIMD2<Double> { SIMD2(1, slope).unit }
  }

  /// Reciprocal megakelvins, u, v and slope of each isotherm.
  private static let isotherms: [Isotherm] = [
    (0, 0.18006, 0.26352, -0.24341), (10, 0.18066, 0.26589, -0.25479),
    (20, 0.18133, 0.26846, -0.26876), (30, 0.18208, 0.27119, -0.28539),
    (40, 0.18293, 0.27407, -0.30470), (50, 0.18388, 0.27709, -0.32675),
    (60, 0.18494, 0.28021, -0.35156), (70, 0.18611, 0.28342, -0.37915),
    (80, 0.18740, 0.28668, -0.40955), (90, 0.18880, 0.28997, -0.44278),
    (100, 0.19032, 0.29326, -0.47888), (125, 0.19462, 0.30141, -0.58204),
    (150, 0.19962, 0.30921, -0.70471), (175, 0.20525, 0.31647, -0.84901),
    (200, 0.21142, 0.32312, -1.0182), (225, 0.21807, 0.32909, -1.2168),
    (250, 0.22511, 0.33439, -1.4512), (275, 0.23247, 0.33904, -1.7298),
    (300, 0.24010, 0.34308, -2.0637), (325, 0.24702, 0.34655, -2.4681),
    (350, 0.25591, 0.34951, -2.9641), (375, 0.26400, 0.35200, -3.5814),
    (400, 0.27218, 0.35407, -4.3633), (425, 0.28039, 0.35577, -5.3762),
    (450, 0.28863, 0.35714, -6.7262), (475, 0.29685, 0.35823, -8.5955),
    (500, 0.30505, 0.35907, -11.324), (525, 0.31320, 0.35968, -15.628),
    (550, 0.32129, 0.36011, -23.325), (575, 0.32931, 0.36038, -40.770),
    (600, 0.33724, 0.36051, -116.45),
  ].map { Isotherm(reciprocal: $0.0, u: $0.1, v: $0.2, slope: $0.3) }
}

extension SIMD2<Double> {
  fileprivate var unit: SIMD2<Double> { self / (self * self).sum().squareRoot() }
}
