import MediaCore

/// DNG's ProfileToneCurve: points of a curve from linear light to output, both 0 to 1.
package struct ToneCurve: Hashable, Sendable {
  /// The points in order of input, from (0, 0) to (1, 1).
  package let points: [(input: Float, output: Float)]

  package static func == (lhs: ToneCurve, rhs: ToneCurve) -> Bool {
    lhs.points.elementsEqual(rhs.points) { $0 == $1 }
  }
  package func hash(into hasher: inout Hasher) {
    for point in points {
      hasher.combine(point.input)
      hasher.combine(point.output)
    }
  }

  /// A curve through the given points.
  ///
  /// - Throws: ``DNGError/Code/invalidArgument`` if inputs do not increase, or the ends are not (0, 0) and (1, 1).
  package init(points: [(input: Float, output: Float)]) throws(DNGError) {
    guard let first = points.first, let last = points.last, points.count >= 2,
      first == (0, 0), last == (1, 1),
      zip(points, points.dropFirst()).allSatisfy({ $0.input < $1.input && $0.output <= $1.output })
    else {
      throw DNGError(
        .invalidArgument, "a tone curve goes from (0, 0) to (1, 1) with increasing inputs")
    }
    self.points = points
  }

  package init(unchecked points: [(input: Float, output: Float)]) { self.points = points }
}
