public import Foundation
public import MediaLibrary

/// A kind of album.
public enum PHAssetCollectionType: Int, Sendable, Hashable {
  /// Albums that users make.
  case album = 1
  /// Albums that fill themselves.
  case smartAlbum = 2
  /// Apple's until iOS 13: a fetch finds none.
  case moment = 3
}

/// An album of its kind, with Apple's numbers. Fetches of those that a phone or its network fills find
/// none.
public enum PHAssetCollectionSubtype: Int, Sendable, Hashable, CaseIterable {
  /// What users make.
  case albumRegular = 2
  case albumSyncedEvent = 3
  case albumSyncedFaces = 4
  case albumSyncedAlbum = 5
  case albumImported = 6
  case albumMyPhotoStream = 100
  case albumCloudShared = 101
  case smartAlbumPanoramas = 201
  /// Movies.
  case smartAlbumVideos = 202
  case smartAlbumFavorites = 203
  case smartAlbumTimelapses = 204
  /// What is hidden: nothing is in this library.
  case smartAlbumAllHidden = 205
  /// What came last into the library.
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
  /// Any of them.
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

/// What can be done to an album.
public enum PHCollectionEditOperation: Int, Sendable, Hashable {
  /// Its assets are deleted from the library.
  case deleteContent = 1
  /// Its assets leave it.
  case removeContent = 2
  /// It gets assets.
  case addContent = 3
  /// Its assets are made in it.
  case createContent = 4
  /// Its assets change places.
  case rearrangeContent = 5
  /// It is deleted.
  case delete = 6
  /// It gets another title.
  case rename = 7
}

/// An album: one that users make, or one that fills itself.
public struct PHAssetCollection: Sendable {
  private enum Album: Sendable {
    case smart(AssetCollection)
    case user(UserAlbum)
  }

  private let album: Album

  /// An album that fills itself, by Apple's name.
  public init(_ collection: AssetCollection) { album = .smart(collection) }
  /// An album that users made, by Apple's name.
  public init(_ userAlbum: UserAlbum) { album = .user(userAlbum) }

  /// The album behind that fills itself; nil for one that users made.
  public var base: AssetCollection? { if case .smart(let base) = album { base } else { nil } }
  /// The album behind that users made; nil for one that fills itself.
  public var userAlbum: UserAlbum? { if case .user(let base) = album { base } else { nil } }

  public var localIdentifier: String {
    switch album {
    case .smart(let base): base.localIdentifier
    case .user(let base): base.localIdentifier
    }
  }
  /// The title for people.
  public var localizedTitle: String? {
    switch album {
    case .smart(let base): base.localizedTitle
    case .user(let base): base.title
    }
  }
  /// Its kind.
  public var assetCollectionType: PHAssetCollectionType { userAlbum == nil ? .smartAlbum : .album }
  /// Which album of its kind; any for those that Apple has no name for, as ProRes.
  public var assetCollectionSubtype: PHAssetCollectionSubtype {
    guard let base else { return .albumRegular }
    return PHAssetCollectionSubtype.allCases.first { $0.album == base.album } ?? .any
  }
  /// How many assets it has; -1 where the library cannot be read.
  public var estimatedAssetCount: Int {
    switch album {
    case .smart(let base): (try? base.assetCount()) ?? -1
    case .user(let base): (try? base.library.fetchAssets(in: base).count) ?? -1
    }
  }
  /// When its first asset was made; nil for an empty album.
  public var startDate: Date? { date(ascending: true) }
  /// When its last asset was made; nil for an empty album.
  public var endDate: Date? { date(ascending: false) }

  /// True for what requests can do to an album that users made; false for all of one that fills itself.
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
  /// True for the same album, as it was at the same time.
  public static func == (lhs: PHAssetCollection, rhs: PHAssetCollection) -> Bool {
    lhs.userAlbum == rhs.userAlbum && lhs.localIdentifier == rhs.localIdentifier
  }
  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(localIdentifier) }
}

extension PHAssetCollection {
  /// Albums of the shared library. Of the options the predicate and the sort descriptors, by the keys of ``keys``,
  /// and the limit count.
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

  /// The shared library's albums with these identifiers, in this order; those that it has not are left out.
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

  /// The albums of a kind that an asset is in: those that users made alone.
  public static func fetchAssetCollectionsContaining(
    _ asset: PHAsset, with type: PHAssetCollectionType, options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> {
    PHFetchResult(options) { () throws(MediaLibraryError) in
      guard type == .album else { return [] }
      return try asset.base.library.userAlbums(containing: asset.base).map { Self($0) }
    }
  }

  /// The keys that predicates and sort descriptors may name.
  static let keys = [
    "localIdentifier", "title", "localizedTitle", "estimatedAssetCount", "startDate", "endDate",
  ]

  /// A value by its key; nil for another.
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
    // Not changed after this line: a fetch takes its options as they are.
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
