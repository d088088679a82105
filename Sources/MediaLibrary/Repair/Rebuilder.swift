import Foundation
import GRDB
import Glibc

/// Makes journal and catalogue again from what is there: the journal's entries, a catalogue that can
/// still be read, and the files themselves. For the holder of the library's lock.
struct Rebuilder {
  let layout: LibraryLayout
  let files: LibraryFiles
  let now: @Sendable () -> Double
  /// Told how far it is with the files without an entry.
  var progress: LibraryProgress.Handler?

  /// Makes a new journal of what there is. The catalogue is to be filled from it.
  ///
  /// - Parameter old: What the catalogue knows; nil where there is none.
  func writeJournal(old: SalvagedCatalogue?) throws(MediaLibraryError) -> RepairReport {
    var report = RepairReport()
    report.wasRebuilt = true
    let journal = Journal(path: layout.journal, files: files)
    let reading = try journal.read()
    report.damagedJournalLines = reading.damagedLines + reading.tornLines
    report.tornJournalBytes = reading.tornBytes
    let memory = remember(reading, old)
    let kept = try withoutMissing(memory.assets, &report)
    if reading.isDamaged {
      report.journalSetAside = try keepJournal(as: ".damaged")
    } else if !report.missingFiles.isEmpty, let aside = try keepJournal(as: ".before") {
      // Files can come back: a disk that is not mounted, a folder that somebody put elsewhere.
      report.problems.append("what was known of the missing files is in \(aside)")
    }
    let adopted = try adopt(besides: kept, &report)
    let all = kept + adopted
    report.assetCount = all.count
    try journal.replace(with: snapshot(all, after: memory.lastSequence))
    return report
  }

  /// Makes a new journal of what a whole catalogue knows, in the place of a damaged one. Files and
  /// assets stay as they are.
  ///
  /// - Returns: Where the old journal is now; nil where there was none.
  func replaceJournal(by whole: SalvagedCatalogue) throws(MediaLibraryError) -> String? {
    let aside = try keepJournal(as: ".damaged")
    try Journal(path: layout.journal, files: files)
      .replace(with: snapshot(whole.records, after: whole.position?.sequence ?? 0))
    return aside
  }

  /// What the library is by its journal and its catalogue.
  private func remember(_ reading: Journal.Reading, _ old: SalvagedCatalogue?) -> LibraryMemory {
    var memory = LibraryMemory()
    if let old, let position = old.position {
      // It has all that it had been told, also by lines that cannot be read any more.
      memory.begin(with: old.records, at: position.sequence)
    }
    let known = memory.lastSequence
    for (entry, _) in reading.entries where entry.sequence > known {
      completeMoves(of: entry)
      memory.apply(entry)
    }
    if let old, old.position == nil { for record in old.records { memory.add(salvaged: record) } }
    return memory
  }

  /// Keeps a copy of the journal beside the one that is made anew.
  ///
  /// - Returns: The copy; nil where there is no journal.
  private func keepJournal(as suffix: String) throws(MediaLibraryError) -> String? {
    guard try files.status(layout.journal) != nil else { return nil }
    let aside = try files.freePath(layout.journal + suffix, at: now())
    try files.write(files.contents(of: layout.journal), to: aside, synchronizes: true)
    return aside
  }

