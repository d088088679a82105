import Foundation
import GRDB

/// Completes what a process that is gone had begun. For the holder of the library's lock.
struct Repairer {
  let core: LibraryCore

  /// Brings the journal's last entries to files and catalogue, as far as they are not there yet.
  @discardableResult
  func catchUp() throws(MediaLibraryError) -> RepairReport {
    var report = RepairReport()
    let position = try core.catalogue.read { try Catalogue.position($0) }
    let size = try core.journal.size()
    guard size != position.offset else { return report }
    // A journal that was replaced or cut has other places: then its sequence numbers tell.
    var reading = try core.journal.read(from: min(position.offset, size))
    if size < position.offset || reading.entries.first?.entry.sequence != position.sequence + 1 {
      reading = try core.journal.read()
    }
    report.damagedJournalLines = reading.damagedLines
    for (entry, end) in reading.entries where entry.sequence > position.sequence {
      if try carryOut(entry, end, &report) { report.completedChanges += 1 }
    }
    if reading.tornBytes > 0 {
      report.tornJournalBytes = reading.tornBytes
      try core.journal.truncate(to: reading.end)
    }
    try core.catalogue.write {
      try $0.execute(sql: "UPDATE position SET offset = ?", arguments: [reading.end])
    }
    return report
  }

  private func carryOut(
    _ entry: JournalEntry, _ end: Int64, _ report: inout RepairReport
  ) throws(MediaLibraryError) -> Bool {
    if entry.begins == true {
      try core.catalogue.write { try Catalogue.apply(entry, endOffset: end, to: $0) }
      return false
    }
    do throws(MoveRunner.Failure) {
      try MoveRunner(layout: core.layout, files: core.files).run(entry.moves, isReplay: true)
    } catch {
      // Its files went away meanwhile, at a stranger's hand: it cannot be completed any more.
      report.problems.append(
        "change \(entry.sequence) could not be completed: \(error.error.message)")
      let fallen = JournalEntry(sequence: entry.sequence, date: entry.date)
      try core.catalogue.write { try Catalogue.apply(fallen, endOffset: end, to: $0) }
      return false
    }
    try core.catalogue.write { try Catalogue.apply(entry, endOffset: end, to: $0) }
    _ = try unlinkPending()
    return true
  }

  /// Removes the files that a change took away.
  ///
  /// - Returns: Those that could not be removed.
  func unlinkPending() throws(MediaLibraryError) -> [String] {
    let pending = try core.catalogue.read {
      try Row.fetchAll($0, sql: "SELECT id, path, status FROM pendingUnlink")
    }
    guard !pending.isEmpty else { return [] }
    var left: [String] = []
    var done: [Int64] = []
    for row in pending {
      let text: String = row["path"]
      let json: String = row["status"]
      do throws(MediaLibraryError) {
        let path = try core.layout.place(text, core.files)
        let wanted = try? JSONDecoder().decode(FileStatus.self, from: Data(json.utf8))
        if let wanted, let present = try core.files.status(path),
          present.isUnchanged(since: wanted)
        {
          try core.files.remove(path)
        }
        done.append(row["id"])
      } catch { left.append(text) }
    }
    try core.catalogue.write { db in
      for id in done {
        try db.execute(sql: "DELETE FROM pendingUnlink WHERE id = ?", arguments: [id])
      }
    }
    return left
  }
}
