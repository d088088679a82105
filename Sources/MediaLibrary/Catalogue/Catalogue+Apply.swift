import Foundation
import GRDB

/// Writing the journal's entries into the catalogue.
extension Catalogue {
  /// Brings an entry that ends there in the journal into the catalogue.
  static func apply(_ entry: JournalEntry, endOffset: Int64, to db: Database) throws {
    try apply(entry, to: db)
    try set(Position(sequence: entry.sequence, offset: endOffset), in: db)
  }

  /// Remembers how much of the journal is in the catalogue.
  static func set(_ position: Position, in db: Database) throws {
    try db.cachedStatement(sql: "UPDATE position SET sequence = ?, offset = ?")
      .execute(arguments: [position.sequence, position.offset])
  }

  /// Brings an entry into the catalogue, without a word of where the journal ends.
  static func apply(_ entry: JournalEntry, to db: Database) throws {
    if entry.begins == true { try clear(db) }
    try insert(entry.created, into: db)
    for update in entry.updates { try apply(update, date: entry.date, to: db) }
    for id in entry.removed {
      try db.cachedStatement(sql: "DELETE FROM asset WHERE identifier = ?").execute(arguments: [id])
    }
    for unlink in entry.unlinks {
      let status = try text(unlink.status)
      try db.cachedStatement(sql: "INSERT INTO pendingUnlink(path, status) VALUES (?, ?)")
        .execute(arguments: [unlink.path, status])
    }
  }

  private static func clear(_ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM resource;
        DELETE FROM asset;
        DELETE FROM pendingUnlink;
        INSERT INTO assetText(assetText) VALUES ('rebuild');
        """)
  }

  private static func insert(_ records: [AssetRecord], into db: Database) throws {
    var first: Int64?
    for record in records {
      let id = try insert(record, into: db)
      first = first ?? id
    }
    guard let first else { return }
    // A new row has a higher number than all there are.
    try db.cachedStatement(
      sql: "INSERT INTO assetText(rowid, text) SELECT id, text FROM asset WHERE id >= ?"
    ).execute(arguments: [first])
  }

  /// - Returns: The asset's row.
  private static func insert(_ record: AssetRecord, into db: Database) throws -> Int64 {
    let facts = record.facts
    let json = try text(facts)
    let rate = facts.frameRate.flatMap(rate)
    try db.cachedStatement(
      sql: """
        INSERT INTO asset(identifier, mediaType, created, added, modified, trashed, favorite,
          latitude, longitude, altitude, isProRes, isRAW, codec, width, height, frameRate, duration,
          size, facts, text)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      record.id, record.mediaType.rawValue, record.created, record.added, record.modified,
      record.trashed, record.favorite, record.location?.latitude, record.location?.longitude,
      record.location?.altitude, facts.isProRes, facts.isRAW, facts.codec, facts.width,
      facts.height, rate, facts.duration, record.resources.reduce(0) { $0 + $1.size }, json,
      record.searchText,
    ])
    let id = db.lastInsertedRowID
    for (position, resource) in record.resources.enumerated() {
      try db.cachedStatement(
        sql: """
          INSERT INTO resource(assetID, position, type, path, name, uti, size, hash, modified)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        id, position, resource.type.rawValue, resource.path, resource.name, resource.uti,
        resource.size, resource.hash, resource.modified,
      ])
    }
    return id
  }

  private static func apply(
    _ update: JournalEntry.Update, date: Double, to db: Database
  ) throws {
    func set(_ assignment: String, _ arguments: StatementArguments) throws {
      try db.cachedStatement(
        sql: "UPDATE asset SET \(assignment), modified = ? WHERE identifier = ?"
      ).execute(arguments: arguments + [date, update.id])
    }
    if let favorite = update.favorite { try set("favorite = ?", [favorite]) }
    if let created = update.created { try set("created = ?", [created]) }
    if let place = update.location {
      try set(
        "latitude = ?, longitude = ?, altitude = ?",
        [place.value?.latitude, place.value?.longitude, place.value?.altitude])
    }
    if let moment = update.trashed { try set("trashed = ?", [moment.value]) }
  }

  /// JSON as the catalogue keeps it.
  private static func text(_ object: some JSONObject) throws -> String {
    String(decoding: try JSONText.bytes(object), as: UTF8.self)
  }

  /// `30000/1001` as a number.
  private static func rate(_ text: String) -> Double? {
    let parts = text.split(separator: "/").compactMap { Double($0) }
    guard let first = parts.first else { return nil }
    return parts.count == 2 && parts[1] != 0 ? first / parts[1] : first
  }
}
