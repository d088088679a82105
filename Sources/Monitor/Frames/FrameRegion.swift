public import MediaCore

/// A rectangular part of a frame, in pixels of the frame.
public struct FrameRegion: Sendable, Hashable, Codable {
  /// The first column, from 0; an odd one is rounded down.
  public var x: Int
  /// The first row, from 0.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// The largest region that is shown.
  public static let limit = VideoDimensions(width: 1920, height: 1080)

  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y) = (x, y)
    (self.width, self.height) = (width, height)
  }

  /// The region moved and cropped to fit into a frame of a given size, on whole pairs of columns.
  public func moved(into size: VideoDimensions) -> FrameRegion {
    let columns = max(min(width, Self.limit.width, size.width) & ~1, 2)
    let rows = max(min(height, Self.limit.height, size.height), 1)
    return FrameRegion(
      x: max(min(x, size.width - columns), 0) & ~1, y: max(min(y, size.height - rows), 0),
      width: columns, height: rows)
  }
}
