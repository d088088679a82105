import GRDB

extension PhotoLibrary {
  /// The albums that users made, in the order in which they were made.
  ///
  /// - Throws: As ``fetchAssets(with:)``.
  public func userAlbums() throws(MediaLibraryError) -> [UserAlbum] {
    try reading { try Catalogue.albums($0) }.map { UserAlbum($0, in: self) }
  }

  /// The albums that users made with these identifiers, in this order; those that there are not are left
  /// out.
  ///
  /// - Throws: As ``fetchAssets(with:)``.
  public func userAlbums(
    withLocalIdentifiers identifiers: [String]
  ) throws(MediaLibraryError) -> [UserAlbum] {
    let all = Dictionary(try userAlbums().map { ($0.id, $0) }) { first, _ in first }
    return identifiers.compactMap { all[$0] }
  }

  /// The albums that users made and that an asset is in.
  ///
  /// - Throws: As ``fetchAssets(with:)``.
  public func userAlbums(containing asset: Asset) throws(MediaLibraryError) -> [UserAlbum] {
    let identifiers = try reading {
      try Catalogue.albumIdentifiers(ofAsset: asset.localIdentifier, $0)
    }
    return try userAlbums(withLocalIdentifiers: identifiers)
  }

  /// The assets of an album that users made, in its order where the options have none. Deleted assets are
  /// left out; they are in it again when they are restored.
  ///
  /// - Throws: As ``fetchAssets(with:)``.
  public func fetchAssets(
    in album: UserAlbum, options: FetchOptions? = nil
  ) throws(MediaLibraryError) -> FetchResult {
    try fetchAssets(
      answering: FetchResult.Question(
        album: .userLibrary, userAlbum: album.localIdentifier, options: options ?? FetchOptions()))
  }
}
