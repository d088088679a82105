/// A choice below scale 3 for a slice whose levels are nearly all ones: an index, or an index with a
/// wider dead zone (``QuantizationIndex/sparse``).
struct Quantizer {
  /// The scale that it counts as.
  let scale: Float
  /// The index where levels are few.
  let sparse: UInt8
  /// The index where levels are many.
  let noise: UInt8
  /// How far it moves a slice on ``NoiseCurve``: a wider dead zone takes less where levels are many.
  let place: Float

  static let all = [
    Quantizer(scale: 1, sparse: 1, noise: 1, place: 0),
    Quantizer(scale: 4 / 3, sparse: 225, noise: 225, place: PortableMath.logarithm(1.14)),
    Quantizer(scale: 5 / 3, sparse: 226, noise: 228, place: PortableMath.logarithm(1.4)),
    Quantizer(scale: 2, sparse: 2, noise: 2, place: PortableMath.logarithm(2)),
    Quantizer(scale: 2.5, sparse: 227, noise: 227, place: PortableMath.logarithm(2.5)),
    Quantizer(scale: 3, sparse: 3, noise: 3, place: PortableMath.logarithm(3)),
  ]

  /// The one below or above a scale under 3, so that neighbors average it.
  ///
  /// - Parameter dither: 0 to 1.
  static func choose(scale: Float, dither: Float) -> Quantizer {
    let (below, above, part) = neighbors(scale: scale)
    return part >= 1 - dither ? above : below
  }

  /// How far a real scale moves a slice on ``NoiseCurve``.
  static func place(scale: Float) -> Float {
    guard scale < 3 else { return PortableMath.logarithm(scale) }
    let (below, above, part) = neighbors(scale: scale)
    return below.place + part * (above.place - below.place)
  }

  /// The scale that an index counts as.
  static func scale(index: Int) -> Float {
    all.first { Int($0.sparse) == index || Int($0.noise) == index }?.scale
      ?? Float(QuantizationIndex.scale(index))
  }

  /// The quantizers around a scale from 1 to 3, and how far it is from the one to the other.
  private static func neighbors(
    scale: Float
  ) -> (below: Quantizer, above: Quantizer, part: Float) {
    var below = all[0]
    for quantizer in all.dropFirst() {
      if scale < quantizer.scale {
        return (below, quantizer, max((scale - below.scale) / (quantizer.scale - below.scale), 0))
      }
      below = quantizer
    }
    return (below, below, 0)
  }
}
