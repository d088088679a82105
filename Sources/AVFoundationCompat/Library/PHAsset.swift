public import Foundation
public import MediaLibrary

/// What an asset is.
public typealias PHAssetMediaType = AssetMediaType
/// Stands for an asset that a change block makes.
public typealias PHObjectPlaceholder = ObjectPlaceholder

/// A photo, a video or sound in a library: what was known when it was fetched.
public struct PHAsset: Sendable, Hashable {
  /// The asset behind, for what Apple's has not: its facts, badges, files.
  public let base: Asset

  /// An asset by Apple's name.
  public init(_ asset: Asset) { base = asset }

  /// The identifier, the same for ever.
  public var localIdentifier: String { base.localIdentifier }
  /// What it is.
  public var mediaType: PHAssetMediaType { base.mediaType }
  /// When it was made; never nil here.
  public var creationDate: Date? { base.creationDate }
  /// When something about it changed last; never nil here.
  public var modificationDate: Date? { base.modificationDate }
  /// True for a favorite.
  public var isFavorite: Bool { base.isFavorite }
  /// Pixels in a row; 0 for sound.
  public var pixelWidth: Int { base.pixelWidth }
  /// Rows; 0 for sound.
  public var pixelHeight: Int { base.pixelHeight }
  /// Seconds; 0 for photos.
  public var duration: TimeInterval { base.duration }

  // MARK: Fetching

  /// The shared library's assets. None where the library cannot be read.
  public static func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    PHFetchResult(options) { options throws(MediaLibraryError) in
      try Asset.fetchAssets(with: options).allObjects()
    }
  }

  /// The shared library's assets of one kind.
  public static func fetchAssets(
    with mediaType: PHAssetMediaType, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    PHFetchResult(options) { options throws(MediaLibraryError) in
      try Asset.fetchAssets(with: mediaType, options: options).allObjects()
    }
  }

  /// The assets of an album.
  public static func fetchAssets(
    in assetCollection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    PHFetchResult(options) { options throws(MediaLibraryError) in
      try assetCollection.assets(options)
    }
  }

  /// None: there are no bursts here.
  public static func fetchAssets(
    withBurstIdentifier burstIdentifier: String, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    PHFetchResult(options) { _ throws(MediaLibraryError) in [] }
  }

  /// What stands for an album: its first asset, of those that the options ask for and in their order; nil where it
  /// has none.
  public static func fetchKeyAssets(
    in assetCollection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset>? {
    let found = PHFetchResult<PHAsset>(options, most: 1) { options throws(MediaLibraryError) in
      try assetCollection.assets(options)
    }
    return found.count == 0 && found.error == nil ? nil : found
  }

  /// The shared library's assets with these identifiers; those that it has not are left out. Of the
  /// options the limit alone counts.
  public static func fetchAssets(
    withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    PHFetchResult(options) { options throws(MediaLibraryError) in
      let found = try Asset.fetchAssets(withLocalIdentifiers: identifiers)
      let limit = options.fetchLimit
      return limit > 0 ? [Asset](found.prefix(limit)) : found
    }
  }
}

extension PHFetchResult where ObjectType == PHAsset {
  /// - Parameter most: How many there are at most; nil for as many as the options say.
  fileprivate convenience init(
    _ options: PHFetchOptions?, most: Int? = nil,
    _ fetch: @escaping @Sendable (FetchOptions) throws(MediaLibraryError) -> [Asset]
  ) {
    // Not changed after this line: a fetch takes its options as they are.
    nonisolated(unsafe) let predicate = options?.predicate
    nonisolated(unsafe) let order = options?.sortDescriptors ?? []
    var base = options?.base ?? FetchOptions()
    // What is looked at one by one is limited behind that.
    let limit = [base.fetchLimit, most ?? 0].filter { $0 > 0 }.min() ?? 0
    base.fetchLimit = predicate != nil || !order.isEmpty ? 0 : limit
    let native = base
    self.init(
      fetch: {
        let mistake =
          predicate?.mistake(among: PHAsset.keys, of: "assets")
          ?? order.mistake(among: PHAsset.keys, of: "assets", PHAsset.self)
        if let mistake { return ([], mistake) }
        do throws(MediaLibraryError) {
          var found = try fetch(native).map { PHAsset($0) }
          if let predicate { found = found.filter { predicate.evaluate(with: $0) } }
          found = found.sorted(by: order) { $0.value($1) }
          return (limit > 0 ? [PHAsset](found.prefix(limit)) : found, nil)
        } catch { return ([], PHPhotosError(error)) }
      })
  }
}

extension NSPredicate {
  /// Why the predicate cannot be met by objects with these keys; nil where it can.
  func mistake(among keys: [String], of objects: String) -> PHPhotosError? {
    switch parsed {
    case .failure(let error)?: return PHPhotosError(.internalError, error.message)
    case .success(let predicate)?:
      guard let key = predicate.keys.first(where: { !keys.contains($0) }) else { return nil }
      return PHPhotosError(
        .internalError,
        "a predicate asks for '\(key)', which \(objects) do not have; they have "
          + keys.joined(separator: ", "))
    case nil: return nil
    }
  }
}
