import AssetWriter

/// What the segments of a writer are that hands them to a delegate.
public struct AVFileTypeProfile: RawRepresentable, Hashable, Sendable {
  /// Apple's text of it.
  public let rawValue: String
  /// A profile from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Fragmented MPEG-4 as HTTP live streaming takes it.
  public static let mpeg4AppleHLS = AVFileTypeProfile(rawValue: "MPEG4AppleHLS")
  /// Fragmented MPEG-4 of the Common Media Application Format: for one track.
  public static let mpeg4CMAFCompliant = AVFileTypeProfile(rawValue: "MPEG4CMAFCompliant")

  /// The profile in this package's own terms; nil if no segments are made of it.
  var native: MediaSegmentation.Profile? {
    switch self {
    case .mpeg4AppleHLS: .appleHLS
    case .mpeg4CMAFCompliant: .cmaf
    default: nil
    }
  }
}
