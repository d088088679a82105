public import DNG

/// How a picture is turned: EXIF's numbers 1 to 8.
public enum CGImagePropertyOrientation: UInt32, Sendable, Hashable, CaseIterable {
  /// As it is.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored, and turned a quarter counterclockwise.
  case leftMirrored = 5
  /// To be turned a quarter clockwise.
  case right = 6
  /// Mirrored, and turned a quarter clockwise.
  case rightMirrored = 7
  /// To be turned a quarter counterclockwise.
  case left = 8

  /// The package's orientation under Apple's name: both have EXIF's numbers.
  public init(_ orientation: PhotoMetadata.Orientation) {
    self = Self(rawValue: UInt32(orientation.rawValue)) ?? .up
  }

  /// The package's own.
  public var base: PhotoMetadata.Orientation {
    PhotoMetadata.Orientation(rawValue: UInt16(rawValue)) ?? .up
  }
}
