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

  /// What stands for an album: its first asset; nil where it has none.
  public static func fetchKeyAssets(
    in assetCollection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset>? {
    let found = PHFetchResult<PHAsset>(options) { options throws(MediaLibraryError) in
      [Asset](try assetCollection.assets(options).prefix(1))
    }
    return found.count == 0 ? nil : found
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
  fileprivate convenience init(
    _ options: PHFetchOptions?,
    _ fetch: @escaping @Sendable (FetchOptions) throws(MediaLibraryError) -> [Asset]
  ) {
    // Not changed after this line: a fetch takes its options as they are.
    nonisolated(unsafe) let predicate = options?.predicate
    nonisolated(unsafe) let order = options?.sortDescriptors ?? []
    var base = options?.base ?? FetchOptions()
    // What is looked at one by one is limited behind that.
    let limit = base.fetchLimit
    if predicate != nil || !order.isEmpty { base.fetchLimit = 0 }
    let native = base
    self.init(
      fetch: {
        if let mistake = predicate?.mistake(among: PHAsset.keys, of: "assets") {
          return ([], mistake)
        }
        do throws(MediaLibraryError) {
          var found = try fetch(native).map { PHAsset($0) }
          if let predicate { found = found.filter { predicate.evaluate(with: $0) } }
          if !order.isEmpty { found = found.sorted(by: order) }
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

extension [PHAsset] {
  /// In the order of descriptors, the first before the second; those that are alike stay as they are.
  fileprivate func sorted(by order: [NSSortDescriptor]) -> [PHAsset] {
    enumerated().sorted { first, second in
      for descriptor in order {
        switch descriptor.compare(first.element, to: second.element) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return first.offset < second.offset
    }.map(\.element)
  }
}
