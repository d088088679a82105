import Foundation
import MediaCore

/// A rotation by quarter turns, with or without mirroring: the coefficients of a transform without its translation,
/// each -1, 0 or 1.
struct RightAngleTransform: Hashable, Sendable {
  let a: Int
  let b: Int
  let c: Int
  let d: Int

  /// The identity transform.
  static let identity = RightAngleTransform(a: 1, b: 0, c: 0, d: 1)

  init(a: Int, b: Int, c: Int, d: Int) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  /// Nil for a transform that does anything else. Sine and cosine are not exact, so a deviation of up to a millionth is
  /// accepted.
  init?(_ transform: CGAffineTransform) {
    let numbers = [transform.a, transform.b, transform.c, transform.d].map(Double.init)
    let whole = numbers.map { Int(saturating: $0.rounded()) }
    guard
      zip(numbers, whole).allSatisfy({ (-1...1).contains($1) && ($0 - Double($1)).magnitude < 1e-6 }
      )
    else { return nil }
    self.init(a: whole[0], b: whole[1], c: whole[2], d: whole[3])
    guard a.magnitude + b.magnitude == 1, a.magnitude == d.magnitude, b.magnitude == c.magnitude
    else { return nil }
  }

  /// True if width and height are swapped.
  var swapsSides: Bool { a == 0 }
}
