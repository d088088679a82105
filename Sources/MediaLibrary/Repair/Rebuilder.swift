import Foundation
import GRDB
import Glibc
import MediaCore

/// Rebuilds the journal and the catalogue from what is left: the journal's entries, a readable
/// catalogue, and the files themselves. The caller holds the library's lock.
struct Rebuilder {
  let layout: LibraryLayout
  let files: LibraryFiles
  /// The user's notes of pending changes, and the library's folder as these name it.
  let notes: OutsideNotes
  let resolvedRoot: String
  let now: @Sendable () -> Double
  /// Called with the progress of reading files without an entry.
  var progress: LibraryProgress.Handler?

  init(_ core: LibraryCore) {
    self.init(
      layout: core.layout, files: core.files, notes: core.notes, resolvedRoot: core.resolvedRoot,
      now: core.now)
  }

  init(
    layout: LibraryLayout, files: LibraryFiles, notes: OutsideNotes, resolvedRoot: String,
    now: @escaping @Sendable () -> Double, progress: LibraryProgress.Handler? = nil
  ) {
    self.layout = layout
    self.files = files
    self.notes = notes
    self.resolvedRoot = resolvedRoot
    self.now = now
    self.progress = progress
  }

  /// Writes a new journal of everything found. The catalogue is then to be filled from it.
  ///
  /// - Parameter old: What the catalogue tells; nil if there is none.
  func writeJournal(old: SalvagedCatalogue?) throws(MediaLibraryError) -> RepairReport {
    var report = RepairReport()
    report.wasRebuilt = true
    let journal = Journal(path: layout.journal, files: files)
    let (memory, reading) = try remember(journal, old)
    report.damagedJournalLines = reading.lostLines
    report.tornJournalBytes = reading.tornBytes
    report.problems += reading.problems
    report.problems += try DecidedFiles(layout: layout, files: files).keep(at: now())
    let kept = try withoutMissing(memory.assets, &report)
    if reading.isDamaged {
      report.journalSetAside = try keepJournal(as: ".damaged", upTo: reading.scannedEnd)
    } else if !report.missingFiles.isEmpty,
      let aside = try keepJournal(as: ".before", upTo: reading.scannedEnd)
    {
      // Missing files can come back: their disk may not be mounted, or their folder may have been
      // moved.
      report.problems.append("the records of the missing files are in \(aside)")
    }
    let outside = memory.waiting.filter { $0.unlink.path.isAbsolutePath }
    let removals = try memory.pendingRemovals(except: kept, layout, files)
    let adopted = try adopt(except: kept, removals, &report)
    let all = kept + adopted
    report.assetCount = all.count
    try journal.replace(
      with: snapshot(all, memory.albums, removals + outside, after: memory.lastSequence))
    return report
  }

  /// Replaces a damaged journal by one made from an intact catalogue. Files and assets stay as they
  /// are.
  ///
  /// - Parameters:
  ///   - whole: The catalogue.
  ///   - reading: What was read of the damaged journal.
  /// - Returns: The old journal's new path, nil if there was none; and remarks on files that were
  ///   not in their places.
  func replaceJournal(
    _ reading: Journal.Reading, by whole: SalvagedCatalogue
  ) throws(MediaLibraryError) -> (aside: String?, problems: [String]) {
    let kept = try DecidedFiles(layout: layout, files: files).keep(at: now())
    let aside = try keepJournal(as: ".damaged", upTo: reading.scannedEnd)
    try Journal(path: layout.journal, files: files)
      .replace(
        with: snapshot(
          whole.records, whole.albums, whole.removals, after: whole.position?.sequence ?? 0))
    return (aside, kept)
  }

  /// The library according to its journal and its catalogue.
  private func remember(
    _ journal: Journal, _ old: SalvagedCatalogue?
  ) throws(MediaLibraryError) -> (LibraryMemory, Journal.Reading) {
    var memory = LibraryMemory()
    if let old, let position = old.position {
      // It includes everything journaled up to its position, even lines that are now unreadable.
      memory.begin(with: old, at: position.sequence)
    }
    let known = memory.lastSequence
    let reading = try journal.read { entry, _ throws(MediaLibraryError) in
      guard entry.sequence > known else { return true }
      try completeMoves(of: entry)
      memory.apply(entry)
      return true
    }
    if let old, old.position == nil {
      for record in old.records { memory.add(salvaged: record) }
    }
    return (memory, reading)
  }

