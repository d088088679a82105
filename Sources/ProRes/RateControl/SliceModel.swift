/// How many bytes a slice takes at each scale.
struct SliceModel {
  /// What decides how the bytes fall.
  enum Kind {
    /// Levels of all magnitudes: a power of the scale that is learned (``RateCurve``).
    case dense
    /// Few levels, nearly all of them ones (``SparseCurve``).
    case sparse
    /// Many levels, nearly all of them ones (``NoiseCurve``).
    case noise
  }

  /// Bytes at scale 1; those beyond ``least`` where the slice is not dense.
  var complexity: Float = 0
  private(set) var kind = Kind.dense
  /// Bytes that remain at any scale: the headers and mean levels of a flat picture.
  private var least: Float = 0
  private(set) var macroblocks: Float = 0

  /// The most that is taken to remain of a slice that is dense, for a macroblock.
  private static let leastBytes: Float = 3

  init() {}

  init(complexity: Float, macroblocks: Float, curve: SparseCurve) {
    self.complexity = complexity
    self.macroblocks = macroblocks
    kind = complexity < curve.limit * macroblocks ? .sparse : .dense
    least = kind == .sparse ? SparseCurve.leastMacroblockBytes * macroblocks : 0
  }

  /// Models a slice by the bytes that it took.
  ///
  /// - Parameter isNoise: True if it has many levels, nearly all of them 1.
  init(bytes: Int, at factors: Factors, macroblocks: Float, curve: SparseCurve, isNoise: Bool) {
    let bytes = Float(bytes)
    self.macroblocks = macroblocks
    least = min(bytes, SparseCurve.leastMacroblockBytes * macroblocks)
    complexity = (bytes - least) / factors.sparse
    kind = .sparse
    guard complexity >= curve.limit * macroblocks else { return }
    if isNoise {
      kind = .noise
      let place = NoiseCurve.place(bytes: (bytes - least) / macroblocks) - factors.place
      complexity = NoiseCurve.bytes(at: place) * macroblocks
    } else {
      kind = .dense
      complexity = bytes / factors.dense
      least = min(bytes, Self.leastBytes * macroblocks)
    }
  }

  /// What complexity is multiplied by to have the bytes at a scale.
  struct Factors {
    let dense: Float
    let sparse: Float
    /// How far the scale moves a slice on ``NoiseCurve``.
    let place: Float

    /// - Parameter exponent: The power of the scale with which bytes fall where levels are many.
    init(scale: Float, exponent: Float, sparse curve: SparseCurve) {
      dense = PortableMath.power(scale, -exponent)
      sparse = 1 / curve.divisor(scale: scale)
      place = Quantizer.place(scale: scale)
    }
  }

  /// Bytes at a real scale, where the part that falls is `weight` times as large.
  func bytes(_ factors: Factors, weight: Float = 1) -> Float {
    let scaled = weight * scaled(factors)
    return kind == .dense ? max(scaled, least) : least + scaled
  }

  /// Bytes at a real scale beyond those that fall with it.
  func remainder(_ factors: Factors, weight: Float = 1) -> Float {
    kind == .dense ? max(least - weight * scaled(factors), 0) : least
  }

  private func scaled(_ factors: Factors) -> Float {
    switch kind {
    case .dense: complexity * factors.dense
    case .sparse: complexity * factors.sparse
    case .noise: macroblocks * NoiseCurve.bytes(at: place + factors.place)
    }
  }

  /// Where the slice is on ``NoiseCurve`` at scale 1.
  var place: Float { NoiseCurve.place(bytes: complexity / macroblocks) }
}
