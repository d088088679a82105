public import FoundationEssentials

/// A photo, video or audio file in a library, like `PHAsset`: its state when it was fetched.
public struct Asset: Sendable, Hashable, Identifiable {
  public let library: PhotoLibrary
  let record: AssetRecord

  init(_ record: AssetRecord, in library: PhotoLibrary) {
    self.record = record
    self.library = library
  }

  /// A UUID that never changes.
  public var localIdentifier: String { record.id }
  /// A UUID that never changes.
  public var id: String { record.id }
  public var mediaType: AssetMediaType { record.mediaType }
  /// When it was created.
  public var creationDate: Date { Date(timeIntervalSince1970: record.created) }
  /// When it was added to the library.
  public var additionDate: Date { Date(timeIntervalSince1970: record.added) }
  /// When it was last modified.
  public var modificationDate: Date { Date(timeIntervalSince1970: record.modified) }
  /// When it was deleted; nil if it was not.
  public var deletionDate: Date? { record.trashed.map { Date(timeIntervalSince1970: $0) } }
  /// Where it was created.
  public var location: GeographicLocation? { record.location }
  /// True for a favorite.
  public var isFavorite: Bool { record.favorite }
  /// Width in pixels; 0 for audio.
  public var pixelWidth: Int { record.facts.width }
  /// Height in pixels; 0 for audio.
  public var pixelHeight: Int { record.facts.height }
  /// Seconds; 0 for photos.
  public var duration: Double { record.facts.duration }
  /// The facts of its main file.
  public var facts: MediaFacts { record.facts }
  /// True if it carries the "ProRes" badge.
  public var isProRes: Bool { record.facts.isProRes }
  public var isRAW: Bool { record.facts.isRAW }
  /// The badges that Photos would show: `ProRes`, `RAW`.
  public var badges: [String] { (isProRes ? ["ProRes"] : []) + (isRAW ? ["RAW"] : []) }
  /// True if there is an edit beside the original.
  public var isEdited: Bool { record.resources.contains { $0.type.isEdit } }
  /// The total size of its files in bytes.
  public var fileSize: Int64 { record.resources.byteCount }
  /// Its files, the main one first.
  public var resources: [AssetResource] { record.resources.map { AssetResource($0, of: self) } }
  /// The main file's original name.
  public var originalFilename: String { record.resources.first?.name ?? "" }
  /// The main file; nil for an asset without files.
  public var fileURL: URL? { resources.first?.fileURL }

  /// True for the same asset in the same state.
  public static func == (lhs: Asset, rhs: Asset) -> Bool {
    lhs.record == rhs.record && lhs.library === rhs.library
  }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(record.id) }
}

extension Asset {
  /// The assets of the shared library.
  ///
  /// - Throws: Errors of ``PhotoLibrary/fetchAssets(with:)``.
  public static func fetchAssets(
    with options: FetchOptions? = nil
  ) throws(MediaLibraryError) -> FetchResult {
    try PhotoLibrary.shared.fetchAssets(with: options)
  }

  /// The shared library's assets of one kind.
  ///
  /// - Throws: Errors of ``PhotoLibrary/fetchAssets(with:)``.
  public static func fetchAssets(
    with mediaType: AssetMediaType, options: FetchOptions? = nil
  ) throws(MediaLibraryError) -> FetchResult {
    var options = options ?? FetchOptions()
    let type = AssetPredicate.mediaType(mediaType)
    options.predicate = options.predicate.map { .all([type, $0]) } ?? type
    return try PhotoLibrary.shared.fetchAssets(with: options)
  }

  /// The assets of an album.
  ///
  /// - Throws: Errors of ``PhotoLibrary/fetchAssets(with:)``.
  public static func fetchAssets(
    in collection: AssetCollection, options: FetchOptions? = nil
  ) throws(MediaLibraryError) -> FetchResult {
    try collection.library.fetchAssets(in: collection.album, options: options)
  }

  /// The shared library's assets with these identifiers; unknown ones are skipped.
  ///
  /// - Throws: Errors of ``PhotoLibrary/fetchAssets(with:)``.
  public static func fetchAssets(
    withLocalIdentifiers identifiers: [String]
  ) throws(MediaLibraryError) -> [Asset] {
    try PhotoLibrary.shared.fetchAssets(withLocalIdentifiers: identifiers)
  }
}
