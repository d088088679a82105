import Foundation
import GRDB
import Glibc

/// Makes journal and catalogue again from what is there: the journal's entries, a catalogue that can
/// still be read, and the files themselves. For the holder of the library's lock.
struct Rebuilder {
  let layout: LibraryLayout
  let files: LibraryFiles
  /// The user's notes of changes under way, and the library's folder as they know it.
  let notes: OutsideNotes
  let resolvedRoot: String
  let now: @Sendable () -> Double

  /// What the library was, as far as it can be told.
  private struct Memory {
    var records: [String: AssetRecord] = [:]
    var order: [String] = []
    var lastSequence: Int64 = 0

    mutating func add(_ record: AssetRecord) {
      if records.updateValue(record, forKey: record.id) == nil { order.append(record.id) }
    }

    mutating func apply(_ entry: JournalEntry) {
      lastSequence = max(lastSequence, entry.sequence)
      if entry.begins == true { (records, order) = ([:], []) }
      for record in entry.created { add(record) }
      for update in entry.updates { apply(update, entry.date) }
      for id in entry.removed { records[id] = nil }
    }

    private mutating func apply(_ update: JournalEntry.Update, _ date: Double) {
      guard var record = records[update.id] else { return }
      if let favorite = update.favorite { record.favorite = favorite }
      if let created = update.created { record.created = created }
      if let place = update.location { record.location = place.value }
      if let moment = update.trashed { record.trashed = moment.value }
      record.modified = date
      records[update.id] = record
    }
  }

  /// Makes a new journal of what there is, and takes the catalogue away: the next to open the library
  /// fills it from the journal.
  ///
  /// - Parameter old: The catalogue, where it can be read.
  func writeJournal(old: Catalogue?) throws(MediaLibraryError) -> RepairReport {
    var report = RepairReport()
    report.wasRebuilt = true
    let journal = Journal(path: layout.journal, files: files)
    var memory = Memory()
    let reading = try journal.read { entry, _ throws(MediaLibraryError) in
      completeMoves(of: entry)
      memory.apply(entry)
      return true
    }
    report.damagedJournalLines = reading.damagedLines
    report.tornJournalBytes = reading.tornBytes
    report.problems += reading.problems
    if let old { try merge(old, into: &memory) }
    let kept = try withoutMissing(memory, &report)
    // Files can come back: a disk that is not mounted, a folder that somebody put elsewhere.
    if !report.missingFiles.isEmpty { try keepJournal(&report) }
    let adopted = try adopt(besides: kept, &report)
    let all = kept + adopted
    report.assetCount = all.count
    try journal.replace(with: snapshot(all, after: memory.lastSequence))
    return report
  }

  /// Keeps the journal, which knows what is missing, beside the one that is made without it.
  private func keepJournal(_ report: inout RepairReport) throws(MediaLibraryError) {
    guard try files.status(layout.journal) != nil else { return }
    let aside = try files.freePath(layout.journal + ".before", at: now())
    _ = try FileCopy.run(
      files.openOwn(layout.journal, O_RDONLY), to: aside, files: files, synchronizes: true,
      verifies: false)
    report.problems.append("what was known of the missing files is in \(aside)")
  }

  /// A change that was decided and not completed has its files elsewhere still.
  private func completeMoves(of entry: JournalEntry) {
    // Of files outside the library, only those that this user wrote down.
    let note = entry.note.flatMap { (try? notes.note($0)) ?? nil }
    let isNoted = note?.library == resolvedRoot && note?.cover(entry) == true
    for move in entry.moves where isNoted || !move.from.hasPrefix("/") {
      guard let to = try? layout.path(of: move.to, files: files),
        (try? files.status(to)) == .some(nil)
      else {
        continue
      }
      // Where it fails the file is found missing afterwards, and told so.
      try? MoveRunner(layout: layout, files: files).run([move], isReplay: true)
    }
  }

  /// A catalogue knows what a damaged journal has lost.
  private func merge(_ old: Catalogue, into memory: inout Memory) throws(MediaLibraryError) {
    let (position, records) = try old.read { db in
      let ids = try Int64.fetchAll(db, sql: "SELECT id FROM asset ORDER BY id")
      return (try Catalogue.position(db), try Catalogue.records(ids: ids, db))
    }
    guard memory.lastSequence <= position.sequence || memory.records.isEmpty else { return }
    for (_, record) in records { memory.add(record) }
    memory.lastSequence = max(memory.lastSequence, position.sequence)
  }

  private func withoutMissing(
    _ memory: Memory, _ report: inout RepairReport
  ) throws(MediaLibraryError) -> [AssetRecord] {
    var kept: [AssetRecord] = []
    for id in memory.order {
      guard var record = memory.records[id] else { continue }
      var present: [ResourceRecord] = []
      for resource in record.resources {
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
    for folder in try layout.originalFolders(files) {
      let names = try files.names(in: layout.root + "/" + folder).filter { !$0.hasPrefix(".") }
      var companions: [String] = []
      var byStem: [String: Int] = [:]
      var byTake: [String: Int] = [:]
      for name in names.sorted(by: MovieOrder.isBefore)
      where !known.contains(Array((folder + "/" + name).utf8)) {
        let relative = folder + "/" + name
        guard try files.status(layout.root + "/" + relative)?.isRegularFile == true else {
          continue
        }
        do throws(MediaLibraryError) {
          guard let record = try record(of: relative, name: name) else {
            companions.append(relative)
            continue
          }
          report.adoptedFiles.append(relative)
          let stem = FileName(name).stem
          if let other = byStem[stem], let both = Self.pair(adopted[other], record) {
            adopted[other] = both
            continue
          }
          if let take = record.facts.takeIdentifier {
            if let first = byTake[take], record.mediaType == .video {
              adopted[first].append(segment: record)
              byStem[stem] = first
              continue
            }
            byTake[take] = adopted.count
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
            "\(relative): not a photo, video or audio file, and belongs to none; left as it is")
          continue
        }
        adopted[owner].resources.append(try resource(relative, as: .companion))
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

  private func record(
    of relative: String, name: String
  ) throws(MediaLibraryError) -> AssetRecord? {
    let path = layout.root + "/" + relative
    let inspector = MediaInspector(files: files)
    guard let type = try inspector.identity(of: path)?.type else { return nil }
    let facts = try inspector.facts(path, as: type, name: relative)
    let resource = try resource(relative, as: type)
    let date = facts.creationDate ?? Double(resource.modified) / 1e9
    return AssetRecord(
      id: UUID().uuidString, mediaType: AssetMediaType(primary: type), created: date,
      added: now(), modified: now(), trashed: nil, location: facts.location, facts: facts,
      resources: [resource])
  }

  private func resource(
    _ relative: String, as type: AssetResourceType
  ) throws(MediaLibraryError) -> ResourceRecord {
    let file = try files.open(layout.root + "/" + relative, O_RDONLY)
    let content = try FileCopy.run(file)
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
