public import Foundation
import RawDevelop

/// An sRGB color: red, green, blue and alpha, from 0 to 1.
public final class CIColor: Sendable, Hashable {
  public let red: CGFloat
  public let green: CGFloat
  public let blue: CGFloat
  /// From 0, transparent, to 1, opaque.
  public let alpha: CGFloat

  /// A color from its components.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// An opaque color from its components.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat) {
    self.init(red: red, green: green, blue: blue, alpha: 1)
  }

  /// A color from a Core Graphics color.
  public convenience init(cgColor: CGColor) {
    self.init(red: cgColor.red, green: cgColor.green, blue: cgColor.blue, alpha: cgColor.alpha)
  }

  public static let black = CIColor(red: 0, green: 0, blue: 0)
  public static let white = CIColor(red: 1, green: 1, blue: 1)
  public static let gray = CIColor(red: 0.5, green: 0.5, blue: 0.5)
  public static let red = CIColor(red: 1, green: 0, blue: 0)
  public static let green = CIColor(red: 0, green: 1, blue: 0)
  public static let blue = CIColor(red: 0, green: 0, blue: 1)
  public static let cyan = CIColor(red: 0, green: 1, blue: 1)
  public static let magenta = CIColor(red: 1, green: 0, blue: 1)
  public static let yellow = CIColor(red: 1, green: 1, blue: 0)
  /// Transparent black.
  public static let clear = CIColor(red: 0, green: 0, blue: 0, alpha: 0)

  private var parts: [CGFloat] { [red, green, blue, alpha] }
  /// True for the same components.
  public static func == (lhs: CIColor, rhs: CIColor) -> Bool { lhs.parts == rhs.parts }
  /// Hashes the components.
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

extension CIColor {
  /// Pixels of the color in linear light with sRGB primaries, multiplied by its alpha.
  func light(width: Int, height: Int) -> RenderedImage {
    let codes = [Float(red), Float(green), Float(blue)]
    let pixel = RenderedImage(width: 1, height: 1, samples: .float(codes), colorSpace: .sRGB)
      .converted(to: .linearSRGB, format: .float)
    let share = Float(min(max(alpha, 0), 1))
    let light = (0..<3).map { pixel[0, 0, $0] * share }
    var samples = [Float](repeating: 0, count: 3 * width * height)
    for place in samples.indices { samples[place] = light[place % 3] }
    return RenderedImage(
      width: width, height: height, samples: .float(samples), colorSpace: .linearSRGB)
  }
}
