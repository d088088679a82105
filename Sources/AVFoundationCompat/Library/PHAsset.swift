public import Foundation
public import MediaLibrary

/// The kind of an asset.
public typealias PHAssetMediaType = AssetMediaType
/// Stands for an asset that a change block creates.
public typealias PHObjectPlaceholder = ObjectPlaceholder

/// A photo, video or audio asset of a library, as it was when fetched.
public struct PHAsset: Sendable, Hashable {
  /// The underlying asset, with facts, badges and files that Apple's API does not have.
  public let base: Asset

  public init(_ asset: Asset) { base = asset }

  /// The identifier, which never changes.
  public var localIdentifier: String { base.localIdentifier }
  public var mediaType: PHAssetMediaType { base.mediaType }
  /// When it was created; never nil here.
  public var creationDate: Date? { base.creationDate }
  /// When it was last modified; never nil here.
  public var modificationDate: Date? { base.modificationDate }
  public var isFavorite: Bool { base.isFavorite }
  /// Width in pixels; 0 for audio.
  public var pixelWidth: Int { base.pixelWidth }
  /// Height in pixels; 0 for audio.
  public var pixelHeight: Int { base.pixelHeight }
  /// In seconds; 0 for photos.
  public var duration: TimeInterval { base.duration }

  // MARK: Fetching

  /// The shared library's assets; none if the library cannot be read.
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

  public static func fetchAssets(
    in assetCollection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    PHFetchResult(options) { options throws(MediaLibraryError) in
      try assetCollection.assets(options)
    }
  }

  /// None: bursts do not exist here.
  public static func fetchAssets(
    withBurstIdentifier burstIdentifier: String, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    PHFetchResult(options) { _ throws(MediaLibraryError) in [] }
  }

  /// The key asset of an album: the first of those that the options select, in their order; nil for none.
  public static func fetchKeyAssets(
    in assetCollection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset>? {
    let found = PHFetchResult<PHAsset>(options, most: 1) { options throws(MediaLibraryError) in
      try assetCollection.assets(options)
    }
    return found.count == 0 && found.error == nil ? nil : found
  }

  /// The shared library's assets with these identifiers; unknown ones are left out. Only the options' limit applies.
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
  /// - Parameter most: The most assets to return; nil for the options' limit alone.
  fileprivate convenience init(
    _ options: PHFetchOptions?, most: Int? = nil,
    _ fetch: @escaping @Sendable (FetchOptions) throws(MediaLibraryError) -> [Asset]
  ) {
    // Not changed after this line: a fetch uses its options as they were passed.
    nonisolated(unsafe) let predicate = options?.predicate
    nonisolated(unsafe) let order = options?.sortDescriptors ?? []
    var base = options?.base ?? FetchOptions()
    // A predicate or sort descriptors are applied after the native fetch, so the limit is too.
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
  /// Why objects with these keys cannot be matched with the predicate; nil if they can.
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
