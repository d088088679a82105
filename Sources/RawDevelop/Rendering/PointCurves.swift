/// Curves through points, as Camera Raw has them: after the tone curve, in sRGB's transfer curve.
public struct PointCurves: Sendable, Hashable, Codable {
  /// A point of a curve: both numbers 0 to 1.
  public typealias Point = SIMD2<Double>

  /// The curve of all colors at once, which keeps hue; empty for none.
  public var all: [Point] = []
  /// The curve of red; empty for none.
  public var red: [Point] = []
  /// The curve of green; empty for none.
  public var green: [Point] = []
  /// The curve of blue; empty for none.
  public var blue: [Point] = []

  /// No curves.
  public init() {}

  /// True for curves that change nothing.
  public var isStraight: Bool {
    [all, red, green, blue].allSatisfy { Self.function($0) == nil }
  }

  /// True for points that make a curve: two or more, whose inputs grow, all numbers 0 to 1.
  public static func areUsable(_ points: [Point]) -> Bool {
    points.count >= 2 && points.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) }
      && zip(points, points.dropFirst()).allSatisfy { $0.x < $1.x }
  }

  /// What a curve does to linear light; nil for one that does nothing.
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
