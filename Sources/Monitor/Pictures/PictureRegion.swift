public import MediaCore

/// A stretch of a picture, in the picture's own pixels.
public struct PictureRegion: Sendable, Hashable, Codable {
  /// The first column, from 0 on; an odd one stands for the one before.
  public var x: Int
  /// The first row, from 0 on.
  public var y: Int
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// The largest stretch that is shown.
  public static let limit = VideoDimensions(width: 1920, height: 1080)

  /// A stretch from its place and size.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y) = (x, y)
    (self.width, self.height) = (width, height)
  }

  /// The stretch moved and cut so that it lies in a picture of a size, on whole pairs of columns.
  public func moved(into size: VideoDimensions) -> PictureRegion {
    let columns = max(min(width, Self.limit.width, size.width) & ~1, 2)
    let rows = max(min(height, Self.limit.height, size.height), 1)
    return PictureRegion(
      x: max(min(x, size.width - columns), 0) & ~1, y: max(min(y, size.height - rows), 0),
      width: columns, height: rows)
  }
}
