public import DNG

/// The orientation of an image: EXIF's numbers 1 to 8.
public enum CGImagePropertyOrientation: UInt32, Sendable, Hashable, CaseIterable {
  /// Upright.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Rotated by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored, and rotated by 90° counterclockwise.
  case leftMirrored = 5
  /// Must be rotated by 90° clockwise for display.
  case right = 6
  /// Mirrored, and rotated by 90° clockwise.
  case rightMirrored = 7
  /// Must be rotated by 90° counterclockwise for display.
  case left = 8

  /// Converts the package's orientation; both use EXIF's numbers.
  public init(_ orientation: PhotoMetadata.Orientation) {
    self = Self(rawValue: UInt32(orientation.rawValue)) ?? .up
  }

  /// The package's orientation.
  public var base: PhotoMetadata.Orientation {
    PhotoMetadata.Orientation(rawValue: UInt16(rawValue)) ?? .up
  }
}
