/// An album with automatic contents, like `PHAssetCollection` with the subtype of a smart album.
public struct AssetCollection: Sendable, Identifiable {
  /// The contents of an album.
  public enum SmartAlbum: String, Sendable, Hashable, Codable, CaseIterable {
    /// All assets that are not deleted.
    case userLibrary = "library"
    case videos
    case photos
    /// Assets with the "ProRes" badge.
    case proRes = "prores"
    case raw
    /// The assets added last: 1000 at most, the latest first.
    case recentlyAdded = "recently-added"
    case favorites
    /// Deleted assets, until their retention period ends.
    case recentlyDeleted = "recently-deleted"

    /// The displayed title.
    public var title: String {
      switch self {
      case .userLibrary: "Library"
      case .videos: "Videos"
      case .photos: "Photos"
      case .proRes: "ProRes"
      case .raw: "RAW"
      case .recentlyAdded: "Recently Added"
      case .favorites: "Favorites"
      case .recentlyDeleted: "Recently Deleted"
      }
    }
  }

  /// The limit of the album of recently added assets.
  static let recentlyAddedLimit = 1000

  public let library: PhotoLibrary
  /// The rule that selects the album's assets.
  public let album: SmartAlbum

  public var localIdentifier: String { album.rawValue }
  public var id: String { album.rawValue }
  /// The displayed title.
  public var localizedTitle: String { album.title }

  public init(_ album: SmartAlbum, in library: PhotoLibrary) {
    self.album = album
    self.library = library
  }

  /// The number of assets.
  ///
  /// - Throws: Errors of ``PhotoLibrary/fetchAssets(with:)``.
  public func assetCount() throws(MediaLibraryError) -> Int {
    try library.assetCount(in: album)
  }

  /// An album of the shared library; nil for all of them.
  public static func fetchAssetCollections(subtype: SmartAlbum?) -> [AssetCollection] {
    (subtype.map { [$0] } ?? SmartAlbum.allCases).map { AssetCollection($0, in: .shared) }
  }
}
