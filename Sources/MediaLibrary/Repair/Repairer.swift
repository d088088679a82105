import Foundation
import GRDB

/// Completes what a process that is gone had begun. For the holder of the library's lock.
struct Repairer {
  let core: LibraryCore

  /// Brings the journal's last entries to files and catalogue, as far as they are not there yet.
  ///
  /// - Parameter purpose: To read, no file is moved or removed: entries are brought to the catalogue as
  ///   far as their files are in their places already.
  @discardableResult
  func catchUp(
    for purpose: LibraryPurpose = .changing
  ) throws(MediaLibraryError) -> RepairReport {
    var report = RepairReport()
    let position = try core.catalogue.read { try Catalogue.position($0) }
    let size = try core.journal.size()
    guard size != position.offset else { return report }
    // A journal that was replaced or cut has other places: then its sequence numbers tell.
    var start = min(position.offset, size)
    let next = try core.journal.firstSequence(from: start)
    if size < position.offset || next != position.sequence + 1 { start = 0 }
    let reading = try core.journal.read(from: start) { entry, end throws(MediaLibraryError) in
      guard entry.sequence > position.sequence else { return true }
      guard purpose == .changing || !entry.moves.contains(where: { !isDone($0) }) else {
        report.pendingChanges += 1
        return false
      }
      if try carryOut(entry, end, &report, purpose) { report.completedChanges += 1 }
      return true
    }
    report.damagedJournalLines = reading.damagedLines
    report.problems += reading.problems
    // What a reader leaves behind, the next change finds.
    guard purpose == .changing else { return report }
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
    _ entry: JournalEntry, _ end: Int64, _ report: inout RepairReport, _ purpose: LibraryPurpose
  ) throws(MediaLibraryError) -> Bool {
    if entry.begins == true || purpose == .reading {
      try core.catalogue.write { try Catalogue.apply(entry, endOffset: end, to: $0) }
      return false
    }
    do throws(MoveRunner.Failure) {
      try complete(entry)
    } catch {
      // Its files went away meanwhile, at a stranger's hand: it cannot be completed any more.
      report.problems.append(
        "change \(entry.sequence) could not be completed: \(error.error.message)")
      let fallen = JournalEntry(sequence: entry.sequence, date: entry.date)
      try core.catalogue.write { try Catalogue.apply(fallen, endOffset: end, to: $0) }
      return false
    }
    try core.catalogue.write { try Catalogue.apply(entry, endOffset: end, to: $0) }
    report.problems += try unlinkPending().problems
    return true
  }

  /// Moves the files of an entry to their places, as far as they are not there: those outside the
  /// library only where this user wrote them down.
  func complete(_ entry: JournalEntry) throws(MoveRunner.Failure) {
    let left = entry.moves.filter { !isDone($0) }
    do throws(MediaLibraryError) {
      if left.contains(where: { $0.from.hasPrefix("/") }), try !isNoted(entry) {
        throw MediaLibraryError(
          .untrusted,
          "it moves files from outside the library, and this user did not begin it in this folder; "
            + "those files were left where they are")
      }
    } catch { throw MoveRunner.Failure(error: error, isUndone: true) }
    try MoveRunner(layout: core.layout, files: core.files).run(entry.moves, isReplay: true)
  }

  /// True for an entry of which a file is where it came from still.
  func isHalfDone(_ entry: JournalEntry) throws(MediaLibraryError) -> Bool {
    for move in entry.moves {
      guard let path = try? core.layout.path(of: move.to, files: core.files),
        try core.files.status(path) == nil
      else { continue }
      // Nothing outside the library is looked at: what the journal names there may be anything.
      guard !move.from.hasPrefix("/") else { continue }
      let from = try core.layout.path(of: move.from, files: core.files)
      if try core.files.status(from) != nil { return true }
    }
    return false
  }

  /// True for a file that is in its place.
  private func isDone(_ move: JournalEntry.Move) -> Bool {
    guard let path = try? core.layout.path(of: move.to, files: core.files),
      let present = (try? core.files.status(path)) ?? nil
    else { return false }
    return present.isUnchanged(since: move.status)
  }

  /// True where the user's own note names all that an entry takes from outside.
  private func isNoted(_ entry: JournalEntry) throws(MediaLibraryError) -> Bool {
    guard let name = entry.note, let note = try core.notes.note(name) else { return false }
    return note.library == core.resolvedRoot && note.cover(entry)
  }

  /// Removes the files that a change took away.
  ///
  /// - Returns: Those that could not be removed yet, and what was not done for other reasons.
  func unlinkPending() throws(MediaLibraryError) -> (left: [String], problems: [String]) {
    let pending = try core.catalogue.read {
      try Row.fetchAll($0, sql: "SELECT id, path, status FROM pendingUnlink").map { row in
        (
          id: try row.value("id") as Int64, path: try row.value("path") as String,
          json: try row.value("status") as String
        )
      }
    }
    guard !pending.isEmpty else { return ([], []) }
    var left: [String] = []
    var problems: [String] = []
    var done: [Int64] = []
    var needed: Set<String> = []
    for (id, text, json) in pending {
      let wanted = try? JSONDecoder().decode(PendingUnlink.self, from: Data(json.utf8))
      do throws(MediaLibraryError) {
        if let wanted, try !remove(text, wanted) {
          problems.append(
            "\(text): was to be removed by a change that this user did not begin in this folder; "
              + "it was left where it is")
        }
        done.append(id)
      } catch {
        left.append(text)
        if let note = wanted?.note { needed.insert(note) }
      }
    }
    try core.catalogue.write { db in
      for id in done {
        try db.execute(sql: "DELETE FROM pendingUnlink WHERE id = ?", arguments: [id])
      }
    }
    core.notes.removeAll(of: core.resolvedRoot, except: needed)
    return (left, problems)
  }

  /// Removes a file that is still the one that was meant.
  ///
  /// - Returns: False for a file that may not be removed: it is outside the library, and this user did
  ///   not write it down.
  private func remove(_ text: String, _ wanted: PendingUnlink) throws(MediaLibraryError) -> Bool {
    let path: String
    if text.hasPrefix("/") {
      guard let name = wanted.note, let note = try core.notes.note(name),
        note.library == core.resolvedRoot,
        note.unlinks.contains(where: { $0.path == text && $0.status == wanted.status })
      else { return false }
      path = text
    } else {
      guard LibraryLayout.isPlace(text) else { return false }
      path = try core.layout.path(of: text, files: core.files)
    }
    if let present = try core.files.status(path), present.isUnchanged(since: wanted.status) {
      try core.files.remove(path)
    }
    return true
  }
}
