public import Foundation
public import MediaLibrary

/// The kind of an album.
public enum PHAssetCollectionType: Int, Sendable, Hashable {
  /// Albums made by users.
  case album = 1
  /// Smart albums.
  case smartAlbum = 2
  /// Used by Apple until iOS 13. A fetch finds none.
  case moment = 3
}

/// A subtype of albums, with Apple's numbers. Fetches of albums that a phone or a network service fills find none.
public enum PHAssetCollectionSubtype: Int, Sendable, Hashable, CaseIterable {
  /// Made by a user.
  case albumRegular = 2
  case albumSyncedEvent = 3
  case albumSyncedFaces = 4
  case albumSyncedAlbum = 5
  case albumImported = 6
  case albumMyPhotoStream = 100
  case albumCloudShared = 101
  case smartAlbumPanoramas = 201
  /// All videos.
  case smartAlbumVideos = 202
  case smartAlbumFavorites = 203
  case smartAlbumTimelapses = 204
  /// Hidden assets. Always empty here.
  case smartAlbumAllHidden = 205
  /// The most recently added assets.
  case smartAlbumRecentlyAdded = 206
  case smartAlbumBursts = 207
  case smartAlbumSlomoVideos = 208
  case smartAlbumUserLibrary = 209
  case smartAlbumSelfPortraits = 210
  case smartAlbumScreenshots = 211
  case smartAlbumDepthEffect = 212
  case smartAlbumLivePhotos = 213
  case smartAlbumAnimated = 214
  case smartAlbumLongExposures = 215
  case smartAlbumUnableToUpload = 216
  case smartAlbumRAW = 217
  case smartAlbumCinematic = 218
  case smartAlbumSpatial = 219
  case smartAlbumScreenRecordings = 220
  /// Any subtype.
  case any = 9_223_372_036_854_775_807

  var album: AssetCollection.SmartAlbum? {
    switch self {
    case .smartAlbumVideos: .videos
    case .smartAlbumFavorites: .favorites
    case .smartAlbumRecentlyAdded: .recentlyAdded
    case .smartAlbumUserLibrary: .userLibrary
    case .smartAlbumRAW: .raw
    default: nil
    }
  }
}

/// An operation that an album may support.
public enum PHCollectionEditOperation: Int, Sendable, Hashable {
  /// Delete its assets from the library.
  case deleteContent = 1
  /// Remove assets from it.
  case removeContent = 2
  /// Add assets to it.
  case addContent = 3
  /// Create assets in it.
  case createContent = 4
  /// Reorder its assets.
  case rearrangeContent = 5
  case delete = 6
  case rename = 7
}

/// An album: a user's or a smart album.
public struct PHAssetCollection: Sendable {
  private enum Album: Sendable {
    case smart(AssetCollection)
    case user(UserAlbum)
  }

  private let album: Album

  /// A smart album.
  public init(_ collection: AssetCollection) { album = .smart(collection) }
  /// A user's album.
  public init(_ userAlbum: UserAlbum) { album = .user(userAlbum) }

  /// The underlying smart album; nil for a user's album.
  public var base: AssetCollection? { if case .smart(let base) = album { base } else { nil } }
  /// The underlying user's album; nil for a smart album.
  public var userAlbum: UserAlbum? { if case .user(let base) = album { base } else { nil } }

  public var localIdentifier: String {
    switch album {
    case .smart(let base): base.localIdentifier
    case .user(let base): base.localIdentifier
    }
  }
  /// The title to display.
  public var localizedTitle: String? {
    switch album {
    case .smart(let base): base.localizedTitle
    case .user(let base): base.title
    }
  }
  public var assetCollectionType: PHAssetCollectionType { userAlbum == nil ? .smartAlbum : .album }
  /// Its subtype; `any` for albums that Apple has no subtype for, such as ProRes.
  public var assetCollectionSubtype: PHAssetCollectionSubtype {
    guard let base else { return .albumRegular }
    return PHAssetCollectionSubtype.allCases.first { $0.album == base.album } ?? .any
  }
  /// The number of assets; -1 if the library cannot be read.
  public var estimatedAssetCount: Int {
    switch album {
    case .smart(let base): (try? base.assetCount()) ?? -1
    case .user(let base): (try? base.library.fetchAssets(in: base).count) ?? -1
    }
  }
  /// When its earliest asset was created; nil for an empty album.
  public var startDate: Date? { date(ascending: true) }
  /// When its latest asset was created; nil for an empty album.
  public var endDate: Date? { date(ascending: false) }

