/// Something that the format could not hold, or that was changed to fit it.
public struct ImageFileNote: Sendable, Hashable, Codable {
  /// The kind of change.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// The file's samples have fewer bits than the image's.
    case fewerBits
    /// Floats became integers: values below 0 and above white are lost.
    case floatsBecameIntegers
    /// Some samples were outside the format's range and were clipped.
    case clipped
    /// Some samples were infinite or NaN. Infinity became the file's greatest value (65504 in floats), all others
    /// 0.
    case notFinite
    /// Values were converted to linear light.
    case linearized
    /// The format has no place for some of the metadata.
    case metadataOmitted = "metadataLeftOut"
    /// Readers see only an approximate color space.
    case colorSpaceApproximate
    /// Linear light in few bits shows banding in shadows.
    case linearInFewBits
  }

  /// The kind of change.
  public let kind: Kind
  /// A one-line message.
  public let message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
