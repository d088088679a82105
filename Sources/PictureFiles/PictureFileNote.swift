/// What a format could not hold, or was changed for it.
public struct PictureFileNote: Sendable, Hashable, Codable {
  /// The kind of change.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// Samples have fewer bits than the picture's.
    case fewerBits
    /// Floats became integers: nothing below 0 or above white is left.
    case floatsBecameIntegers
    /// Some samples were below the least or above the greatest number, and were cut off.
    case clipped
    /// Some samples were infinite or no numbers. Infinity became the file's greatest number, in floats 65504, and
    /// all else 0.
    case notFinite
    /// Numbers were turned into linear light.
    case linearized
    /// Something that was said of the picture has no place in the format.
    case metadataLeftOut
    /// Readers know the color space only approximately.
    case colorSpaceApproximate
    /// Linear light in few bits shows bands in shadows.
    case linearInFewBits
  }

  /// The kind of change.
  public let kind: Kind
  /// One line.
  public let message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
