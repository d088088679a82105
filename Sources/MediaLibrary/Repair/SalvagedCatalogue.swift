import GRDB
import MediaCore

/// What can still be read from a catalogue.
struct SalvagedCatalogue {
  /// The assets, in the order of their rows.
  var records: [AssetRecord] = []
  /// The user albums. None from a damaged catalogue: the journal has them.
  var albums: [AlbumRecord] = []
  /// The files waiting to be removed. None from a damaged catalogue: the journal has them.
  var removals: [PendingRemoval] = []
  /// How much of the journal they include; nil if only part of the assets could be read.
  var position: Catalogue.Position?

  /// Reads an intact catalogue.
  ///
  /// - Throws: ``MediaLibraryError/Code/catalogueDamaged`` if any part of it is damaged.
  init(whole catalogue: Catalogue) throws(MediaLibraryError) {
    try catalogue.checkIntegrity()
    (position, records, albums, removals) = try catalogue.read { db in
      let ids = try Int64.fetchAll(db, sql: "SELECT id FROM asset ORDER BY id")
      return (
        try Catalogue.position(db), try Catalogue.records(ids: ids, db).map(\.record),
        try Catalogue.wholeAlbums(db), try Catalogue.pendingRemovals(db).compactMap(\.removal)
      )
    }
    // A journal line with such a name would be skipped.
    if let flaw = records.lazy.compactMap(\.flaw).first {
      throw MediaLibraryError(
        .catalogueDamaged, "\(catalogue.path): \(flaw); rebuild the library")
    }
  }

  /// Reads the assets of a damaged catalogue that are in intact pages; none if it cannot be opened,
  /// or its schema is not this program's.
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

  /// The row numbers, as far as the table can be read from either end, and through an index.
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
