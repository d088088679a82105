import GRDB

/// Fills an empty catalogue. For the holder of the library's lock.
struct CatalogueFiller {
  let core: LibraryCore

  private var rebuilder: Rebuilder {
    Rebuilder(layout: core.layout, files: core.files, now: core.now)
  }

  /// Fills the catalogue from the journal. Where that has lost lines, from what it still tells, what
  /// the old catalogue still knows, and the files in their places.
  ///
  /// - Parameter aside: Where the old catalogue is; nil where it is gone.
  func fill(aside: String?) throws(MediaLibraryError) -> RepairReport {
    let reading = try core.journal.read()
    guard reading.isDamaged || (reading.entries.isEmpty && aside != nil) else {
      return try fill(from: reading)
    }
    let report = try rebuilder.writeJournal(old: aside.map(SalvagedCatalogue.init(damagedAt:)))
    try Repairer(core: core).catchUp()
    return report
  }

  /// Every asset as the journal has it, also those whose files are not there at present.
  private func fill(from reading: Journal.Reading) throws(MediaLibraryError) -> RepairReport {
    var report = RepairReport()
    report.wasRebuilt = true
    var memory = LibraryMemory()
    for (entry, _) in reading.entries {
      rebuilder.completeMoves(of: entry)
      memory.apply(entry)
    }
    var claimed: Set<[UInt8]> = []
    var entry = JournalEntry(sequence: memory.lastSequence, date: core.now())
    for var record in memory.assets {
      record.resources = record.resources.filter { claimed.insert(Array($0.path.utf8)).inserted }
      if !record.resources.isEmpty { entry.created.append(record) }
    }
    // Only the last change can have been cut short before its files went.
    entry.unlinks = reading.entries.last?.entry.unlinks ?? []
    report.assetCount = entry.created.count
    let whole = entry
    try core.catalogue.write { try Catalogue.apply(whole, endOffset: reading.end, to: $0) }
    return report
  }
}
