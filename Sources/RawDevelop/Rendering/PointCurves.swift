/// Curves through points as in Camera Raw: applied after the tone curve, to values in sRGB's transfer curve.
public struct PointCurves: Sendable, Hashable, Codable {
  /// A point of a curve; both coordinates are 0 to 1.
  public typealias Point = SIMD2<Double>

  /// The curve for all colors together, which preserves hue; empty for none.
  public var all: [Point] = []
  /// The curve of red; empty for none.
  public var red: [Point] = []
  /// The curve of green; empty for none.
  public var green: [Point] = []
  /// The curve of blue; empty for none.
  public var blue: [Point] = []

  public init() {}

  /// True if the curves change nothing.
  public var isStraight: Bool {
    [all, red, green, blue].allSatisfy { Self.function($0) == nil }
  }

  /// True if the points form a curve: two or more, with increasing inputs, all values 0 to 1.
  public static func areUsable(_ points: [Point]) -> Bool {
    points.count >= 2 && points.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) }
      && zip(points, points.dropFirst()).allSatisfy { $0.x < $1.x }
  }

  /// The curve as a function of linear light; nil if it changes nothing.
  static func function(_ points: [Point]) -> ((Double) -> Double)? {
    guard areUsable(points),
      !(points.allSatisfy { $0.x == $0.y } && points.first?.x == 0 && points.last?.x == 1)
    else { return nil }
    let spline = CubicSpline(points)
    return { light in
      let coded = spline(TransferCurve.sRGB.encode(light))
      return TransferCurve.sRGB.decode(min(max(coded, 0), 1))
    }
  }
}
