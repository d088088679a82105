import Foundation
import MediaCore

/// A turn by quarters, mirrored or not: the numbers of a transform without its moves, each -1, 0 or 1.
struct RightAngleTransform: Hashable, Sendable {
  let a: Int
  let b: Int
  let c: Int
  let d: Int

  /// Nothing changes.
  static let identity = RightAngleTransform(a: 1, b: 0, c: 0, d: 1)

  init(a: Int, b: Int, c: Int, d: Int) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  /// Nil for a transform that does anything else. The sine and cosine of an angle are not exact, so
  /// that a millionth is left out of account.
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

  /// True where the width becomes the height.
  var swapsSides: Bool { a == 0 }
}
