public import FoundationEssentials

/// A photo, a video or sound in a library, as `PHAsset`: what was known when it was fetched.
public struct Asset: Sendable, Hashable, Identifiable {
  /// The library it is in.
  public let library: PhotoLibrary
  let record: AssetRecord

  init(_ record: AssetRecord, in library: PhotoLibrary) {
    self.record = record
    self.library = library
  }

  /// The identifier, the same for ever.
  public var localIdentifier: String { record.id }
  /// The identifier: a UUID, the same for the asset's whole life.
  public var id: String { record.id }
  /// What it is.
  public var mediaType: AssetMediaType { record.mediaType }
  /// When it was made.
  public var creationDate: Date { Date(timeIntervalSince1970: record.created) }
  /// When it came into the library.
  public var additionDate: Date { Date(timeIntervalSince1970: record.added) }
  /// When something about it changed last.
  public var modificationDate: Date { Date(timeIntervalSince1970: record.modified) }
  /// When it was put among the recently deleted; nil where it was not.
  public var deletionDate: Date? { record.trashed.map { Date(timeIntervalSince1970: $0) } }
  /// Where it was made.
  public var location: GeographicLocation? { record.location }
  /// True for a favorite.
  public var isFavorite: Bool { record.favorite }
  /// Pixels in a row; 0 for sound.
  public var pixelWidth: Int { record.facts.width }
  /// Rows; 0 for sound.
  public var pixelHeight: Int { record.facts.height }
  /// Seconds; 0 for photos.
  public var duration: Double { record.facts.duration }
  /// What its main file says of itself.
  public var facts: MediaFacts { record.facts }
  /// True for what carries the "ProRes" badge.
  public var isProRes: Bool { record.facts.isProRes }
  public var isRAW: Bool { record.facts.isRAW }
  /// The words that Photos would put on it: `ProRes`, `RAW`.
  public var badges: [String] { (isProRes ? ["ProRes"] : []) + (isRAW ? ["RAW"] : []) }
  /// True where there is an edit beside the original.
  public var isEdited: Bool { record.resources.contains { $0.type.isEdit } }
  /// Bytes of all its files.
  public var fileSize: Int64 { record.resources.byteCount }
  /// Its files, the main one first.
  public var resources: [AssetResource] { record.resources.map { AssetResource($0, of: self) } }
  /// The main file's name, as it came.
  public var originalFilename: String { record.resources.first?.name ?? "" }
  /// The main file; nil for an asset without files.
  public var fileURL: URL? { resources.first?.fileURL }

  /// True where both are the same asset.
  public static func == (lhs: Asset, rhs: Asset) -> Bool {
    lhs.record == rhs.record && lhs.library === rhs.library
  }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(record.id) }
}

extension Asset {
  /// The assets of the shared library.
  ///
  /// - Throws: As ``PhotoLibrary/fetchAssets(with:)``.
  public static func fetchAssets(
    with options: FetchOptions? = nil
  ) throws(MediaLibraryError) -> FetchResult {
    try PhotoLibrary.shared.fetchAssets(with: options)
  }

  /// The shared library's assets of one kind.
  ///
  /// - Throws: As ``PhotoLibrary/fetchAssets(with:)``.
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
  /// - Throws: As ``PhotoLibrary/fetchAssets(with:)``.
  public static func fetchAssets(
    in collection: AssetCollection, options: FetchOptions? = nil
  ) throws(MediaLibraryError) -> FetchResult {
    try collection.library.fetchAssets(in: collection.album, options: options)
  }

  /// The shared library's assets with these identifiers; unknown ones are left out.
  ///
  /// - Throws: As ``PhotoLibrary/fetchAssets(with:)``.
  public static func fetchAssets(
    withLocalIdentifiers identifiers: [String]
  ) throws(MediaLibraryError) -> [Asset] {
    try PhotoLibrary.shared.fetchAssets(withLocalIdentifiers: identifiers)
  }
}
