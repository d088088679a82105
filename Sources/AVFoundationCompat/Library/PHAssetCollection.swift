public import MediaLibrary

/// A kind of album.
public enum PHAssetCollectionType: Int, Sendable, Hashable {
  /// Albums that users make; there are none here.
  case album = 1
  /// Albums that fill themselves.
  case smartAlbum = 2
}

/// An album of its kind, with Apple's numbers.
public enum PHAssetCollectionSubtype: Int, Sendable, Hashable, CaseIterable {
  /// Movies.
  case smartAlbumVideos = 202
  case smartAlbumFavorites = 203
  /// What came last into the library.
  case smartAlbumRecentlyAdded = 206
  case smartAlbumUserLibrary = 209
  case smartAlbumRAW = 217
  /// Any of them.
  case any = 9_223_372_036_854_775_807

  var album: AssetCollection.SmartAlbum? {
    switch self {
    case .smartAlbumVideos: .videos
    case .smartAlbumFavorites: .favorites
    case .smartAlbumRecentlyAdded: .recentlyAdded
    case .smartAlbumUserLibrary: .userLibrary
    case .smartAlbumRAW: .raw
    case .any: nil
    }
  }
}

/// An album that fills itself.
public struct PHAssetCollection: Sendable {
  /// The album behind.
  public let base: AssetCollection

  /// An album by Apple's name.
  public init(_ collection: AssetCollection) { base = collection }

  public var localIdentifier: String { base.localIdentifier }
  /// The title for people.
  public var localizedTitle: String? { base.localizedTitle }
  /// Its kind.
  public var assetCollectionType: PHAssetCollectionType { .smartAlbum }
  /// Which album of its kind; any for those that Apple has no name for, as ProRes.
  public var assetCollectionSubtype: PHAssetCollectionSubtype {
    PHAssetCollectionSubtype.allCases.first { $0.album == base.album } ?? .any
  }
  /// How many assets it has; -1 where the library cannot be read.
  public var estimatedAssetCount: Int { (try? base.assetCount()) ?? -1 }

  /// Albums of the shared library; none of the kind that users make. Options do not count.
  public static func fetchAssetCollections(
    with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> {
    let found =
      type == .smartAlbum ? AssetCollection.fetchAssetCollections(subtype: subtype.album) : []
    return PHFetchResult(found.map { PHAssetCollection($0) }, error: nil)
  }
}
