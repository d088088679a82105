import AssetWriter

/// The profile of a writer's segments.
public struct AVFileTypeProfile: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Fragmented MPEG-4 for HTTP Live Streaming.
  public static let mpeg4AppleHLS = AVFileTypeProfile(rawValue: "MPEG4AppleHLS")
  /// Fragmented MPEG-4 of the Common Media Application Format, with one track.
  public static let mpeg4CMAFCompliant = AVFileTypeProfile(rawValue: "MPEG4CMAFCompliant")

  /// The profile in this package's API; nil if it is not supported.
  var native: MediaSegmentation.Profile? {
    switch self {
    case .mpeg4AppleHLS: .appleHLS
    case .mpeg4CMAFCompliant: .cmaf
    default: nil
    }
  }
}
