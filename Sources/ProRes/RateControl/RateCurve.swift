/// How steeply bytes fall with the scale, learned from slices whose scale has changed.
///
/// The power is about 0.5 where levels are large and few, 0.75 in most pictures, and up to 1.6
/// where most levels are about to become zero. With a wrong one the scale swings from wave to wave.
struct RateCurve {
  private(set) var exponent = Self.usual
  /// The curve of slices from which nothing was learned.
  let sparse: SparseCurve
  /// Of each index.
  private(set) var factors: [SliceModel.Factors]
  private var products: Float = 0
  private var squares: Float = 0
  private var weight: Float = 0
  /// Of the last change.
  private var difference: Float = 0

  /// The scale that each index counts as.
  private static let scalesOfIndices = (0...QuantizationIndex.sparse.upperBound).map {
    Quantizer.scale(index: max($0, 1))
  }
  private static let range: ClosedRange<Float> = 0.5...1.5
  /// The power in most pictures.
  private static let usual: Float = 0.75
  private static let logarithms = scalesOfIndices.map { PortableMath.logarithm($0) }

  init(_ profile: ProResProfile) {
    let sparse = SparseCurve(profile)
    self.sparse = sparse
    factors = Self.scalesOfIndices.map {
      SliceModel.Factors(scale: $0, exponent: Self.usual, sparse: sparse)
    }
  }

  func factors(scale: Float) -> SliceModel.Factors {
    SliceModel.Factors(scale: scale, exponent: exponent, sparse: sparse)
  }

  /// Takes in what a slice needed in two frames at two indices.
  mutating func learn(
    from old: (bytes: Float, index: UInt8), to new: (bytes: Float, index: UInt8),
    macroblocks: Float
  ) {
    // Slices of a few bytes hardly shrink with a coarser quantizer.
    guard old.index != new.index, min(old.bytes, new.bytes) > 6 * macroblocks else { return }
    let step = Self.logarithms[Int(new.index)] - Self.logarithms[Int(old.index)]
    let ratio = old.bytes / new.bytes
    // So large a change comes from other content, not from the quantizer.
    guard ratio > 0.25, ratio < 4 else { return }
    // The squares weigh large steps, the bytes what counts.
    products += new.bytes * step * PortableMath.logarithm(ratio)
    squares += new.bytes * step * step
    weight += new.bytes
  }

  /// Forgets what other pictures have taught.
  mutating func reset() {
    (products, squares, weight) = (0, 0, 0)
    difference = Self.usual - exponent
    exponent = Self.usual
    factors = Self.scalesOfIndices.map { factors(scale: $0) }
  }

  /// Follows what the last frame has taught; true where the exponent has changed.
  mutating func update() -> Bool {
    defer { (products, squares, weight) = (0, 0, 0) }
    // Of steps under a tenth the content's own changes are larger than their effect.
    guard weight > 0, squares > 0.01 * weight else { return false }
    let wanted = (products / squares).clamped(to: Self.range)
    difference = (wanted - exponent) / 2
    guard abs(difference) > 0.01 else { return false }
    exponent += difference
    factors = Self.scalesOfIndices.map { factors(scale: $0) }
    return true
  }

  /// What a complexity measured at an index is to be multiplied by after the exponent's change.
  func change(index: Int) -> Float { PortableMath.exponential(Self.logarithms[index] * difference) }
}