  /// True for operations that requests support on a user's album; always false for a smart album.
  public func canPerform(_ anOperation: PHCollectionEditOperation) -> Bool {
    switch anOperation {
    case .removeContent, .addContent, .delete, .rename: userAlbum != nil
    case .deleteContent, .createContent, .rearrangeContent: false
    }
  }

  private func date(ascending: Bool) -> Date? {
    var options = FetchOptions()
    options.fetchLimit = 1
    options.sortDescriptors = [AssetSortDescriptor(key: .creationDate, ascending: ascending)]
    return try? assets(options).first?.creationDate
  }

  func assets(_ options: FetchOptions) throws(MediaLibraryError) -> [Asset] {
    switch album {
    case .smart(let base): try Asset.fetchAssets(in: base, options: options).allObjects()
    case .user(let base): try base.library.fetchAssets(in: base, options: options).allObjects()
    }
  }
}

extension PHAssetCollection: Hashable {
  /// True for the same album in the same state.
  public static func == (lhs: PHAssetCollection, rhs: PHAssetCollection) -> Bool {
    lhs.userAlbum == rhs.userAlbum && lhs.localIdentifier == rhs.localIdentifier
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(localIdentifier) }
}

extension PHAssetCollection {
  /// Albums of the shared library. Of the options, the predicate, the sort descriptors and the limit apply; predicate
  /// and descriptors use the keys of albums.
  public static func fetchAssetCollections(
    with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> {
    PHFetchResult(options) { () throws(MediaLibraryError) in
      switch type {
      case .smartAlbum:
        guard subtype == .any || subtype.album != nil else { return [] }
        return AssetCollection.fetchAssetCollections(subtype: subtype.album).map { Self($0) }
      case .album:
        guard subtype == .any || subtype == .albumRegular else { return [] }
        return try PhotoLibrary.shared.userAlbums().map { Self($0) }
      case .moment: return []
      }
    }
  }

  /// The shared library's albums with these identifiers, in this order; unknown ones are left out.
  public static func fetchAssetCollections(
    withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> {
    PHFetchResult(options) { () throws(MediaLibraryError) in
      let users = Dictionary(
        try PhotoLibrary.shared.userAlbums(withLocalIdentifiers: identifiers).map { ($0.id, $0) }
      ) { first, _ in first }
      return identifiers.compactMap { identifier in
        users[identifier].map { Self($0) }
          ?? AssetCollection.SmartAlbum(rawValue: identifier).map {
            Self(AssetCollection($0, in: .shared))
          }
      }
    }
  }

  /// The albums that contain an asset. Only users' albums are found.
  public static func fetchAssetCollectionsContaining(
    _ asset: PHAsset, with type: PHAssetCollectionType, options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> {
    PHFetchResult(options) { () throws(MediaLibraryError) in
      guard type == .album else { return [] }
      return try asset.base.library.userAlbums(containing: asset.base).map { Self($0) }
    }
  }

  /// The keys that predicates and sort descriptors may use.
  static let keys = [
    "localIdentifier", "title", "localizedTitle", "estimatedAssetCount", "startDate", "endDate",
  ]

  /// The value for a key; nil for an unknown key.
  func value(_ key: String) -> Any? {
    switch key {
    case "localIdentifier": localIdentifier
    case "title", "localizedTitle": localizedTitle
    case "estimatedAssetCount": estimatedAssetCount
    case "startDate": startDate
    case "endDate": endDate
    default: nil
    }
  }
}

extension PHFetchResult where ObjectType == PHAssetCollection {
  fileprivate convenience init(
    _ options: PHFetchOptions?,
    _ fetch: @escaping @Sendable () throws(MediaLibraryError) -> [PHAssetCollection]
  ) {
    let predicate = options?.predicate
    let limit = options?.fetchLimit ?? 0
    // Not changed after this line: a fetch uses its options as they were passed.
    nonisolated(unsafe) let condition = predicate
    nonisolated(unsafe) let order = options?.sortDescriptors ?? []
    self.init(
      fetch: {
        let mistake =
          condition?.mistake(among: PHAssetCollection.keys, of: "albums")
          ?? order.mistake(among: PHAssetCollection.keys, of: "albums", PHAssetCollection.self)
        if let mistake { return ([], mistake) }
        do throws(MediaLibraryError) {
          var found = try fetch()
          if let condition { found = found.filter { condition.evaluate(with: $0) } }
          found = found.sorted(by: order) { $0.value($1) }
          return (limit > 0 ? [PHAssetCollection](found.prefix(limit)) : found, nil)
        } catch { return ([], PHPhotosError(error)) }
      })
  }
}