  /// Keeps a copy of the journal beside the rebuilt one.
  ///
  /// - Parameter end: How much of it can contain lines: gigabytes of garbage after that are not
  ///   copied.
  /// - Returns: The copy; nil if there is no journal.
  private func keepJournal(
    as suffix: String, upTo end: Int64
  ) throws(MediaLibraryError) -> String? {
    guard try files.status(layout.journal) != nil else { return nil }
    let aside = try files.freePath(layout.journal + suffix, at: now())
    let journal = try files.openOwn(layout.journal, O_RDONLY)
    let copy = try files.open(aside, O_WRONLY | O_CREAT | O_EXCL)
    var done: Int64 = 0
    while done < end {
      let bytes = try journal.bytes(at: done, count: Int(min(end - done, 4 << 20)))
      if bytes.isEmpty { break }
      try copy.write(bytes)
      done += Int64(bytes.count)
    }
    try copy.synchronize()
    return aside
  }

  /// Completes the moves of a journaled change whose files are still in the staging folder, or
  /// outside the library. From outside, only files in this user's notes are moved.
  ///
  /// - Throws: ``MediaLibraryError`` if the disk is temporarily full or failing, so that the files
  ///   can still be moved later.
  func completeMoves(of entry: JournalEntry) throws(MediaLibraryError) {
    let isNoted = try unlessPassing { () throws(MediaLibraryError) in
      try notes.cover(entry, of: resolvedRoot)
    }
    for move in entry.moves where isNoted == true || !move.from.isAbsolutePath {
      // If it fails for good, the file will be found missing, and reported.
      _ = try unlessPassing { () throws(MediaLibraryError) in
        guard try files.status(layout.path(of: move.to, files: files)) == nil,
          try files.holds(move.status, at: layout.place(move.from, files), afterRestart: true)
        else { return }
        do throws(MoveRunner.Failure) {
          try MoveRunner(layout: layout, files: files).run([move], isReplay: true)
        } catch { throw error.error }
      }
    }
  }

  /// Makes a call that may fail.
  ///
  /// - Returns: nil if the call failed for a lasting reason.
  /// - Throws: The error, if it is one of ``Repairer/passingErrors``.
  private func unlessPassing<Result>(
    _ call: () throws(MediaLibraryError) -> Result
  ) throws(MediaLibraryError) -> Result? {
    do throws(MediaLibraryError) { return try call() } catch {
      if let errno = error.errno, Repairer.passingErrors.contains(errno) { throw error }
      return nil
    }
  }

  private func withoutMissing(
    _ records: [AssetRecord], _ report: inout RepairReport
  ) throws(MediaLibraryError) -> [AssetRecord] {
    var kept: [AssetRecord] = []
    var claimed: Set<[UInt8]> = []
    for var record in records {
      var present: [ResourceRecord] = []
      for resource in record.resources {
        guard claimed.insert(Array(resource.path.utf8)).inserted else {
          report.problems.append(
            "\(resource.path): two assets claim it; the first one keeps it")
          continue
        }
        if try isPresent(resource.path) {
          present.append(resource)
        } else {
          report.missingFiles.append(resource.path)
        }
      }
      guard present.contains(where: { $0.type.isPrimary }) else { continue }
      record.resources = present
      kept.append(record)
    }
    return kept
  }

  /// True if a file is in its place. No file has a path that leads out of the library.
  ///
  /// - Throws: ``MediaLibraryError`` if the disk fails, because the file is not known to be missing.
  private func isPresent(_ relative: String) throws(MediaLibraryError) -> Bool {
    do throws(MediaLibraryError) {
      return try files.status(layout.path(of: relative, files: files))?.isRegularFile == true
    } catch {
      guard error.code == .invalidPath else { throw error }
      return false
    }
  }

  // MARK: Files without an entry

  private func adopt(
    except kept: [AssetRecord], _ removals: [PendingRemoval], _ report: inout RepairReport
  ) throws(MediaLibraryError) -> [AssetRecord] {
    // Compare bytes: String ignores Unicode normalization, file systems do not.
    let known = Set(
      (kept.flatMap(\.resources).map(\.path) + removals.map(\.unlink.path)).map { Array($0.utf8) })
    var adoption = Adoption()
    let meter = try meter(except: known)
    for folder in try layout.originalFolders(files) {
      try adopt(folder, except: known, into: &adoption, meter, &report)
    }
    return adoption.assets
  }

