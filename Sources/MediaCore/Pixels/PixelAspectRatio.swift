/// The shape of a pixel, width to height.
public struct PixelAspectRatio: Hashable, Sendable, CustomStringConvertible {
  /// Relative width, greater than zero.
  public let horizontal: Int32
  /// Relative height, greater than zero.
  public let vertical: Int32

  /// A ratio in lowest terms; square where a part is not positive.
  public init(_ horizontal: Int32, _ vertical: Int32) {
    guard horizontal > 0, vertical > 0 else {
      self = .square
      return
    }
    let divisor = Int32(greatestCommonDivisor(Int64(horizontal), Int64(vertical)))
    self.init(reduced: horizontal / divisor, vertical / divisor)
  }

  private init(reduced horizontal: Int32, _ vertical: Int32) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// `64:45`.
  public var description: String { "\(horizontal):\(vertical)" }

  /// As wide as high.
  public static let square = PixelAspectRatio(reduced: 1, 1)
}

/// The size of a frame or image in pixels.
public struct VideoDimensions: Hashable, Sendable, CustomStringConvertible {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int

  /// A size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Reads `1920x1080`; nil unless both are whole numbers from 1 to 16384.
  public init?(_ text: String) {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, !text.contains("+"), let width = Int(parts[0]),
      let height = Int(parts[1]),
      (1...16_384).contains(width), (1...16_384).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }

  /// `1920x1080`.
  public var description: String { "\(width)x\(height)" }
}
