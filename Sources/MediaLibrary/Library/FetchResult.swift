/// The assets found by a fetch, in order, like `PHFetchResult`. The set is fixed; the assets' data
/// is read on demand.
public struct FetchResult: Sendable {
  /// The query.
  struct Question: Sendable {
    var album: AssetCollection.SmartAlbum
    /// The identifier of a user album; nil for none.
    var userAlbum: String?
    var options: FetchOptions
  }

  private let library: PhotoLibrary
  private let question: Question
  private let ids: [Int64]
  /// The catalogue that the row numbers refer to; another one has different numbers.
  private let generation: LibraryCore.Generation

  init(
    _ ids: [Int64], of generation: LibraryCore.Generation, to question: Question,
    in library: PhotoLibrary
  ) {
    self.ids = ids
    self.generation = generation
    self.question = question
    self.library = library
  }

  /// The number of assets.
  public var count: Int { ids.count }
  public var isEmpty: Bool { ids.isEmpty }

  /// The first asset; nil if there is none.
  ///
  /// - Throws: ``MediaLibraryError`` if the catalogue cannot be read.
  public var firstObject: Asset? {
    get throws(MediaLibraryError) { try objects(in: 0..<min(1, count)).first }
  }

  /// The last asset; nil if there is none.
  ///
  /// - Throws: ``MediaLibraryError`` if the catalogue cannot be read.
  public var lastObject: Asset? {
    get throws(MediaLibraryError) { try objects(in: max(0, count - 1)..<count).last }
  }

  /// The asset at an index; nil if it no longer exists, or the index is out of range.
  ///
  /// - Throws: ``MediaLibraryError`` if the catalogue cannot be read.
  public func object(at index: Int) throws(MediaLibraryError) -> Asset? {
    guard ids.indices.contains(index) else { return nil }
    return try objects(in: index..<(index + 1)).first
  }

  /// The assets in a range of indexes, without those that no longer exist.
  ///
  /// - Throws: ``MediaLibraryError`` if the catalogue cannot be read.
  public func objects(in range: Range<Int>) throws(MediaLibraryError) -> [Asset] {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty else { return [] }
    return try library.withCore(for: .reading) { core throws(MediaLibraryError) in
      // A rebuilt catalogue has the same result, with different row numbers.
      let present =
        core.generation == generation ? ids : try library.ids(question, core)
      let wanted = present[range.clamped(to: present.indices)]
      return try core.catalogue.read { try Catalogue.records(ids: wanted, $0) }
        .map { Asset($0.record, in: library) }
    }
  }

  /// All assets.
  ///
  /// - Throws: ``MediaLibraryError`` if the catalogue cannot be read.
  public func allObjects() throws(MediaLibraryError) -> [Asset] { try objects(in: 0..<count) }

  /// Calls `body` for each asset in order, reading a few hundred at a time.
  ///
  /// - Throws: ``MediaLibraryError`` if the catalogue cannot be read.
  public func enumerateObjects(_ body: (Asset) -> Void) throws(MediaLibraryError) {
    for start in stride(from: 0, to: count, by: 500) {
      for asset in try objects(in: start..<min(start + 500, count)) { body(asset) }
    }
  }
}
