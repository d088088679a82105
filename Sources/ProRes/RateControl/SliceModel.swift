#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// How many bytes a slice takes at each scale.
struct SliceModel {
  /// Bytes at scale 1.
  var complexity: Float = 0
  /// True where nearly all levels are ones: then most are gone at scale 2.
  private(set) var isSparse = false
  /// Bytes that remain at any scale: the headers and mean levels of a flat picture.
  private var least: Float = 0

  /// The most that is taken to remain, for a macroblock.
  private static let leastBytes: Float = 3

  /// Of sparse slices, for a macroblock at scale 1.
  private static let sparseBytes: Float = 45

  /// What the bytes of sparse slices are divided by from index 1 to the first dead zone, to the
  /// second, and to index 2; found on dark gradients.
  private static let sparseSteps: [Float] = [1.4, 2, 1.75]

  init() {}

  init(complexity: Float, macroblocks: Float) {
    self.complexity = complexity
    isSparse = complexity < Self.sparseBytes * macroblocks
  }

  /// What a slice must be like that took so many bytes.
  init(bytes: Int, at divisors: Divisors, macroblocks: Float) {
    self.init(complexity: Float(bytes) * divisors.sparse, macroblocks: macroblocks)
    if !isSparse { complexity = Float(bytes) * divisors.dense }
    least = min(Float(bytes), Self.leastBytes * macroblocks)
  }

  /// What complexity is divided by to have the bytes at a scale.
  struct Divisors {
    let dense: Float
    let sparse: Float

    /// The dead zones count as scales of 1 1/3 and 1 2/3.
    ///
    /// - Parameter exponent: The power of the scale with which bytes fall where levels are many.
    init(scale: Float, exponent: Float) {
      dense = powf(scale, exponent)
      var sparse: Float = 1
      for (index, step) in sparseSteps.enumerated() {
        sparse *= powf(step, min(max((scale - 1) * 3 - Float(index), 0), 1))
      }
      self.sparse = scale > 2 ? sparse * powf(scale / 2, 0.75) : sparse
    }
  }

  /// The scale that each index counts as.
  static let scalesOfIndices = (0...QuantizationIndex.sparse.upperBound).map { index in
    QuantizationIndex.sparse.contains(index)
      ? 1 + Float(index - 224) / 3 : Float(QuantizationIndex.scale(max(index, 1)))
  }

  /// Bytes at a real scale.
  func bytes(_ divisors: Divisors) -> Float { max(scaled(divisors), least) }

  /// Bytes at a real scale beyond those that fall with it.
  func remainder(_ divisors: Divisors) -> Float { max(least - scaled(divisors), 0) }

  private func scaled(_ divisors: Divisors) -> Float {
    complexity / (isSparse ? divisors.sparse : divisors.dense)
  }

  /// The real scale, 1 to 512, at which slices of so much complexity take `bytes` together.
  static func scale(dense: Float, sparse: Float, bytes: Float, exponent: Float) -> Float {
    var (low, high): (Float, Float) = (1, 512)
    if sparse < 0.01 * dense {
      return min(max(powf((dense + sparse) / max(bytes, 1), 1 / exponent), low), high)
    }
    for _ in 0..<20 {
      let middle = (low * high).squareRoot()
      let divisors = Divisors(scale: middle, exponent: exponent)
      if dense / divisors.dense + sparse / divisors.sparse > bytes {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }
}
