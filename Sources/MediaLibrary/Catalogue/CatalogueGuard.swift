import CCatalogue
import GRDB
import GRDBSQLite
import MediaCore

/// Limits what a catalogue written by a stranger can do to giving wrong answers: SQLite does not
/// trust its schema, and any schema but this program's is refused.
enum CatalogueGuard {
  /// The longest text or row, in bytes.
  private static let longestValue: CInt = 64 << 20

  /// How every connection to a catalogue is set up.
  static var configuration: Configuration {
    catalogue_pages_register()
    var configuration = Configuration()
    configuration.label = "MediaLibrary"
    configuration.prepareDatabase { try prepare($0) }
    return configuration
  }

  /// Sets up a new connection before anything is read from the file.
  static func prepare(_ db: Database) throws {
    guard let connection = db.sqliteConnection else { return }
    // Protects the shadow tables of indexes, and the schema table, from writes.
    catalogue_be_defensive(connection)
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, longestValue)
    db.add(function: SearchWord.function)
    try db.execute(
      sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
  }

  /// Checks that tables, indexes and triggers are exactly those that this program makes, and that
  /// there are no views.
  ///
  /// - Throws: ``MediaLibraryError/Code/catalogueDamaged`` if they are not.
  static func checkSchema(_ db: Database, _ path: String) throws {
    let found = try schema(of: db)
    let wanted = try expected.get()
    let strange = found.symmetricDifference(wanted).map(\.name).min()
    guard let strange else { return }
    throw MediaLibraryError(
      .catalogueDamaged,
      "\(path): '\(strange)' differs from this program's schema; rebuild the library")
  }

  /// Lets a writing connection run the program's own trigger, once the schema has been checked. The
  /// trigger removes words from the word index, which SQLite 3.40 considers unsafe.
  static func trustSchema(_ db: Database) throws {
    try db.execute(sql: "PRAGMA trusted_schema = ON")
  }

  private struct Item: Hashable {
    var kind: String
    var name: String
    var table: String
    var sql: String
  }

  private static let expected = Result<Set<Item>, any Error> {
    let queue = try DatabaseQueue(configuration: configuration)
    try CatalogueSchema.migrator.migrate(queue)
    return try queue.read { try schema(of: $0) }
  }

  private static func schema(of db: Database) throws -> Set<Item> {
    var items: Set<Item> = []
    let rows = try Row.fetchCursor(db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master")
    while let row = try rows.next() {
      let name: String = try row.value("name")
      // Statistics from ANALYZE are not part of the schema.
      if name.hasPrefix("sqlite_stat") { continue }
      // The SQL of the word index's shadow tables depends on SQLite's version, and that of the
      // migration table on GRDB's.
      let isInner = name.hasPrefix("assetText_") || name == "grdb_migrations"
      let sql: String = try row.optionalValue("sql") ?? ""
      items.insert(
        Item(
          kind: try row.value("type"), name: name, table: try row.value("tbl_name"),
          sql: isInner ? "" : sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")))
    }
    return items
  }
}

extension Row {
  /// A column's value. Unlike GRDB's subscript, it does not trap if a stranger stored text in place
  /// of a number.
  ///
  /// - Throws: A `DatabaseError` (SQLITE_CORRUPT) for a value of another type, and for NULL.
  func value<Value: DatabaseValueConvertible>(_ name: String) throws -> Value {
    guard let value: Value = try optionalValue(name) else { throw Self.corrupt(name) }
    return value
  }

  /// A column's value; nil for NULL.
  ///
  /// - Throws: As ``value(_:)``.
  func optionalValue<Value: DatabaseValueConvertible>(_ name: String) throws -> Value? {
    let stored: DatabaseValue = self[name]
    if stored.isNull { return nil }
    guard let value = Value.fromDatabaseValue(stored) else { throw Self.corrupt(name) }
    return value
  }

  private static func corrupt(_ name: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "invalid value of '\(name)'")
  }
}
