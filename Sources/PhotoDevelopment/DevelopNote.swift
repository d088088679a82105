import ImageFiles

/// Something that could not be done as requested, or that was changed.
public struct DevelopNote: Sendable, Hashable, Codable {
  /// The kind of change.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// Settings are unsupported, or unsuited to the kind of photo; or camera profiles, or parts of them, are
    /// invalid.
    case settingsOmitted = "settingsLeftOut"
    /// A preset asks for HDR, which the file has in another form that its format supports.
    case highRangeReplaced
    /// The file does not state something needed, such as its white point, and a default was used.
    case usualValueTaken
    /// The file asks for optional corrections that are unknown.
    case correctionsOmitted = "correctionsLeftOut"
    /// The file contains an improved version of its image, which was developed.
    case enhancedPictureDeveloped
    /// The file contains an improved version of its image in an unsupported form, so the sensor's was developed.
    case enhancedPictureOmitted = "enhancedPictureLeftOut"
    /// Images in the file other than the sensor's, such as a preview, cannot be used.
    case pictureOmitted = "pictureLeftOut"
    /// The samples do not match the file's digest: the file is damaged, or was changed.
    case digestDisagrees
    /// Floats became integers: values below 0 and above white are lost.
    case floatsBecameIntegers
    /// Samples were outside the format's range and were clipped.
    case clipped
    /// Values were converted to linear light.
    case linearized
    /// The format has no place for some of the metadata.
    case metadataOmitted = "metadataLeftOut"
    /// Readers see only an approximate color space.
    case colorSpaceApproximate
    /// Linear light in few bits shows banding in shadows.
    case linearInFewBits
    /// Leftovers of an earlier run were removed.
    case leftoversRemoved
    /// The file's samples have fewer bits than the image's.
    case fewerBits
  }

  /// The kind of change.
  public let kind: Kind
  /// A one-line message.
  public let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  init(_ note: ImageFileNote) {
    let kind: Kind =
      switch note.kind {
      case .fewerBits: .fewerBits
      case .floatsBecameIntegers: .floatsBecameIntegers
      case .clipped: .clipped
      case .notFinite: .usualValueTaken
      case .linearized: .linearized
      case .metadataOmitted: .metadataOmitted
      case .colorSpaceApproximate: .colorSpaceApproximate
      case .linearInFewBits: .linearInFewBits
      }
    self.init(kind, note.message)
  }
}
