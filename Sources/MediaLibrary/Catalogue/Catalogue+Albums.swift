import GRDB

/// User albums in the catalogue.
extension Catalogue {
  /// The albums in order of creation, without their assets.
  static func albums(_ db: Database) throws -> [AlbumRecord] {
    let rows = try Row.fetchCursor(db, sql: "SELECT * FROM album ORDER BY created, id")
    var albums: [AlbumRecord] = []
    while let row = try rows.next() {
      albums.append(
        AlbumRecord(
          id: try row.value("identifier"), title: try row.value("title"),
          created: try row.value("created"), modified: try row.value("modified")))
    }
    return albums
  }

  /// The albums, with the identifiers of their assets.
  static func wholeAlbums(_ db: Database) throws -> [AlbumRecord] {
    try albums(db).map { album in
      var album = album
      album.assets = try assetIdentifiers(ofAlbum: album.id, db)
      return album
    }
  }

  /// The identifiers of an album's assets, in order; empty if the album does not exist.
  static func assetIdentifiers(ofAlbum identifier: String, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT asset.identifier FROM albumAsset JOIN asset ON asset.id = assetID
        WHERE albumID = (SELECT id FROM album WHERE identifier = ?) ORDER BY position
        """, arguments: [identifier])
  }

  /// The identifiers of an album's deleted assets that can still be restored.
  static func deletedIdentifiers(inAlbum identifier: String, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT asset.identifier FROM albumAsset JOIN asset ON asset.id = assetID
        WHERE albumID = (SELECT id FROM album WHERE identifier = ?) AND trashed IS NOT NULL
        ORDER BY position
        """, arguments: [identifier])
  }

  /// The identifiers of the albums that contain an asset.
  static func albumIdentifiers(ofAsset identifier: String, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT album.identifier FROM albumAsset JOIN album ON album.id = albumID
        WHERE assetID = (SELECT id FROM asset WHERE identifier = ?) ORDER BY album.created, album.id
        """, arguments: [identifier])
  }

  /// Applies an album change to the catalogue.
  static func apply(
    _ change: JournalEntry.AlbumChange, date: Double, to db: Database
  ) throws {
    let modified = change.modified ?? date
    guard change.isDeleted != true else {
      try db.cachedStatement(sql: "DELETE FROM album WHERE identifier = ?")
        .execute(arguments: [change.id])
      return
    }
    if let created = change.created {
      try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO album(identifier, title, created, modified) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [change.id, change.title ?? "", created, modified])
    }
    if let title = change.title {
      try db.cachedStatement(sql: "UPDATE album SET title = ? WHERE identifier = ?")
        .execute(arguments: [title, change.id])
    }
    for asset in change.removed ?? [] {
      try db.cachedStatement(
        sql: """
          DELETE FROM albumAsset WHERE albumID = (SELECT id FROM album WHERE identifier = ?)
            AND assetID = (SELECT id FROM asset WHERE identifier = ?)
          """
      ).execute(arguments: [change.id, asset])
    }
    try add(change.added ?? [], toAlbum: change.id, db)
    if let arranged = change.arranged {
      try db.cachedStatement(
        sql: "DELETE FROM albumAsset WHERE albumID = (SELECT id FROM album WHERE identifier = ?)"
      ).execute(arguments: [change.id])
      try add(arranged, toAlbum: change.id, db)
    }
    try db.cachedStatement(sql: "UPDATE album SET modified = ? WHERE identifier = ?")
      .execute(arguments: [modified, change.id])
  }

  /// Appends assets to an album.
  private static func add(
    _ assets: [String], toAlbum album: String, _ db: Database
  ) throws {
    for asset in assets {
      try db.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO albumAsset(albumID, position, assetID)
          SELECT album.id,
            (SELECT COALESCE(MAX(position), -1) + 1 FROM albumAsset WHERE albumID = album.id),
            asset.id
          FROM album, asset WHERE album.identifier = ? AND asset.identifier = ?
          """
      ).execute(arguments: [album, asset])
    }
  }
}
