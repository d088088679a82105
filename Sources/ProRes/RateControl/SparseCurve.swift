#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// How the bytes of slices fall with the scale whose levels are nearly all ones.
///
/// Such a slice has a part that stays (its header and mean levels) and a part that falls quickly:
/// how quickly depends on the weights, which decide how many levels are left to go.
struct SparseCurve: Sendable {
  /// A slice is sparse that has fewer bytes beyond those that stay, a macroblock at scale 1.
  let limit: Float
  /// Logarithms of what bytes are divided by from rung to rung.
  private let steps: [Float]

  /// The least that the header and mean levels of a macroblock take, in a slice of eight.
  static let staying: Float = 2.15

  /// The indices that a sparse slice may have below scale 3, and the scale that each counts as.
  private static let rungs: [(scale: Float, index: UInt8)] = [
    (1, 1), (4 / 3, 225), (5 / 3, 226), (2, 2), (2.5, 227), (3, 3),
  ]

  /// The steps were found on dark gradients, by encoding all slices at each rung.
  init(_ profile: ProResProfile) {
    let steps: [Float]
    switch profile {
    case .proxy: (limit, steps) = (13.5, [1.05, 1.20, 1.44, 1.08, 1.33])
    case .lt: (limit, steps) = (19, [1.33, 1.09, 1.79, 1.12, 1.29])
    case .standard: (limit, steps) = (28, [1.61, 1.27, 1.83, 1.19, 1.31])
    case .hq: (limit, steps) = (110, [1.45, 2.16, 1.95, 1.94, 1.21])
    case .p4444, .xq: (limit, steps) = (45, [1.45, 2.16, 1.95, 1.94, 1.21])
    }
    self.steps = steps.map { logf($0) }
  }

  /// What bytes at scale 1 are divided by at a real scale.
  func divisor(scale: Float) -> Float {
    var sum: Float = 0
    var below = Self.rungs[0].scale
    for (rung, step) in zip(Self.rungs.dropFirst(), steps) {
      guard scale < rung.scale else {
        sum += step
        below = rung.scale
        continue
      }
      return expf(sum + step * (scale - below) / (rung.scale - below))
    }
    return expf(sum) * powf(scale / below, 0.75)
  }

  /// The index of the rung below or above a scale under 3, so that neighbours average it.
  ///
  /// - Parameter dither: 0 to 1.
  static func index(scale: Float, dither: Float) -> UInt8 {
    var below = rungs[0]
    for rung in rungs.dropFirst() {
      guard scale >= rung.scale else {
        return scale - below.scale >= (1 - dither) * (rung.scale - below.scale)
          ? rung.index : below.index
      }
      below = rung
    }
    return below.index
  }

  /// The scale that an index counts as.
  static func scale(index: Int) -> Float {
    rungs.first { Int($0.index) == index }?.scale ?? Float(QuantizationIndex.scale(index))
  }
}
