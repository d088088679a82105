import GRDB

/// Fills an empty catalogue. Unless it is in memory, the caller holds the library's lock.
struct CatalogueFiller {
  let core: LibraryCore

  /// Fills the catalogue from the journal. If the journal has lost lines, also from what the old
  /// catalogue still tells, and from the files in their places.
  ///
  /// - Parameter old: The path of the old catalogue; nil if it is gone.
  func fill(old: String?) throws(MediaLibraryError) -> RepairReport {
    let rebuilder = Rebuilder(core)
    var history = History()
    let reading = try core.journal.read { entry, _ throws(MediaLibraryError) in
      try rebuilder.completeMoves(of: entry)
      history.apply(entry)
      return true
    }
    guard reading.isDamaged || (reading.lastSequence == 0 && old != nil) else {
      var report = RepairReport()
      report.wasRebuilt = true
      report.assetCount = try store(history, end: reading.end)
      return report
    }
    let report = try rebuilder.writeJournal(old: old.map(SalvagedCatalogue.init(damagedAt:)))
    try Repairer(core: core).catchUp()
    return report
  }

  /// Fills an in-memory catalogue from the readable part of the journal. No file changes. What a
  /// killed process left incomplete is skipped, because its files are still elsewhere.
  func fillToRead() throws(MediaLibraryError) -> RepairReport {
    let repairer = Repairer(core: core)
    var history = History()
    var report = RepairReport()
    let reading = try core.journal.read(limit: Journal.longestInMemory) {
      entry, _ throws(MediaLibraryError) in
      if try repairer.isHalfDone(entry) { report.pendingChanges += 1 } else { history.apply(entry) }
      return true
    }
    report.damagedJournalLines = reading.lostLines
    report.problems = reading.problems
    _ = try store(history, end: reading.end)
    return report
  }

  /// What the journal says, and its last change.
  private struct History {
    var memory = LibraryMemory()
    var last: JournalEntry?

    mutating func apply(_ entry: JournalEntry) {
      memory.apply(entry)
      last = entry
    }
  }

  /// Stores every asset in the journal, including those whose files are missing now.
  ///
  /// - Returns: The number of assets.
  private func store(_ history: History, end: Int64) throws(MediaLibraryError) -> Int {
    var claimed: Set<[UInt8]> = []
    var entry = JournalEntry(sequence: history.memory.lastSequence, date: core.now())
    // If two assets claim a file, the later one has it. The other's change was skipped, because its
    // files were gone.
    for var record in history.memory.assets.reversed() {
      record.resources = record.resources.filter { claimed.insert(Array($0.path.utf8)).inserted }
      if !record.resources.isEmpty { entry.created.append(record) }
    }
    entry.created.reverse()
    let albums = history.memory.albums
    if !albums.isEmpty { entry.albums = albums.map(\.change) }
    var pending = try history.memory.pendingRemovals(
      except: entry.created, core.layout, core.files)
    if let last = history.last {
      // Only the last change can have been interrupted before its files were removed. They may only
      // be removed if the files that replace them exist.
      if try core.holdsFiles(of: last) {
        entry.unlinks = last.outsideUnlinks
        entry.note = last.note
      } else {
        pending.removeAll { last.unlinks.contains($0.unlink) }
      }
    }
    entry.unlinks += pending.map(\.unlink)
    let whole = entry
    try core.catalogue.write { try Catalogue.apply(whole, endOffset: end, to: $0) }
    return whole.created.count
  }
}
