/// What slices take together at each scale.
struct BytesByScale {
  /// Bytes that are there for what falls with the scale.
  private var bytes: Float
  private let curve: RateCurve
  private var dense: Float = 0
  private var sparse: Float = 0
  private var noise: Float = 0
  /// Macroblocks of noise by their place on ``NoiseCurve``.
  private var places = InlineArray<64, Float>(repeating: 0)
  /// Places are taken to be multiples of this.
  private static let step: Float = 1 / 12
  private static let first: Float = -1

  /// - Parameter bytes: Bytes that there are.
  init(bytes: Float, curve: RateCurve) {
    self.bytes = bytes
    self.curve = curve
  }

  /// Adds a slice; `factors` are those of about the scale that will come out.
  mutating func add(_ model: SliceModel, weight: Float, _ factors: SliceModel.Factors) {
    bytes -= model.remainder(factors, weight: weight)
    let complexity = model.complexity * weight
    switch model.kind {
    case .dense: dense += complexity
    case .sparse: sparse += complexity
    case .noise:
      noise += complexity
      let index = ((model.place - Self.first) / Self.step).clamped(to: 0...63)
      places[Int(index.rounded())] += model.macroblocks * weight
    }
  }

  /// The real scale, 1 to 512, at which all slices take what there is.
  func scale() -> Float {
    var (low, high): (Float, Float) = (1, 512)
    if sparse + noise < 0.01 * dense {
      let all = dense + sparse + noise
      return min(max(PortableMath.power(all / max(bytes, 1), 1 / curve.exponent), low), high)
    }
    for _ in 0..<20 {
      let middle = (low * high).squareRoot()
      if taken(curve.factors(scale: middle)) > bytes { low = middle } else { high = middle }
    }
    return low
  }

  private func taken(_ factors: SliceModel.Factors) -> Float {
    var sum = dense * factors.dense + sparse * factors.sparse
    guard noise > 0 else { return sum }
    for index in places.indices where places[index] > 0 {
      let place = Self.first + Float(index) * Self.step
      sum += places[index] * NoiseCurve.bytes(at: place + factors.place)
    }
    return sum
  }
}
