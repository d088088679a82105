/// How the bytes of sparse slices fall with the scale: of those that have few levels, nearly all of them ones.
///
/// Such a slice has a part that stays (its header and mean levels) and a part that falls quickly:
/// how quickly depends on the weights, which decide how many levels are left to go.
struct SparseCurve: Sendable {
  /// A slice is sparse with fewer bytes a macroblock than this at scale 1, those that stay not counted.
  let limit: Float
  /// Logarithms of what bytes are divided by from one ``Quantizer`` to the next.
  private let steps: [Float]

  /// The least that the header and mean levels of a macroblock take, in a slice of eight.
  static let leastMacroblockBytes: Float = 2.15

  /// The steps were found on dark gradients, by encoding all slices with each quantizer.
  init(_ profile: ProResProfile) {
    let steps: [Float]
    switch profile {
    case .proxy: (limit, steps) = (13.5, [1.05, 1.20, 1.44, 1.08, 1.33])
    case .lt: (limit, steps) = (19, [1.33, 1.09, 1.79, 1.12, 1.29])
    case .standard: (limit, steps) = (28, [1.61, 1.27, 1.83, 1.19, 1.31])
    case .hq: (limit, steps) = (110, [1.45, 2.16, 1.95, 1.94, 1.21])
    case .p4444, .xq: (limit, steps) = (45, [1.45, 2.16, 1.95, 1.94, 1.21])
    }
    self.steps = steps.map { PortableMath.logarithm($0) }
  }

  /// What bytes at scale 1 are divided by at a real scale.
  func divisor(scale: Float) -> Float {
    var sum: Float = 0
    var below = Quantizer.all[0].scale
    for (quantizer, step) in zip(Quantizer.all.dropFirst(), steps) {
      guard scale < quantizer.scale else {
        sum += step
        below = quantizer.scale
        continue
      }
      return PortableMath.exponential(sum + step * (scale - below) / (quantizer.scale - below))
    }
    return PortableMath.exponential(sum) * PortableMath.power(scale / below, 0.75)
  }
}
