public import FoundationEssentials

/// Which assets are meant: what `NSPredicate` is to `PHFetchOptions`, with types.
public indirect enum AssetPredicate: Sendable, Hashable {
  /// Photos, videos or sound.
  case mediaType(AssetMediaType)
  /// Favorites, or all others.
  case isFavorite(Bool)
  /// What carries the "ProRes" badge, or all others.
  case isProRes(Bool)
  /// RAW, or all others.
  case isRAW(Bool)
  /// A codec, as in ``MediaFacts/codec``: `apch`.
  case codec(String)
  /// Created at this time or later.
  case createdSince(Date)
  /// Created before this time.
  case createdBefore(Date)
  /// Added to the library at this time or later.
  case addedSince(Date)
  /// At least so many pixels in a row.
  case widthAtLeast(Int)
  /// At least so many seconds.
  case durationAtLeast(Double)
  /// At most so many seconds.
  case durationAtMost(Double)
  /// Every word of the text is part of a file's name, the codec, the camera, the timecode, the rate,
  /// the size (`1920x1080`), or the slate (`reel A001`, `scene 12`, `take 3`). Case does not count, nor
  /// which of Unicode's forms a letter has. 8,192 bytes at most.
  case text(String)
  /// All of them.
  case all([AssetPredicate])
  /// One of them at least.
  case any([AssetPredicate])
  /// The opposite.
  case not(AssetPredicate)
}

/// What assets are sorted by.
public struct AssetSortDescriptor: Sendable, Hashable {
  /// A property of assets.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    /// When it was made.
    case creationDate
    /// When it came into the library.
    case additionDate
    /// When something about it changed last.
    case modificationDate
    /// How long it is.
    case duration
    /// How large its files are.
    case size
  }

  /// The property.
  public var key: Key
  /// True for the smallest or oldest first.
  public var ascending: Bool

  /// A sorting.
  public init(key: Key, ascending: Bool) {
    self.key = key
    self.ascending = ascending
  }
}

/// What is fetched, and in which order, as `PHFetchOptions`.
public struct FetchOptions: Sendable, Hashable {
  /// Which assets; nil for all.
  public var predicate: AssetPredicate?
  /// The order; by creation date, oldest first, where it is empty.
  public var sortDescriptors: [AssetSortDescriptor] = []
  /// The most assets; 0 for all.
  public var fetchLimit = 0
  /// True to have the recently deleted too.
  public var includesRecentlyDeleted = false

  /// Everything.
  public init() {}

  /// Options from their parts.
  public init(
    predicate: AssetPredicate?, sortDescriptors: [AssetSortDescriptor] = [], fetchLimit: Int = 0
  ) {
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.fetchLimit = fetchLimit
  }
}
