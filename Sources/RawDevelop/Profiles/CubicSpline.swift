/// A curve through points with continuous second derivative, which is 0 at both ends (a natural spline), as the DNG
/// specification requires for ProfileToneCurve.
struct CubicSpline: Sendable {
  private let points: [SIMD2<Double>]
  /// Second derivatives at the points.
  private let bends: [Double]

  /// A curve through at least two points with increasing inputs.
  init(_ points: [SIMD2<Double>]) {
    self.points = points
    let count = points.count
    var bends = [Double](repeating: 0, count: count)
    var factors = bends
    // Solve the tridiagonal system by forward elimination and back substitution.
    for index in 1..<max(count - 1, 1) {
      let (left, here, right) = (points[index - 1], points[index], points[index + 1])
      let share = (here.x - left.x) / (right.x - left.x)
      let divisor = share * bends[index - 1] + 2
      bends[index] = (share - 1) / divisor
      let change =
        (right.y - here.y) / (right.x - here.x) - (here.y - left.y) / (here.x - left.x)
      factors[index] =
        (6 * change / (right.x - left.x) - share * factors[index - 1]) / divisor
    }
    if count > 2 {
      for index in stride(from: count - 2, through: 1, by: -1) {
        bends[index] = bends[index] * bends[index + 1] + factors[index]
      }
    }
    bends[0] = 0
    self.bends = bends
  }

  /// The curve's output; inputs beyond the ends return the ends' outputs.
  func callAsFunction(_ x: Double) -> Double {
    guard let first = points.first, let last = points.last else { return x }
    if x <= first.x { return first.y }
    if x >= last.x { return last.y }
    var (low, high) = (0, points.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if points[middle].x > x { high = middle } else { low = middle }
    }
    let width = points[high].x - points[low].x
    let (a, b) = ((points[high].x - x) / width, (x - points[low].x) / width)
    return a * points[low].y + b * points[high].y
      + ((a * a * a - a) * bends[low] + (b * b * b - b) * bends[high]) * width * width / 6
  }
}
