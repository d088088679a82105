import CCatalogue
import GRDB
import GRDBSQLite
import MediaCore

/// What keeps a catalogue that a stranger wrote from doing more than giving wrong answers: SQLite takes
/// no word of its schema on trust, and a schema that is not this program's is refused.
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

  /// Sets a new connection up, before anything is read from the file.
  static func prepare(_ db: Database) throws {
    guard let connection = db.sqliteConnection else { return }
    // Tables that SQLite keeps for its indexes cannot be written, nor the schema as a table.
    catalogue_be_defensive(connection)
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, longestValue)
    db.add(function: SearchWord.function)
    try db.execute(
      sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
  }

  /// Makes sure that the tables, indexes and triggers are those that this program makes, and that there
  /// are no views.
  ///
  /// - Throws: ``MediaLibraryError/Code/catalogueDamaged`` for any other.
  static func checkSchema(_ db: Database, _ path: String) throws {
    let found = try schema(of: db)
    let wanted = try expected.get()
    let strange = found.symmetricDifference(wanted).map(\.name).min()
    guard let strange else { return }
    throw MediaLibraryError(
      .catalogueDamaged,
      "\(path): '\(strange)' is not as this program makes it; rebuild the library")
  }

  /// Lets a connection that writes run our own trigger, once the schema is known to be ours: it removes
  /// words from their index, and SQLite 3.40 takes an index of words in a trigger for unsafe.
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
      // Statistics that ANALYZE makes; they are not part of the schema.
      if name.hasPrefix("sqlite_stat") { continue }
      // The tables inside the index of words are worded by SQLite, and that of migrations by GRDB, by
      // each version in its own way.
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
  /// A column's value. GRDB's own subscript ends the process where a stranger has put a text in the
  /// place of a number.
  ///
  /// - Throws: A `DatabaseError` (SQLITE_CORRUPT) for a value of another type, and for none.
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
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a value of '\(name)' that it cannot have")
  }
}
