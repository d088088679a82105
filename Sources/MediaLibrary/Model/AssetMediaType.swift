/// The kind of an asset, like `PHAssetMediaType`, with Apple's numbers.
public enum AssetMediaType: Int, Sendable, Hashable, Codable, CaseIterable {
  case unknown = 0
  /// A photo.
  case image = 1
  /// A movie.
  case video = 2
  case audio = 3

  /// The displayed word.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .image: "photo"
    case .video: "video"
    case .audio: "audio"
    }
  }

  init(primary: AssetResourceType) {
    self =
      switch primary {
      case .photo: .image
      case .video: .video
      case .audio: .audio
      default: .unknown
      }
  }
}
