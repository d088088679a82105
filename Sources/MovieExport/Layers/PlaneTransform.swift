/// An affine transform of a plane: `x' = ax + cy + tx`, `y' = bx + dy + ty`, rows counted
/// downwards.
package struct PlaneTransform: Sendable, Hashable {
  package var a: Double
  package var b: Double
  package var c: Double
  package var d: Double
  package var tx: Double
  package var ty: Double

  /// Creates a transform.
  package init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The identity.
  package static let identity = PlaneTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// The bounding box of a transformed rectangle.
  package func moved(_ area: PlaneArea) -> PlaneArea {
    func corner(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (a * x + c * y + tx, b * x + d * y + ty)
    }
    let (first, last) = (corner(area.left, area.top), corner(area.right, area.bottom))
    let (second, third) = (corner(area.right, area.top), corner(area.left, area.bottom))
    let (x, y) = ([first.x, second.x, third.x, last.x], [first.y, second.y, third.y, last.y])
    return PlaneArea(
      left: x.min() ?? 0, top: y.min() ?? 0, right: x.max() ?? 0, bottom: y.max() ?? 0)
  }
}

/// A rectangle of a plane, with y pointing down.
package struct PlaneArea: Sendable, Hashable {
  package var left: Double
  package var top: Double
  package var right: Double
  package var bottom: Double

  /// Creates a rectangle.
  package init(left: Double, top: Double, right: Double, bottom: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  /// The whole plane.
  package static let infinite = PlaneArea(
    left: -.infinity, top: -.infinity, right: .infinity, bottom: .infinity)
}
