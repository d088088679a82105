import GRDB
import MediaCore

/// What can still be read of a catalogue.
struct SalvagedCatalogue {
  /// The assets, in the order of their rows.
  var records: [AssetRecord] = []
  /// The albums of users; of a damaged catalogue none, as the journal has them.
  var albums: [AlbumRecord] = []
  /// The files that are to go; of a damaged catalogue none, as the journal has them.
  var removals: [PendingRemoval] = []
  /// How much of the journal is in them; nil where only part of the assets could be read.
  var position: Catalogue.Position?

  /// All of a catalogue.
  ///
  /// - Throws: ``MediaLibraryError/Code/catalogueDamaged`` where any part of it is damaged.
  init(whole catalogue: Catalogue) throws(MediaLibraryError) {
    try catalogue.checkIntegrity()
    (position, records, albums, removals) = try catalogue.read { db in
      let ids = try Int64.fetchAll(db, sql: "SELECT id FROM asset ORDER BY id")
      return (
        try Catalogue.position(db), try Catalogue.records(ids: ids, db).map(\.record),
        try Catalogue.wholeAlbums(db), try Catalogue.pendingRemovals(db).compactMap(\.removal)
      )
    }
    // A line of the journal with such a name would be skipped.
    if let flaw = records.lazy.compactMap(\.flaw).first {
      throw MediaLibraryError(
        .catalogueDamaged, "\(catalogue.path): \(flaw); rebuild the library")
    }
  }

  /// The assets of a damaged catalogue that lie in whole pages; none where it cannot be opened, or its
  /// tables are not those that this program makes.
  init(damagedAt path: String) {
    guard let queue = try? DatabaseQueue(path: path, configuration: CatalogueGuard.configuration)
    else {
      return
    }
    records = queue.inDatabase { db -> [AssetRecord] in
      guard (try? CatalogueGuard.checkSchema(db, path)) != nil else { return [] }
      return Self.ids(db).compactMap { id in
        guard let record = try? Catalogue.records(ids: [id], db).first?.record,
          record.flaw == nil, record.resources.contains(where: { $0.type.isPrimary })
        else { return nil }
        return record
      }
    }
    try? queue.close()
  }

  /// The rows' numbers, as far as the table can be walked from either end, and an index beside it.
  private static func ids(_ db: Database) -> [Int64] {
    var ids: Set<Int64> = []
    for question in [
      "SELECT id FROM asset NOT INDEXED ORDER BY id",
      "SELECT id FROM asset NOT INDEXED ORDER BY id DESC",
      "SELECT id FROM asset INDEXED BY assetCreated WHERE trashed IS NULL",
    ] {
      guard let cursor = try? Int64.fetchCursor(db, sql: question) else { continue }
      while let id = try? cursor.next() { ids.insert(id) }
    }
    return ids.sorted()
  }
}
