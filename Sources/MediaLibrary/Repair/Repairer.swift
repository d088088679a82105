import Foundation
import GRDB
import Glibc
import MediaCore
import SystemPackage

/// Completes what a dead process began. The caller holds the library's lock.
struct Repairer {
  let core: LibraryCore

  /// Applies the journal's last entries to files and catalogue, unless that was done.
  ///
  /// Only the very last entry's files can be incomplete, because adding an entry completes the one
  /// before. The files of earlier ones may have been moved or removed by later ones.
  ///
  /// A journal that has lost lines is rewritten from the catalogue.
  ///
  /// - Parameter purpose: For reading, no file is moved or removed; entries are applied to the
  ///   catalogue as far as their files are already in place.
  @discardableResult
  func catchUp(
    for purpose: LibraryPurpose = .changing
  ) throws(MediaLibraryError) -> RepairReport {
    var report = RepairReport()
    let position = try core.catalogue.read { try Catalogue.position($0) }
    let size = try core.journal.size()
    guard size != position.offset else { return report }
    // In a journal that was replaced or truncated, offsets differ; sequence numbers tell.
    var start = min(position.offset, size)
    let next = try core.journal.firstSequence(from: start)
    if size < position.offset || next != position.sequence + 1 { start = 0 }
    var last: (entry: JournalEntry, end: Int64)?
    let reading = try core.journal.read(from: start) { entry, end throws(MediaLibraryError) in
      guard entry.sequence > position.sequence else { return true }
      if let (complete, end) = last, try apply(withoutRemoved(complete), end, &report),
        purpose == .changing, complete.begins != true
      {
        report.completedChanges += 1
      }
      last = (entry, end)
      return true
    }
    if let (entry, end) = last {
      if purpose == .reading, entry.moves.contains(where: { !isDone($0) }) {
        report.pendingChanges += 1
      } else if try carryOut(entry, end, &report, purpose) {
        report.completedChanges += 1
      }
    }
    report.damagedJournalLines = reading.lostLines
    report.problems += reading.problems
    // The next change handles what a reader leaves.
    guard report.pendingChanges == 0 else { return report }
    report.tornJournalBytes = reading.tornBytes
    // A journal that ends before the catalogue's position has lost something too.
    if reading.isDamaged || reading.lastSequence < position.sequence {
      let (aside, problems) = try replaceJournal(reading)
      report.journalSetAside = aside
      report.problems += problems
      if !reading.isDamaged { report.journalLoss = size == 0 ? .empty : .endedEarly }
      return report
    }
    if reading.tornBytes > 0 { try core.journal.truncate(to: reading.end) }
    try core.catalogue.write {
      try $0.execute(sql: "UPDATE position SET offset = ?", arguments: [reading.end])
    }
    return report
  }

  /// Rewrites the journal from the catalogue, which knows everything.
  ///
  /// - Returns: As ``Rebuilder/replaceJournal(_:by:)``.
  private func replaceJournal(
    _ reading: Journal.Reading
  ) throws(MediaLibraryError) -> (aside: String?, problems: [String]) {
    let whole = try SalvagedCatalogue(whole: core.catalogue)
    let replaced = try Rebuilder(core).replaceJournal(reading, by: whole)
    let written = try core.journal.read { _, _ in true }
    let position = Catalogue.Position(sequence: written.lastSequence, offset: written.end)
    try core.catalogue.write { try Catalogue.set(position, in: $0) }
    return replaced
  }

  /// Errors of a disk that is temporarily full or failing.
  static let passingErrors: Set<Errno> = [
    .noSpace, .ioError, .readOnlyFileSystem, Errno(rawValue: EDQUOT), Errno(rawValue: ESTALE),
  ]

  /// - Returns: False if there was nothing to complete, or it can no longer be completed.
  private func carryOut(
    _ entry: JournalEntry, _ end: Int64, _ report: inout RepairReport, _ purpose: LibraryPurpose
  ) throws(MediaLibraryError) -> Bool {
    let movesFiles = entry.begins != true && purpose == .changing
    if movesFiles {
      do throws(MoveRunner.Failure) { try complete(entry) } catch {
        // The disk may recover, and the files can be moved then.
        if let errno = error.error.errno, Self.passingErrors.contains(errno) { throw error.error }
        // Its files disappeared meanwhile, or a stranger put others in their places.
        try skip(entry, end, because: error.error, &report)
        return false
      }
    }
    guard try apply(entry, end, &report) else { return false }
    if movesFiles { report.problems += try unlinkPending().problems }
    return movesFiles
  }

  /// A complete entry, without the files outside the library that it removed: their note is gone
  /// with them.
  private func withoutRemoved(_ entry: JournalEntry) throws(MediaLibraryError) -> JournalEntry {
    guard !entry.outsideUnlinks.isEmpty else { return entry }
    if let name = entry.note, try core.notes.note(name) != nil { return entry }
    var entry = entry
    entry.unlinks.removeAll { $0.path.isAbsolutePath }
    return entry
  }

