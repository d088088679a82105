import Foundation
import GRDB

/// What the catalogue stores about a file waiting to be removed.
struct PendingUnlink: Decodable, JSONObject {
  /// The status by which the file is recognized.
  var status: FileStatus
  /// The note that names the file if it lies outside the library.
  var note: String?

  init(status: FileStatus, note: String?) {
    self.status = status
    self.note = note
  }

  private enum Keys: CodingKey { case note }

  init(from decoder: any Decoder) throws {
    status = try FileStatus(from: decoder)
    note = try decoder.container(keyedBy: Keys.self).decodeIfPresent(String.self, forKey: .note)
  }

  func write(to json: inout JSONText) {
    status.write(to: &json)
    json.add("note", note)
  }
}

/// A file that a change discarded and that is waiting to be removed.
struct PendingRemoval: Sendable, Hashable {
  var unlink: JournalEntry.Unlink
  /// The note that names the file if it lies outside the library.
  var note: String?

  /// Journal entries that schedule the removals, one for each note.
  static func entries(
    _ removals: [PendingRemoval], from sequence: Int64, date: Double
  ) -> [JournalEntry] {
    let notes = Set(removals.map(\.note)).sorted { ($0 ?? "") < ($1 ?? "") }
    return notes.enumerated().map { place, note in
      var entry = JournalEntry(sequence: sequence + Int64(place), date: date)
      entry.unlinks = removals.filter { $0.note == note }.map(\.unlink)
      entry.note = note
      return entry
    }
  }
}

extension Catalogue {
  /// The files waiting to be removed, with their rows. The removal is nil if the row cannot be
  /// read, or if an asset now has the path: the file is already gone, and the asset's file may look
  /// like it.
  static func pendingRemovals(_ db: Database) throws -> [(row: Int64, removal: PendingRemoval?)] {
    let sql = """
      SELECT id, path, status, path IN (SELECT path FROM resource) AS isTaken FROM pendingUnlink
      ORDER BY id
      """
    return try Row.fetchAll(db, sql: sql).map { row in
      guard try !(row.value("isTaken") as Bool) else { return (try row.value("id"), nil) }
      let json: String = try row.value("status")
      let path: String = try row.value("path")
      let wanted = try? JSONDecoder().decode(PendingUnlink.self, from: Data(json.utf8))
      let removal = wanted.map {
        PendingRemoval(unlink: .init(path: path, status: $0.status), note: $0.note)
      }
      return (try row.value("id"), removal)
    }
  }
}
