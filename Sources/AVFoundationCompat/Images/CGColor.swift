public import Foundation

/// A color: red, green and blue, from 0 to 1, and how opaque it is. Grays have equal parts.
public final class CGColor: Sendable, Hashable {
  let red: CGFloat
  let green: CGFloat
  let blue: CGFloat
  /// From 0, not seen, to 1.
  public let alpha: CGFloat

  /// A color from its parts.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// A color from its parts, which are sRGB's.
  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// A gray.
  public convenience init(gray: CGFloat, alpha: CGFloat) {
    self.init(red: gray, green: gray, blue: gray, alpha: alpha)
  }

  /// A gray.
  public convenience init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
    self.init(gray: gray, alpha: alpha)
  }

  /// Red, green, blue and alpha.
  public var components: [CGFloat]? { [red, green, blue, alpha] }
  /// 4.
  public var numberOfComponents: Int { 4 }
  /// sRGB.
  public var colorSpace: CGColorSpace? { CGColorSpace(.sRGB) }

  /// No light.
  public static let black = CGColor(gray: 0, alpha: 1)
  /// All light.
  public static let white = CGColor(gray: 1, alpha: 1)
  /// Not seen.
  public static let clear = CGColor(gray: 0, alpha: 0)

  /// True for the same parts.
  public static func == (lhs: CGColor, rhs: CGColor) -> Bool { lhs.components == rhs.components }
  /// Hashes the parts.
  public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}
