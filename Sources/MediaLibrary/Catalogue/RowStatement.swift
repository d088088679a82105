import GRDB
import GRDBSQLite

/// A statement run for many rows. Binding arguments through GRDB would take as long as SQLite's own
/// work.
struct RowStatement: ~Copyable {
  private let database: OpaquePointer
  private let statement: OpaquePointer
  private let sql: String
  private var position: CInt = 0

  init(_ db: Database, sql: String) throws {
    guard let database = db.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the catalogue is closed")
    }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(database, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw Self.error(database, code, sql) }
    self.database = database
    self.statement = statement
    self.sql = sql
  }

  deinit { sqlite3_finalize(statement) }

  // MARK: The values of a row, in order

  /// Binds the next value.
  mutating func add(_ value: String?) throws {
    guard var value else { return try addNull() }
    position += 1
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)  // SQLITE_TRANSIENT
    try check(
      value.withUTF8 { text in
        text.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(statement, position, $0.baseAddress, CInt($0.count), copies)
        }
      })
  }

  /// Binds the next value.
  mutating func add(_ value: Int64?) throws {
    guard let value else { return try addNull() }
    position += 1
    try check(sqlite3_bind_int64(statement, position, value))
  }

  /// Binds the next value.
  mutating func add(_ value: Int) throws { try add(Int64(value)) }

  /// Binds the next value.
  mutating func add(_ value: Bool) throws { try add(Int64(value ? 1 : 0)) }

  /// Binds the next value.
  mutating func add(_ value: Double?) throws {
    guard let value else { return try addNull() }
    position += 1
    try check(sqlite3_bind_double(statement, position, value))
  }

  private mutating func addNull() throws {
    position += 1
    try check(sqlite3_bind_null(statement, position))
  }

  /// Runs the statement with the bound values, and resets it for the next row.
  ///
  /// - Returns: The number of the row inserted last.
  @discardableResult
  mutating func run() throws -> Int64 {
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else {
      let error = Self.error(database, code, sql)
      sqlite3_reset(statement)
      throw error
    }
    try check(sqlite3_reset(statement))
    position = 0
    return sqlite3_last_insert_rowid(database)
  }

  /// True if the query with the bound values has a result. Resets the statement for the next row.
  mutating func hasAnswer() throws -> Bool {
    let code = sqlite3_step(statement)
    guard code == SQLITE_ROW || code == SQLITE_DONE else {
      let error = Self.error(database, code, sql)
      sqlite3_reset(statement)
      throw error
    }
    try check(sqlite3_reset(statement))
    position = 0
    return code == SQLITE_ROW
  }

  private func check(_ code: CInt) throws {
    guard code == SQLITE_OK else { throw Self.error(database, code, sql) }
  }

  private static func error(
    _ database: OpaquePointer, _ code: CInt, _ sql: String
  ) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(database)),
      sql: sql)
  }
}
