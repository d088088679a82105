public import FoundationEssentials

/// An album that users make, as `PHAssetCollection` of the kind `album`: what was known when it was fetched.
public struct UserAlbum: Sendable, Hashable, Identifiable {
  /// The library it is in.
  public let library: PhotoLibrary
  let record: AlbumRecord

  init(_ record: AlbumRecord, in library: PhotoLibrary) {
    self.record = record
    self.library = library
  }

  /// The identifier, the same for ever.
  public var localIdentifier: String { record.id }
  /// The identifier: a UUID, the same for the album's whole life.
  public var id: String { record.id }
  /// The title. Two albums may have the same.
  public var title: String { record.title }
  /// When it was made.
  public var creationDate: Date { Date(timeIntervalSince1970: record.created) }
  /// When its title or its assets changed last.
  public var modificationDate: Date { Date(timeIntervalSince1970: record.modified) }

  /// True where both are the same album as it was at the same time.
  public static func == (lhs: UserAlbum, rhs: UserAlbum) -> Bool {
    lhs.record == rhs.record && lhs.library === rhs.library
  }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(record.id) }
}
