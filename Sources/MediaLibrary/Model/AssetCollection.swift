/// An album that fills itself, as `PHAssetCollection` with a smart album's subtype.
public struct AssetCollection: Sendable, Identifiable {
  /// What an album shows.
  public enum SmartAlbum: String, Sendable, Hashable, Codable, CaseIterable {
    /// All assets that are not deleted.
    case userLibrary = "library"
    /// Movies.
    case videos
    /// Pictures.
    case photos
    /// What carries the "ProRes" badge.
    case proRes = "prores"
    case raw
    /// What came last into the library: 1000 at most, the latest first.
    case recentlyAdded = "recently-added"
    case favorites
    /// Deleted assets, until their retention period ends.
    case recentlyDeleted = "recently-deleted"

    /// The title for people.
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

  /// The most that the album of what was recently added shows.
  static let recentlyAddedLimit = 1000

  /// The library it is in.
  public let library: PhotoLibrary
  /// The rule by which assets are in the album.
  public let album: SmartAlbum

  public var localIdentifier: String { album.rawValue }
  /// The identifier.
  public var id: String { album.rawValue }
  /// The title for people.
  public var localizedTitle: String { album.title }

  /// An album of a library.
  public init(_ album: SmartAlbum, in library: PhotoLibrary) {
    self.album = album
    self.library = library
  }

  /// How many assets it has.
  ///
  /// - Throws: As ``PhotoLibrary/fetchAssets(with:)``.
  public func assetCount() throws(MediaLibraryError) -> Int {
    try library.assetCount(in: album)
  }

  /// An album of the shared library; all of them for nil.
  public static func fetchAssetCollections(subtype: SmartAlbum?) -> [AssetCollection] {
    (subtype.map { [$0] } ?? SmartAlbum.allCases).map { AssetCollection($0, in: .shared) }
  }
}