  /// A change that was decided and not completed has its files elsewhere still.
  func completeMoves(of entry: JournalEntry) {
    for move in entry.moves {
      guard let to = try? layout.path(of: move.to, files: files),
        (try? files.status(to)) == .some(nil)
      else {
        continue
      }
      // Where it fails the file is found missing afterwards, and told so.
      try? MoveRunner(layout: layout, files: files).run([move], isReplay: true)
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
            "\(resource.path): two assets claim it; it stays with the first")
          continue
        }
        let path = try? layout.path(of: resource.path, files: files)
        if let path, try files.status(path)?.isRegularFile == true {
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

  // MARK: Files without an entry

  private func adopt(
    besides kept: [AssetRecord], _ report: inout RepairReport
  ) throws(MediaLibraryError) -> [AssetRecord] {
    // By their bytes: text takes two spellings of one letter for the same, file systems do not.
    let known = Set(kept.flatMap(\.resources).map { Array($0.path.utf8) })
    var adopted: [AssetRecord] = []
    let meter = try meter(besides: known)
    for folder in try folders() {
      let names = try files.names(in: layout.root + "/" + folder).filter { !$0.hasPrefix(".") }
      var companions: [String] = []
      var byStem: [String: Int] = [:]
      for name in names where !known.contains(Array((folder + "/" + name).utf8)) {
        let relative = folder + "/" + name
        guard try files.status(layout.root + "/" + relative)?.isRegularFile == true else {
          continue
        }
        do throws(MediaLibraryError) {
          defer { meter.finishFile() }
          guard let record = try record(of: relative, name: name, meter) else {
            companions.append(relative)
            continue
          }
          report.adoptedFiles.append(relative)
          let stem = FileName(name).stem
          if let other = byStem[stem], let both = Self.pair(adopted[other], record) {
            adopted[other] = both
            continue
          }
          byStem[stem] = adopted.count
          adopted.append(record)
        } catch {
          report.problems.append(error.message)
        }
      }
      for relative in companions {
        let stem = FileName(LibraryFiles.name(relative)).stem
        let owner = byStem[stem] ?? byStem[FileName(stem).stem]
        guard let owner else {
          report.problems.append(
            "\(relative): is no photo, video or sound, and belongs to none; it was left as it is")
          continue
        }
        adopted[owner].resources.append(try resource(relative, as: .companion, meter))
        report.adoptedFiles.append(relative)
      }
    }
    return adopted
  }

  /// One asset of two photos that are one in two forms; nil where they are not.
  private static func pair(_ first: AssetRecord, _ second: AssetRecord) -> AssetRecord? {
    let both = [first, second]
    guard both.allSatisfy({ $0.resources.count == 1 && $0.mediaType == .image }),
      let forms = PhotoForms(both.map(\.facts))
    else { return nil }
    var (record, other) = (both[forms.photo], both[forms.alternate])
    if record.facts.creationDate == nil, let date = other.facts.creationDate {
      record.created = date
    }
    record.location = record.location ?? other.location
    record.facts.complete(with: other.facts)
    other.resources[0].type = .alternatePhoto
    record.resources += other.resources
    return record
  }

  /// The folders of originals: years, and months in them.
  func folders() throws(MediaLibraryError) -> [String] {
    var folders: [String] = []
    for year in try files.names(in: layout.root) where year.count == 4 && Int(year) != nil {
      guard try files.status(layout.root + "/" + year)?.isFolder == true else { continue }
      for month in try files.names(in: layout.root + "/" + year)
      where month.count == 2 && Int(month) != nil {
        let folder = year + "/" + month
        if try files.status(layout.root + "/" + folder)?.isFolder == true {
          folders.append(folder)
        }
      }
    }
    return folders
  }

  /// Counts what is to be read.
  private func meter(besides known: Set<[UInt8]>) throws(MediaLibraryError) -> ProgressMeter {
    var (count, size) = (0, Int64(0))
    for folder in try folders() where progress != nil {
      for name in try files.names(in: layout.root + "/" + folder) where !name.hasPrefix(".") {
        let relative = folder + "/" + name
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
    let date = facts.creationDate ?? Double(resource.modified) / 1e9
    return AssetRecord(
      id: UUID().uuidString, mediaType: AssetMediaType(primary: type), created: date,
      added: now(), modified: now(), trashed: nil, location: facts.location, facts: facts,
      resources: [resource])
  }

  private func resource(
    _ relative: String, as type: AssetResourceType, _ meter: ProgressMeter
  ) throws(MediaLibraryError) -> ResourceRecord {
    let file = try files.open(layout.root + "/" + relative, O_RDONLY)
    let content = try FileCopy.run(file) { bytes throws(MediaLibraryError) in
      try meter.advance(bytes.count)
    }
    let name = LibraryFiles.name(relative)
    return ResourceRecord(
      type: type, path: relative, name: name, uti: UniformTypes.identifier(forName: name),
      size: content.size, hash: "\(content.hash)", modified: try file.status().modified)
  }

  /// Entries that make the library anew, a thousand assets each.
  private func snapshot(_ records: [AssetRecord], after sequence: Int64) -> [JournalEntry] {
    var entries: [JournalEntry] = []
    var next = sequence + 1
    for start in stride(from: 0, to: max(records.count, 1), by: 1000) {
      var entry = JournalEntry(sequence: next, date: now())
      if start == 0 { entry.begins = true }
      entry.created = Array(records[min(start, records.count)..<min(start + 1000, records.count)])
      entries.append(entry)
      next += 1
    }
    return entries
  }
}
