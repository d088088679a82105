import DNG

extension ToneCurve {
  /// A slight increase of contrast around middle gray: an S curve of 4 % in perceptual steps.
  static let standard = ToneCurve(
    unchecked: (0...32).map { index in
      let step = Double(index) / 32
      let bent = step - 0.035 * .sine(2 * .pi * step)
      let end = index == 0 || index == 32
      return (
        Float(end ? step : .pow(step, 2.2)), Float(end ? step : .pow(bent, 2.2))
      )
    })

  /// The curve sampled at evenly spaced inputs, by a monotone cubic through the points.
  func table(_ count: Int) -> [Float] {
    let slopes = Self.slopes(points)
    var segment = 0
    return (0..<count).map { index in
      let x = Float(index) / Float(count - 1)
      while segment < points.count - 2, x > points[segment + 1].input { segment += 1 }
      let (a, b) = (points[segment], points[segment + 1])
      let width = b.input - a.input
      let t = (x - a.input) / width
      let (t2, t3) = (t * t, t * t * t)
      let y =
        a.output * (2 * t3 - 3 * t2 + 1) + b.output * (3 * t2 - 2 * t3)
        + width * (slopes[segment] * (t3 - 2 * t2 + t) + slopes[segment + 1] * (t3 - t2))
      return min(max(y, 0), 1)
    }
  }

  private static func slopes(_ points: [(input: Float, output: Float)]) -> [Float] {
    let secants = zip(points, points.dropFirst()).map {
      ($1.output - $0.output) / ($1.input - $0.input)
    }
    return points.indices.map { index in
      guard index > 0, index < points.count - 1 else {
        return index == 0 ? secants[0] : secants[secants.count - 1]
      }
      let (left, right) = (secants[index - 1], secants[index])
      return left * right <= 0 ? 0 : 2 * left * right / (left + right)
    }
  }
}