  /// Applies an entry to the catalogue once its files are in place.
  ///
  /// - Returns: False if it had to be skipped.
  private func apply(
    _ entry: JournalEntry, _ end: Int64, _ report: inout RepairReport
  ) throws(MediaLibraryError) -> Bool {
    do throws(MediaLibraryError) {
      try core.catalogue.write { try Catalogue.apply(entry, endOffset: end, to: $0) }
      return true
    } catch {
      // It contradicts the catalogue: another asset already has one of its files.
      guard error.code == .catalogueFailed else { throw error }
      try skip(entry, end, because: error, &report)
      return false
    }
  }

  /// Skips a change that can no longer be completed, and reports it.
  private func skip(
    _ entry: JournalEntry, _ end: Int64, because error: MediaLibraryError,
    _ report: inout RepairReport
  ) throws(MediaLibraryError) {
    report.problems.append("change \(entry.sequence) could not be completed: \(error.message)")
    let skipped = JournalEntry(sequence: entry.sequence, date: entry.date)
    try core.catalogue.write { try Catalogue.apply(skipped, endOffset: end, to: $0) }
  }

  /// Moves an entry's files to their places, if they are not there. Files outside the library are
  /// only moved if they are in this user's notes.
  func complete(_ entry: JournalEntry) throws(MoveRunner.Failure) {
    let left = entry.moves.filter { !isDone($0) }
    do throws(MediaLibraryError) {
      if left.contains(where: { $0.from.isAbsolutePath }),
        try !core.notes.cover(entry, of: core.resolvedRoot)
      {
        throw MediaLibraryError(
          .untrusted,
          "it moves files from outside the library, but this user did not begin it in this "
            + "folder; those files were left in place")
      }
    } catch { throw MoveRunner.Failure(error: error, isUndone: true) }
    try MoveRunner(layout: core.layout, files: core.files).run(entry.moves, isReplay: true)
  }

  /// True if any of the entry's files is still in its old place.
  func isHalfDone(_ entry: JournalEntry) throws(MediaLibraryError) -> Bool {
    for move in entry.moves {
      guard let path = try? core.layout.path(of: move.to, files: core.files),
        try core.files.status(path) == nil
      else { continue }
      // Nothing outside the library is inspected: the journal may name any file there.
      guard !move.from.isAbsolutePath else { continue }
      let from = try core.layout.path(of: move.from, files: core.files)
      if try core.files.status(from) != nil { return true }
    }
    return false
  }

  private func isDone(_ move: JournalEntry.Move) -> Bool {
    guard let path = try? core.layout.path(of: move.to, files: core.files) else { return false }
    return (try? core.files.holds(move.status, at: path, afterRestart: true)) == true
  }

  /// Removes the files that changes discarded.
  ///
  /// - Returns: The files that could not be removed yet, and other problems.
  func unlinkPending() throws(MediaLibraryError) -> (left: [String], problems: [String]) {
    let pending = try core.catalogue.read { try Catalogue.pendingRemovals($0) }
    guard !pending.isEmpty else { return ([], []) }
    var left: [String] = []
    var problems: [String] = []
    var done: [Int64] = []
    var needed: Set<String> = []
    for (row, removal) in pending {
      guard let removal else {
        done.append(row)
        continue
      }
      do throws(MediaLibraryError) {
        if try !remove(removal) {
          problems.append(
            "\(removal.unlink.path): was to be removed by a change that this user did not begin in "
              + "this folder; it was left in place")
        }
        done.append(row)
      } catch {
        left.append(removal.unlink.path)
        if let note = removal.note { needed.insert(note) }
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

  /// Removes the files that changes discarded, and the notes of complete changes.
  ///
  /// - Returns: The problems.
  func removePending() throws(MediaLibraryError) -> [String] {
    let removal = try unlinkPending()
    if removal.left.isEmpty { core.notes.removeAll(of: core.resolvedRoot, except: []) }
    return removal.left.map { "\($0): could not be removed yet" } + removal.problems
  }

  /// Removes a file if its status is unchanged.
  ///
  /// - Returns: False if the file must not be removed, because it is outside the library and not in
  ///   this user's notes.
  private func remove(_ removal: PendingRemoval) throws(MediaLibraryError) -> Bool {
    let text = removal.unlink.path
    let path: String
    if text.isAbsolutePath {
      guard let name = removal.note, let note = try core.notes.note(name),
        note.library == core.resolvedRoot, note.unlinks.contains(removal.unlink)
      else { return false }
      path = text
    } else {
      guard LibraryLayout.isPlace(text) else { return false }
      path = try core.layout.path(of: text, files: core.files)
    }
    if try core.files.holds(removal.unlink.status, at: path, afterRestart: true) {
      try core.files.remove(path)
    }
    return true
  }
}
