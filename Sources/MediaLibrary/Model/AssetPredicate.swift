public import FoundationEssentials

/// Selects assets: a typed counterpart of the `NSPredicate` in `PHFetchOptions`.
public indirect enum AssetPredicate: Sendable, Hashable {
  /// Photos, videos or audio.
  case mediaType(AssetMediaType)
  /// Favorites, or all except them.
  case isFavorite(Bool)
  /// Assets with the "ProRes" badge, or all except them.
  case isProRes(Bool)
  /// RAW assets, or all except them.
  case isRAW(Bool)
  /// A codec, as in ``MediaFacts/codec``: `apch`.
  case codec(String)
  /// Created at this time or later.
  case createdSince(Date)
  /// Created before this time.
  case createdBefore(Date)
  /// Added to the library at this time or later.
  case addedSince(Date)
  /// Minimum width in pixels.
  case widthAtLeast(Int)
  /// Minimum duration in seconds.
  case durationAtLeast(Double)
  /// Maximum duration in seconds.
  case durationAtMost(Double)
  /// Each word of the text is part of a file name, the codec, the camera, the timecode, the frame
  /// rate, the size (`1920x1080`), or the slate (`reel A001`, `scene 12`, `take 3`). Ignores case
  /// and Unicode normalization. At most 8,192 bytes.
  case text(String)
  /// All of them.
  case all([AssetPredicate])
  /// At least one of them.
  case any([AssetPredicate])
  /// The opposite.
  case not(AssetPredicate)
}

/// A sort order for assets.
public struct AssetSortDescriptor: Sendable, Hashable {
  /// A property of assets.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    /// When it was created.
    case creationDate
    /// When it was added to the library.
    case additionDate
    /// When it was last modified.
    case modificationDate
    case duration
    /// The total size of its files.
    case size
  }

  /// The property.
  public var key: Key
  /// True to sort from smallest to largest, or oldest to latest.
  public var ascending: Bool

  public init(key: Key, ascending: Bool) {
    self.key = key
    self.ascending = ascending
  }
}

/// What to fetch, and in which order, like `PHFetchOptions`.
public struct FetchOptions: Sendable, Hashable {
  /// Selects assets; nil for all.
  public var predicate: AssetPredicate?
  /// The order; if empty, by creation date, oldest first.
  public var sortDescriptors: [AssetSortDescriptor] = []
  /// The maximum number of assets; 0 for all.
  public var fetchLimit = 0
  /// True to include deleted assets.
  public var includesRecentlyDeleted = false

  /// All assets that are not deleted.
  public init() {}

  public init(
    predicate: AssetPredicate?, sortDescriptors: [AssetSortDescriptor] = [], fetchLimit: Int = 0
  ) {
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.fetchLimit = fetchLimit
  }
}
