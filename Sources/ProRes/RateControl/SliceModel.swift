#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// How many bytes a slice takes at each scale.
struct SliceModel {
  /// Bytes at scale 1; of a sparse slice those beyond ``least``.
  var complexity: Float = 0
  /// True where nearly all levels are ones: then bytes fall as ``SparseCurve`` says.
  private(set) var isSparse = false
  /// Bytes that remain at any scale: the headers and mean levels of a flat picture.
  private var least: Float = 0

  /// The most that is taken to remain of a slice that is not sparse, for a macroblock.
  private static let leastBytes: Float = 3

  init() {}

  init(complexity: Float, macroblocks: Float, curve: SparseCurve) {
    self.complexity = complexity
    isSparse = complexity < curve.limit * macroblocks
    least = isSparse ? SparseCurve.staying * macroblocks : 0
  }

  /// What a slice must be like that took so many bytes.
  init(bytes: Int, at factors: Factors, macroblocks: Float, curve: SparseCurve) {
    let bytes = Float(bytes)
    least = min(bytes, SparseCurve.staying * macroblocks)
    complexity = (bytes - least) / factors.sparse
    isSparse = complexity < curve.limit * macroblocks
    if !isSparse {
      complexity = bytes / factors.dense
      least = min(bytes, Self.leastBytes * macroblocks)
    }
  }

  /// What complexity is multiplied by to have the bytes at a scale.
  struct Factors {
    let dense: Float
    let sparse: Float

    /// - Parameter exponent: The power of the scale with which bytes fall where levels are many.
    init(scale: Float, exponent: Float, sparse curve: SparseCurve) {
      dense = powf(scale, -exponent)
      sparse = 1 / curve.divisor(scale: scale)
    }
  }

  /// Bytes at a real scale, where the part that falls is `weight` times as large.
  func bytes(_ factors: Factors, weight: Float = 1) -> Float {
    let scaled = weight * scaled(factors)
    return isSparse ? least + scaled : max(scaled, least)
  }

  /// Bytes at a real scale beyond those that fall with it.
  func remainder(_ factors: Factors, weight: Float = 1) -> Float {
    isSparse ? least : max(least - weight * scaled(factors), 0)
  }

  private func scaled(_ factors: Factors) -> Float {
    complexity * (isSparse ? factors.sparse : factors.dense)
  }

  /// The real scale, 1 to 512, at which slices of so much complexity take `bytes` together.
  static func scale(
    dense: Float, sparse: Float, bytes: Float, exponent: Float, curve: SparseCurve
  ) -> Float {
    var (low, high): (Float, Float) = (1, 512)
    if sparse < 0.01 * dense {
      return min(max(powf((dense + sparse) / max(bytes, 1), 1 / exponent), low), high)
    }
    for _ in 0..<20 {
      let middle = (low * high).squareRoot()
      let factors = Factors(scale: middle, exponent: exponent, sparse: curve)
      if dense * factors.dense + sparse * factors.sparse > bytes {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }
}
