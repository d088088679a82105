import Foundation
import GRDB
import MediaCore

/// Writes journal entries into the catalogue.
extension Catalogue {
  /// Applies an entry, and records the journal offset at which it ends.
  static func apply(_ entry: JournalEntry, endOffset: Int64, to db: Database) throws {
    try apply(entry, to: db)
    try set(Position(sequence: entry.sequence, offset: endOffset), in: db)
  }

  /// Records how much of the journal is in the catalogue.
  static func set(_ position: Position, in db: Database) throws {
    try db.cachedStatement(sql: "UPDATE position SET sequence = ?, offset = ?")
      .execute(arguments: [position.sequence, position.offset])
  }

  /// Applies an entry without recording where it ends in the journal.
  static func apply(_ entry: JournalEntry, to db: Database) throws {
    if entry.begins == true { try clear(db) }
    try insert(entry.created, into: db)
    for update in entry.updates { try apply(update, date: entry.date, to: db) }
    for id in entry.removed {
      try db.cachedStatement(sql: "DELETE FROM asset WHERE identifier = ?").execute(arguments: [id])
    }
    for change in entry.albums ?? [] { try apply(change, date: entry.date, to: db) }
    for unlink in entry.unlinks {
      let note = unlink.path.isAbsolutePath ? entry.note : nil
      let status = try text(PendingUnlink(status: unlink.status, note: note))
      try db.cachedStatement(sql: "INSERT INTO pendingUnlink(path, status) VALUES (?, ?)")
        .execute(arguments: [unlink.path, status])
    }
  }

  private static func clear(_ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM album;
        DELETE FROM resource;
        DELETE FROM asset;
        DELETE FROM pendingUnlink;
        INSERT INTO assetText(assetText) VALUES ('rebuild');
        """)
  }

  private static let resourceInsertion = """
    INSERT INTO resource(assetID, position, type, path, name, uti, size, hash, modified)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  private static func insert(_ records: [AssetRecord], into db: Database) throws {
    guard !records.isEmpty else { return }
    var assets = try RowStatement(
      db,
      sql: """
        INSERT INTO asset(identifier, mediaType, created, added, modified, trashed, favorite,
          latitude, longitude, altitude, isProRes, isRAW, codec, width, height, frameRate, duration,
          size, facts, text)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    var resources = try RowStatement(db, sql: resourceInsertion)
    var first: Int64?
    for record in records {
      let id = try insert(record, with: &assets)
      first = first ?? id
      for (position, resource) in record.resources.enumerated() {
        try insert(resource, of: id, at: position, with: &resources)
      }
    }
    // New rows have higher numbers than all existing ones.
    try db.cachedStatement(
      sql: "INSERT INTO assetText(rowid, text) SELECT id, text FROM asset WHERE id >= ?"
    ).execute(arguments: [first])
  }

  /// - Returns: The asset's row number.
  private static func insert(
    _ record: AssetRecord, with statement: inout RowStatement
  ) throws -> Int64 {
    let facts = record.facts
    try statement.add(record.id)
    try statement.add(record.mediaType.rawValue)
    try statement.add(record.created)
    try statement.add(record.added)
    try statement.add(record.modified)
    try statement.add(record.trashed)
    try statement.add(record.favorite)
    try statement.add(record.location?.latitude)
    try statement.add(record.location?.longitude)
    try statement.add(record.location?.altitude)
    try statement.add(facts.isProRes)
    try statement.add(facts.isRAW)
    try statement.add(facts.codec)
    try statement.add(facts.width)
    try statement.add(facts.height)
    try statement.add(facts.frameRate.flatMap(rate))
    try statement.add(facts.duration)
    try statement.add(record.resources.byteCount)
    try statement.add(text(facts))
    try statement.add(record.searchText)
    return try statement.run()
  }

  private static func insert(
    _ resource: ResourceRecord, of asset: Int64, at position: Int,
    with statement: inout RowStatement
  ) throws {
    try statement.add(asset)
    try statement.add(position)
    try statement.add(resource.type.name)
    try statement.add(resource.path)
    try statement.add(resource.name)
    try statement.add(resource.uti)
    try statement.add(resource.size)
    try statement.add(resource.hash)
    try statement.add(resource.modified)
    try statement.run()
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
    if let resources = update.resources {
      try set("size = ?", [resources.byteCount])
      try replaceResources(of: update.id, with: resources, in: db)
    }
  }

  private static func replaceResources(
    of identifier: String, with resources: [ResourceRecord], in db: Database
  ) throws {
    let question = try db.cachedStatement(sql: "SELECT id FROM asset WHERE identifier = ?")
    guard let id = try Int64.fetchOne(question, arguments: [identifier]) else { return }
    try db.cachedStatement(sql: "DELETE FROM resource WHERE assetID = ?").execute(arguments: [id])
    var statement = try RowStatement(db, sql: resourceInsertion)
    for (position, resource) in resources.enumerated() {
      try insert(resource, of: id, at: position, with: &statement)
    }
    try renewText(of: id, in: db)
  }

  /// Updates an asset's search text, which includes its file names. The index stores no text, so it
  /// needs the old text to remove it.
  private static func renewText(of id: Int64, in db: Database) throws {
    guard let text = try records(ids: [id], db).first?.record.searchText else { return }
    let question = try db.cachedStatement(sql: "SELECT text FROM asset WHERE id = ?")
    guard let old = try String.fetchOne(question, arguments: [id]),
      !old.utf8.elementsEqual(text.utf8)
    else { return }
    try db.cachedStatement(
      sql: "INSERT INTO assetText(assetText, rowid, text) VALUES ('delete', ?, ?)"
    ).execute(arguments: [id, old])
    try db.cachedStatement(sql: "UPDATE asset SET text = ? WHERE id = ?")
      .execute(arguments: [text, id])
    try db.cachedStatement(sql: "INSERT INTO assetText(rowid, text) VALUES (?, ?)")
      .execute(arguments: [id, text])
  }

  /// The object as JSON, as the catalogue stores it.
  private static func text(_ object: some JSONObject) throws -> String {
    String(decoding: try JSONText.bytes(object), as: UTF8.self)
  }

  /// Converts a fraction such as `30000/1001`.
  private static func rate(_ text: String) -> Double? {
    let parts = text.split(separator: "/").compactMap { Double($0) }
    guard let first = parts.first else { return nil }
    return parts.count == 2 && parts[1] != 0 ? first / parts[1] : first
  }
}
