public import Foundation

/// A vector of four numbers, as a filter input.
public struct CIVector: Sendable, Hashable {
  public let x: CGFloat
  public let y: CGFloat
  public let z: CGFloat
  public let w: CGFloat

  /// A vector of four numbers; omitted ones are 0.
  public init(x: CGFloat, y: CGFloat = 0, z: CGFloat = 0, w: CGFloat = 0) {
    (self.x, self.y, self.z, self.w) = (x, y, z, w)
  }

  /// A rectangle's origin and size.
  public init(cgRect rect: CGRect) {
    self.init(x: rect.minX, y: rect.minY, z: rect.width, w: rect.height)
  }

  /// A point's coordinates.
  public init(cgPoint point: CGPoint) { self.init(x: point.x, y: point.y) }

  /// The rectangle with x and y as its origin, z and w as its size.
  public var cgRectValue: CGRect { CGRect(x: x, y: y, width: z, height: w) }
  /// The point with coordinates x and y.
  public var cgPointValue: CGPoint { CGPoint(x: x, y: y) }
}
