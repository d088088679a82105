public import Foundation

/// Four numbers, as filters take them.
public struct CIVector: Sendable, Hashable {
  /// The first number.
  public let x: CGFloat
  /// The second number.
  public let y: CGFloat
  /// The third number.
  public let z: CGFloat
  /// The fourth number.
  public let w: CGFloat

  /// A vector of four numbers; those left out are 0.
  public init(x: CGFloat, y: CGFloat = 0, z: CGFloat = 0, w: CGFloat = 0) {
    (self.x, self.y, self.z, self.w) = (x, y, z, w)
  }

  /// A rectangle's origin and size.
  public init(cgRect rect: CGRect) {
    self.init(x: rect.minX, y: rect.minY, z: rect.width, w: rect.height)
  }

  /// A point's coordinates.
  public init(cgPoint point: CGPoint) { self.init(x: point.x, y: point.y) }

  /// The rectangle whose origin and size the numbers are.
  public var cgRectValue: CGRect { CGRect(x: x, y: y, width: z, height: w) }
  /// The point whose coordinates the first two numbers are.
  public var cgPointValue: CGPoint { CGPoint(x: x, y: y) }
}
