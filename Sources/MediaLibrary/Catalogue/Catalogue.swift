import CCatalogue
import Foundation
import GRDB
import MediaCore

/// The catalogue: a SQLite file for queries. Everything in it is in the journal too.
///
/// Its pages have checksums: a damaged page fails the read with
/// ``MediaLibraryError/Code/catalogueDamaged``.
final class Catalogue: Sendable {
  let path: String
  /// True if it was built in memory from the journal, for reading only.
  let isInMemory: Bool
  private let pool: any DatabaseWriter

  /// Opens a catalogue, or creates it.
  ///
  /// - Throws: ``MediaLibraryError/Code/catalogueTooNew``, ``MediaLibraryError/Code/catalogueDamaged``,
  ///   ``MediaLibraryError/Code/accessDenied``, ``MediaLibraryError/Code/diskFull``.
  init(path: String) throws(MediaLibraryError) {
    self.path = path
    isInMemory = false
    pool = try Self.translated(path) {
      var configuration = CatalogueGuard.configuration
      configuration.busyMode = .timeout(30)
      configuration.maximumReaderCount = 4
      // 16 MB: a change of a thousand assets does not wait for a checkpoint. What a power cut
      // destroys is restored from the journal. The cache keeps pages that a change touches
      // repeatedly; SQLite's default 2 MB are too few.
      configuration.prepareDatabase {
        try CatalogueGuard.prepare($0)
        catalogue_pages_reserve($0.sqliteConnection)
        guard catalogue_pages_have_no_room($0.sqliteConnection) == 0 else {
          throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "has no checksums")
        }
        try $0.execute(sql: "PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16000")
      }
      let pool = try DatabasePool(path: path, configuration: configuration)
      let migrator = CatalogueSchema.migrator
      let isSuperseded = try pool.read { try migrator.hasBeenSuperseded($0) }
      guard !isSuperseded else {
        throw MediaLibraryError(
          .catalogueTooNew,
          "\(path): created by a newer version of this program; use that version")
      }
      try migrator.migrate(pool)
      try pool.read {
        try CatalogueGuard.checkSchema($0, path)
        _ = try Self.position($0)
      }
      try pool.writeWithoutTransaction { try CatalogueGuard.trustSchema($0) }
      return pool
    }
  }

  /// An in-memory catalogue for a library opened read-only: nothing is written, and the catalogue
  /// file, which may come from a stranger, is not opened.
  ///
  /// - Parameter path: The path that messages name.
  init(inMemoryFor path: String) throws(MediaLibraryError) {
    self.path = path
    isInMemory = true
    pool = try Self.translated(path) {
      let queue = try DatabaseQueue(configuration: CatalogueGuard.configuration)
      try CatalogueSchema.migrator.migrate(queue)
      try queue.writeWithoutTransaction { try CatalogueGuard.trustSchema($0) }
      return queue
    }
  }

  func read<Result>(
    _ body: (Database) throws -> Result
  ) throws(MediaLibraryError) -> Result {
    try Self.translated(path) { try pool.read(body) }
  }

  /// Writes in one transaction.
  func write<Result>(
    _ body: (Database) throws -> Result
  ) throws(MediaLibraryError) -> Result {
    try Self.translated(path) { try pool.write(body) }
  }

  func close() { try? pool.close() }

  /// Runs SQLite's integrity check.
  ///
  /// - Throws: ``MediaLibraryError/Code/catalogueDamaged`` with the first finding.
  func checkIntegrity() throws(MediaLibraryError) {
    let findings = try read { try String.fetchAll($0, sql: "PRAGMA integrity_check(1)") }
    guard findings == ["ok"] else {
      throw MediaLibraryError(
        .catalogueDamaged,
        "\(path): \(findings.first ?? "no answer"); rebuild the library")
    }
  }

  /// The last journal entry in the catalogue, and the offset at which it ends.
  struct Position: Sendable, Hashable {
    var sequence: Int64
    var offset: Int64
  }

  /// How much of the journal is in the catalogue.
  func position() throws(MediaLibraryError) -> Position {
    try read { try Catalogue.position($0) }
  }

  /// How much of the journal is in the catalogue.
  static func position(_ db: Database) throws -> Position {
    guard let row = try Row.fetchOne(db, sql: "SELECT sequence, offset FROM position") else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the position is missing")
    }
    let position = Position(sequence: try row.value("sequence"), offset: try row.value("offset"))
    guard (0..<JournalEntry.lastSequence).contains(position.sequence), position.offset >= 0 else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the position is invalid")
    }
    return position
  }

  /// Translates SQLite's errors.
  static func translated<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(MediaLibraryError) -> Result {
    do { return try body() } catch let error as MediaLibraryError {
      throw error
    } catch let error as DatabaseError {
      throw MediaLibraryError(error, path)
    } catch is RowDecodingError {
      throw MediaLibraryError(
        .catalogueDamaged, "\(path): contains values of the wrong type; rebuild the library")
    } catch is DecodingError {
      throw MediaLibraryError(
        .catalogueDamaged, "\(path): contains unreadable facts; rebuild the library")
    } catch {
      throw MediaLibraryError(.catalogueFailed, "\(path): \(error)")
    }
  }
}

extension MediaLibraryError {
  /// Translates an error of SQLite.
  fileprivate init(_ error: DatabaseError, _ path: String) {
    let reason = error.message ?? "SQLite \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_DATA:
      self.init(.catalogueDamaged, "\(path): a page has a wrong checksum; rebuild the library")
    case .SQLITE_ERROR where Self.isOfQuestion(reason):
      self.init(.invalidArgument, "the query is too large: \(reason); simplify it")
    // Missing tables or columns are damage, because the program creates them all itself.
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_SCHEMA, .SQLITE_MISMATCH,
      .SQLITE_FORMAT, .SQLITE_RANGE:
      self.init(.catalogueDamaged, "\(path): \(reason); rebuild the library")
    case .SQLITE_FULL:
      self.init(.diskFull, "\(path): \(reason); make room on the disk")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.busy, "\(path): \(reason); another process is using it; try again")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN:
      self.init(
        .accessDenied, "\(path): \(reason); check the permissions of the library's folder")
    default:
      self.init(.catalogueFailed, "\(path): \(reason)")
    }
  }

  /// True if SQLite rejects the query as too long or too deep, whatever the catalogue holds.
  private static func isOfQuestion(_ reason: String) -> Bool {
    ["too large", "too many", "too complex", "stack overflow"].contains { reason.contains($0) }
  }
}