  private func adopt(
    _ folder: String, except known: Set<[UInt8]>, into adoption: inout Adoption,
    _ meter: ProgressMeter, _ report: inout RepairReport
  ) throws(MediaLibraryError) {
    let originals = try layout.originals(in: folder, files)
    report.problems += originals.filter { !$0.isUTF8 }.map {
      "\(folder)/\($0.name): its name is not UTF-8, so it gets no entry; rename it, and rebuild again"
    }
    let names = originals.filter(\.isUTF8).map(\.name)
    var companions: [String] = []
    adoption.beginFolder(of: names)
    for name in names.sorted(by: MovieOrder.isBefore) {
      let relative = folder + "/" + name
      guard !known.contains(Array(relative.utf8)),
        try files.status(layout.root + "/" + relative)?.isRegularFile == true
      else { continue }
      do throws(MediaLibraryError) {
        defer { meter.finishFile() }
        guard let record = try record(of: relative, name: name, meter) else {
          companions.append(name)
          continue
        }
        report.adoptedFiles.append(relative)
        if let problem = adoption.add(record, now: now()) { report.problems.append(problem) }
      } catch {
        report.problems.append(error.message)
      }
    }
    for name in companions {
      let relative = folder + "/" + name
      guard let owner = adoption.owner(ofCompanion: name) else {
        report.problems.append(
          "\(relative): not a photo, video or audio file, nor a companion of one; left unchanged")
        continue
      }
      adoption.add(companion: try resource(relative, as: .companion, meter), to: owner)
      report.adoptedFiles.append(relative)
    }
  }

  /// Measures what is to be read.
  private func meter(except known: Set<[UInt8]>) throws(MediaLibraryError) -> ProgressMeter {
    var (count, size) = (0, Int64(0))
    for folder in try layout.originalFolders(files) where progress != nil {
      for original in try layout.originals(in: folder, files) {
        let relative = folder + "/" + original.name
        guard !known.contains(Array(relative.utf8)),
          let status = try files.status(layout.root + "/" + relative), status.isRegularFile
        else { continue }
        count += 1
        size += status.size
      }
    }
    return ProgressMeter(fileCount: count, byteCount: size, progress)
  }

  private func record(
    of relative: String, name: String, _ meter: ProgressMeter
  ) throws(MediaLibraryError) -> AssetRecord? {
    let path = layout.root + "/" + relative
    let inspector = MediaInspector(files: files)
    guard let type = try inspector.identity(of: path)?.type else { return nil }
    let facts = try inspector.facts(path, as: type, name: relative)
    let resource = try resource(relative, as: type, meter)
    let date = facts.likelyCreationDate(now: now()) ?? Double(resource.modified) / 1e9
    return AssetRecord(
      id: UUID().uuidString, mediaType: AssetMediaType(primary: type), created: date,
      added: now(), modified: now(), trashed: nil, location: facts.location, facts: facts,
      resources: [resource])
  }

  private func resource(
    _ relative: String, as type: AssetResourceType, _ meter: ProgressMeter
  ) throws(MediaLibraryError) -> ResourceRecord {
    let file = try files.open(layout.root + "/" + relative, O_RDONLY)
    let content = try FileCopy.read(file) { bytes throws(MediaLibraryError) in
      try meter.advance(bytes.count)
    }
    let name = LibraryFiles.name(relative)
    return ResourceRecord(
      type: type, path: relative, name: name, uti: UniformTypes.identifier(forName: name),
      size: content.size, hash: "\(content.hash)", modified: try file.status().modified)
  }

  /// Entries that recreate the library, with a thousand assets each.
  private func snapshot(
    _ records: [AssetRecord], _ albums: [AlbumRecord], _ removals: [PendingRemoval],
    after sequence: Int64
  ) -> [JournalEntry] {
    var entries: [JournalEntry] = []
    var next = sequence + 1
    for start in stride(from: 0, to: max(records.count, 1), by: 1000) {
      var entry = JournalEntry(sequence: next, date: now())
      if start == 0 { entry.begins = true }
      entry.created = Array(records[min(start, records.count)..<min(start + 1000, records.count)])
      entries.append(entry)
      next += 1
    }
    if let last = entries.indices.last, !albums.isEmpty {
      let kept = Set(records.map(\.id))
      entries[last].albums = albums.map { album in
        var album = album
        album.assets.removeAll { !kept.contains($0) }
        return album.change
      }
    }
    return entries + PendingRemoval.entries(removals, from: next, date: now())
  }
}
