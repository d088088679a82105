import GRDB

extension PhotoLibrary {
  /// The assets that match the options.
  ///
  /// - Throws: ``MediaLibraryError`` if access is denied or the catalogue cannot be read.
  public func fetchAssets(
    with options: FetchOptions? = nil
  ) throws(MediaLibraryError) -> FetchResult {
    try fetchAssets(in: .userLibrary, options: options)
  }

  /// An album's assets that match the options.
  ///
  /// - Throws: Errors of ``fetchAssets(with:)``.
  public func fetchAssets(
    in album: AssetCollection.SmartAlbum, options: FetchOptions? = nil
  ) throws(MediaLibraryError) -> FetchResult {
    try fetchAssets(
      answering: FetchResult.Question(album: album, options: options ?? FetchOptions()))
  }

  func fetchAssets(
    answering question: FetchResult.Question
  ) throws(MediaLibraryError) -> FetchResult {
    try withCore(for: .reading) { core throws(MediaLibraryError) in
      FetchResult(
        try ids(question, core), of: core.generation, to: question, in: self)
    }
  }

  /// The rows that match a query.
  func ids(
    _ question: FetchResult.Question, _ core: LibraryCore
  ) throws(MediaLibraryError) -> [Int64] {
    try checkReading(core)
    return try core.catalogue.read { db in
      try AssetQuery(
        question.options, in: question.album, userAlbum: question.userAlbum, broadness: broadness,
        db
      ).ids(db)
    }
  }

  /// The assets with these identifiers, in this order; unknown identifiers are skipped.
  ///
  /// - Throws: Errors of ``fetchAssets(with:)``.
  public func fetchAssets(
    withLocalIdentifiers identifiers: [String]
  ) throws(MediaLibraryError) -> [Asset] {
    try reading { try Catalogue.records(identifiers: identifiers, $0) }
      .map { Asset($0, in: self) }
  }

  /// The assets whose identifiers begin with a prefix, two at most.
  ///
  /// - Throws: Errors of ``fetchAssets(with:)``.
  public func fetchAssets(
    withIdentifierPrefix prefix: String
  ) throws(MediaLibraryError) -> [Asset] {
    let wanted = prefix.uppercased()
    guard !wanted.isEmpty, wanted.allSatisfy({ $0.isHexDigit || $0 == "-" }) else { return [] }
    return try reading { db in
      let ids = try Int64.fetchAll(
        db, sql: "SELECT id FROM asset WHERE identifier >= ? AND identifier < ? LIMIT 2",
        arguments: [wanted, wanted + "~"])
      return try Catalogue.records(ids: ids, db).map(\.record)
    }.map { Asset($0, in: self) }
  }

  /// The number of assets in an album.
  ///
  /// - Throws: Errors of ``fetchAssets(with:)``.
  public func assetCount(
    in album: AssetCollection.SmartAlbum, options: FetchOptions? = nil
  ) throws(MediaLibraryError) -> Int {
    try reading { db in
      try AssetQuery(options ?? FetchOptions(), in: album, broadness: broadness, db).count(db)
    }
  }

  public var albums: [AssetCollection] {
    AssetCollection.SmartAlbum.allCases.map { AssetCollection($0, in: self) }
  }

  func reading<Result>(
    _ body: (Database) throws -> Result
  ) throws(MediaLibraryError) -> Result {
    try withCore(for: .reading) { core throws(MediaLibraryError) in
      try checkReading(core)
      return try core.catalogue.read(body)
    }
  }
}
