import Foundation
import GRDB

/// Reads assets from the catalogue.
extension Catalogue {
  /// The records of these rows, in the given order; missing rows are left out.
  static func records(
    ids: some Collection<Int64>, _ db: Database
  ) throws -> [(id: Int64, record: AssetRecord)] {
    var resources: [Int64: [ResourceRecord]] = [:]
    var assets: [Int64: AssetRecord] = [:]
    let wanted = Array(ids)
    for start in stride(from: 0, to: wanted.count, by: 500) {
      let batch = wanted[start..<min(start + 500, wanted.count)]
      let list = batch.map(String.init).joined(separator: ",")
      let files = try Row.fetchCursor(
        db, sql: "SELECT * FROM resource WHERE assetID IN (\(list)) ORDER BY assetID, position")
      while let row = try files.next() {
        resources[try row.value("assetID"), default: []].append(try resource(row))
      }
      let rows = try Row.fetchCursor(db, sql: "SELECT * FROM asset WHERE id IN (\(list))")
      while let row = try rows.next() {
        let id: Int64 = try row.value("id")
        assets[id] = try record(row, resources: resources[id] ?? [])
      }
    }
    return wanted.compactMap { id in assets[id].map { (id, $0) } }
  }

  /// The assets with these identifiers, in the given order; unknown identifiers are left out.
  static func records(identifiers: [String], _ db: Database) throws -> [AssetRecord] {
    var ids: [Int64] = []
    for identifier in identifiers {
      let statement = try db.cachedStatement(sql: "SELECT id FROM asset WHERE identifier = ?")
      if let id = try Int64.fetchOne(statement, arguments: [identifier]) { ids.append(id) }
    }
    return try records(ids: ids, db).map(\.record)
  }

  /// The subset of these hashes that files in the catalogue have.
  static func knownHashes(
    among hashes: [String], _ db: Database
  ) throws -> Set<String> {
    var question = try RowStatement(db, sql: "SELECT 1 FROM resource WHERE hash = ? LIMIT 1")
    var known: Set<String> = []
    for hash in hashes {
      try question.add(hash)
      if try question.hasAnswer() { known.insert(hash) }
    }
    return known
  }

  /// The first 16 assets, recently deleted ones excluded, whose photo, video or audio file has this
  /// content.
  static func assets(hash: String, size: Int64, _ db: Database) throws -> [AssetRecord] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT asset.id FROM resource JOIN asset ON asset.id = assetID
        WHERE hash = ? AND resource.size = ? AND type IN ('photo', 'video', 'audio')
          AND trashed IS NULL ORDER BY asset.id LIMIT 16
        """)
    return try records(ids: Int64.fetchAll(statement, arguments: [hash, size]), db).map(\.record)
  }

  private static func resource(_ row: Row) throws -> ResourceRecord {
    ResourceRecord(
      type: AssetResourceType(name: try row.value("type")) ?? .companion,
      path: try row.value("path"), name: try row.value("name"), uti: try row.value("uti"),
      size: try row.value("size"), hash: try row.value("hash"),
      modified: try row.value("modified"))
  }

  private static func record(_ row: Row, resources: [ResourceRecord]) throws -> AssetRecord {
    let facts: String = try row.value("facts")
    let latitude: Double? = try row.optionalValue("latitude")
    let longitude: Double? = try row.optionalValue("longitude")
    var location: GeographicLocation?
    if let latitude, let longitude {
      location = GeographicLocation(
        latitude: latitude, longitude: longitude, altitude: try row.optionalValue("altitude"))
    }
    return AssetRecord(
      id: try row.value("identifier"),
      mediaType: AssetMediaType(rawValue: try row.value("mediaType")) ?? .unknown,
      created: try row.value("created"), added: try row.value("added"),
      modified: try row.value("modified"), trashed: try row.optionalValue("trashed"),
      favorite: try row.value("favorite"), location: location,
      facts: try JSONDecoder().decode(MediaFacts.self, from: Data(facts.utf8)),
      resources: resources)
  }
}
