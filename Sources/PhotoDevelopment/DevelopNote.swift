import PictureFiles

/// What could not be done as it was asked for, or was changed.
public struct DevelopNote: Sendable, Hashable, Codable {
  /// The kind of change.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// Settings have no counterpart here, or none for the photo's kind; camera profiles, or parts of them, make no
    /// sense.
    case settingsLeftOut
    /// HDR that a preset asks for is in the file in another way, which its format holds.
    case highRangeReplaced
    /// The file does not tell what is needed, such as its white, and something usual was taken.
    case usualValueTaken
    /// The file asks for corrections that are not known here, and that it lets readers leave out.
    case correctionsLeftOut
    /// The file has its picture as another program has improved it as well, and that is developed.
    case enhancedPictureDeveloped
    /// The file has such a picture in a form that is not developed, and the sensor's own is.
    case enhancedPictureLeftOut
    /// Pictures of the file beside the sensor's, such as a preview, cannot be used.
    case pictureLeftOut
    /// The samples are not those that the file's digest is of: the file is damaged, or was changed.
    case digestDisagrees
    /// Floats became integers: nothing below 0 or above white is left.
    case floatsBecameIntegers
    /// Samples were below the least or above the greatest number, and were cut off.
    case clipped
    /// Numbers were turned into linear light.
    case linearized
    /// Something that was said of the picture has no place in the format.
    case metadataLeftOut
    /// Readers know the color space only approximately.
    case colorSpaceApproximate
    /// Linear light in few bits shows bands in shadows.
    case linearInFewBits
    /// What an earlier run had not finished was taken away.
    case leftoversRemoved
    /// Samples have fewer bits than the picture's.
    case fewerBits
  }

  /// The kind of change.
  public let kind: Kind
  /// One line.
  public let message: String

  /// A note of a kind.
  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  init(_ note: PictureFileNote) {
    let kind: Kind =
      switch note.kind {
      case .fewerBits: .fewerBits
      case .floatsBecameIntegers: .floatsBecameIntegers
      case .clipped: .clipped
      case .notFinite: .usualValueTaken
      case .linearized: .linearized
      case .metadataLeftOut: .metadataLeftOut
      case .colorSpaceApproximate: .colorSpaceApproximate
      case .linearInFewBits: .linearInFewBits
      }
    self.init(kind, note.message)
  }
}
