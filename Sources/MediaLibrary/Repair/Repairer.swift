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
    report.damagedJournalLines = reading.damagedLines + reading.tornLines
    for (entry, end) in reading.entries where entry.sequence > position.sequence {
      if try carryOut(entry, end, &report) { report.completedChanges += 1 }
    }
    report.tornJournalBytes = reading.tornBytes
    // A journal that ends before what the catalogue has of it has lost something too.
    if reading.isDamaged || (position.sequence > 0 && reading.lastSequence < position.sequence) {
      report.journalSetAside = try replaceJournal()
      return report
    }
    if reading.tornBytes > 0 { try core.journal.truncate(to: reading.end) }
    try core.catalogue.write {
      try $0.execute(sql: "UPDATE position SET offset = ?", arguments: [reading.end])
    }
    return report
  }

  /// Writes the journal anew from the catalogue, which has all that can be known.
  ///
  /// - Returns: Where the damaged one is; nil where there was none.
  private func replaceJournal() throws(MediaLibraryError) -> String? {
    let whole = try SalvagedCatalogue(whole: core.catalogue)
    let aside = try Rebuilder(layout: core.layout, files: core.files, now: core.now)
      .replaceJournal(by: whole)
    let reading = try core.journal.read()
    let position = Catalogue.Position(sequence: reading.lastSequence, offset: reading.end)
    try core.catalogue.write { try Catalogue.set(position, in: $0) }
    return aside
  }

  /// - Returns: false where there was nothing to complete, or it cannot be completed any more.
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
      // Its files went away meanwhile, at a stranger's hand.
      try skip(entry, end, because: error.error, &report)
      return false
    }
    do throws(MediaLibraryError) {
      try core.catalogue.write { try Catalogue.apply(entry, endOffset: end, to: $0) }
    } catch {
      // It contradicts what is there: a file that another asset has already.
      guard error.code == .catalogueFailed else { throw error }
      try skip(entry, end, because: error, &report)
      return false
    }
    _ = try unlinkPending()
    return true
  }

  /// Leaves a change out that cannot be completed any more, and tells so.
  private func skip(
    _ entry: JournalEntry, _ end: Int64, because error: MediaLibraryError,
    _ report: inout RepairReport
  ) throws(MediaLibraryError) {
    report.problems.append("change \(entry.sequence) could not be completed: \(error.message)")
    let skipped = JournalEntry(sequence: entry.sequence, date: entry.date)
    try core.catalogue.write { try Catalogue.apply(skipped, endOffset: end, to: $0) }
  }

  /// Removes the files that a change took away.
  ///
  /// - Returns: Those that could not be removed.
  func unlinkPending() throws(MediaLibraryError) -> [String] {
    let pending = try core.catalogue.read { db in
      try Row.fetchAll(db, sql: "SELECT id, path, status FROM pendingUnlink").map { row in
        let path: String = try row.decode(forColumn: "path")
        let status: String = try row.decode(forColumn: "status")
        return (id: try row.decode(Int64.self, forColumn: "id"), path: path, status: status)
      }
    }
    guard !pending.isEmpty else { return [] }
    var left: [String] = []
    var done: [Int64] = []
    for (id, text, json) in pending {
      do throws(MediaLibraryError) {
        let path = try core.layout.place(text, core.files)
        let wanted = try? JSONDecoder().decode(FileStatus.self, from: Data(json.utf8))
        if let wanted, let present = try core.files.status(path),
          present.isUnchanged(since: wanted)
        {
          try core.files.remove(path)
        }
        done.append(id)
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
