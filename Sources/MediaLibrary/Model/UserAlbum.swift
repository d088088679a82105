public import FoundationEssentials

/// An album made by a user, like `PHAssetCollection` of type `album`: its state when it was
/// fetched.
public struct UserAlbum: Sendable, Hashable, Identifiable {
  public let library: PhotoLibrary
  let record: AlbumRecord

  init(_ record: AlbumRecord, in library: PhotoLibrary) {
    self.record = record
    self.library = library
  }

  /// A UUID that never changes.
  public var localIdentifier: String { record.id }
  /// A UUID that never changes.
  public var id: String { record.id }
  /// The title, which need not be unique.
  public var title: String { record.title }
  /// When it was created.
  public var creationDate: Date { Date(timeIntervalSince1970: record.created) }
  /// When its title or its assets last changed.
  public var modificationDate: Date { Date(timeIntervalSince1970: record.modified) }

  /// True for the same album in the same state.
  public static func == (lhs: UserAlbum, rhs: UserAlbum) -> Bool {
    lhs.record == rhs.record && lhs.library === rhs.library
  }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(record.id) }
}
