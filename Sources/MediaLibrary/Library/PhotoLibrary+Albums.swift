import GRDB

extension PhotoLibrary {
  /// The user albums, in order of creation.
  ///
  /// - Throws: Errors of ``fetchAssets(with:)``.
  public func userAlbums() throws(MediaLibraryError) -> [UserAlbum] {
    try reading { try Catalogue.albums($0) }.map { UserAlbum($0, in: self) }
  }

  /// The user albums with these identifiers, in this order; unknown identifiers are skipped.
  ///
  /// - Throws: Errors of ``fetchAssets(with:)``.
  public func userAlbums(
    withLocalIdentifiers identifiers: [String]
  ) throws(MediaLibraryError) -> [UserAlbum] {
    let all = Dictionary(try userAlbums().map { ($0.id, $0) }) { first, _ in first }
    return identifiers.compactMap { all[$0] }
  }

  /// The user albums that contain an asset.
  ///
  /// - Throws: Errors of ``fetchAssets(with:)``.
  public func userAlbums(containing asset: Asset) throws(MediaLibraryError) -> [UserAlbum] {
    let identifiers = try reading {
      try Catalogue.albumIdentifiers(ofAsset: asset.localIdentifier, $0)
    }
    return try userAlbums(withLocalIdentifiers: identifiers)
  }

  /// The assets of a user album, in its order unless the options specify one. Deleted assets are
  /// left out; they reappear if restored.
  ///
  /// - Throws: Errors of ``fetchAssets(with:)``.
  public func fetchAssets(
    in album: UserAlbum, options: FetchOptions? = nil
  ) throws(MediaLibraryError) -> FetchResult {
    try fetchAssets(
      answering: FetchResult.Question(
        album: .userLibrary, userAlbum: album.localIdentifier, options: options ?? FetchOptions()))
  }
}
