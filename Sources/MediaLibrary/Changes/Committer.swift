import GRDB
import MediaCore
import Synchronization

/// Carries out a change block: journal, files, catalogue, in this order.
///
/// The journal decides. Before its entry is on the disk, nothing has happened; afterwards the
/// change will be completed, by this process or by the next one that opens the library.
struct Committer {
  let core: LibraryCore

  /// Carries out a change block whose files are staged.
  func commit(
    _ files: StagedFiles, _ requests: [ChangeBlock.Request], staging: String?
  ) throws(MediaLibraryError) -> ChangeReport {
    try core.locked { () throws(MediaLibraryError) -> ChangeReport in
      var report = ChangeReport()
      guard core.isPresent else {
        throw MediaLibraryError(
          .busy, "\(core.layout.root): the catalogue was replaced meanwhile; try again")
      }
      try Repairer(core: core).catchUp()
      let present = try core.catalogue.read { try Catalogue.position($0) }
      var entry = JournalEntry(sequence: present.sequence + 1, date: core.now())
      entry.staging = staging
      try add(requests, to: &entry, &report)
      var places = PlaceAllocator(core: core)
      for edit in files.assets where edit.draft.isEdit {
        let record = try record(edit.draft.id)
        try places.place(edit, asEditOf: record, in: &entry)
        try removeEdit(of: record, in: &entry)
        report.changedAssets.append(record.id)
      }
      var twins: [String: String] = [:]
      let kept = try withoutDuplicates(
        files.assets.filter { !$0.draft.isEdit }, &report, &twins)
      for asset in kept {
        let record = try places.place(asset, in: &entry)
        report.createdAssets.append(record.id)
      }
      try addAlbums(requests, twins: twins, to: &entry)
      guard !entry.isEmpty else { return report }
      if let outside = entry.outside(of: core.resolvedRoot) {
        entry.note = try core.notes.write(outside)
      }
      try carryOut(entry, after: files.synchronization)
      // Pending removals still need the note.
      if let note = entry.note, entry.outsideUnlinks.isEmpty { core.notes.remove(note) }
      // The change is complete: later failures do not undo it.
      do throws(MediaLibraryError) {
        let removal = try Repairer(core: core).unlinkPending()
        report.leftovers = removal.left
        report.warnings +=
          removal.left.map {
            "\($0): could not be removed yet; the library tries again with its next change"
          } + removal.problems
      } catch {
        report.warnings.append(error.message)
      }
      return report
    }
  }

  /// - Parameter synchronization: Flushes the entry's files to the disk. The entry is not written
  ///   before that.
  private func carryOut(
    _ entry: JournalEntry, after synchronization: BackgroundJob<Void, MediaLibraryError>?
  ) throws(MediaLibraryError) {
    // With many small files, the disk, journal and file work takes as long as the catalogue's; they
    // run in parallel. The catalogue commits only after the journal and the files are done.
    var filed: JournalEnd?
    do throws(MediaLibraryError) {
      try core.catalogue.write { db in
        let filing = BackgroundJob(label: "photo-library-files") { () throws(MediaLibraryError) in
          let line = try Journal.line(entry)
          try synchronization?.outcome()
          return try file(entry, line)
        }
        let applied = Result { try Catalogue.apply(entry, to: db) }
        let end = try filing.outcome()
        filed = end
        try applied.get()
        try Catalogue.set(.init(sequence: entry.sequence, offset: end.after), in: db)
      }
    } catch {
      guard let filed else { throw error }
      let isUndone = MoveRunner(layout: core.layout, files: core.files).takeBack(entry.moves)
      throw undone(error, filed.before, isUndone: isUndone)
    }
  }

  /// The journal's end before and after an entry.
  private typealias JournalEnd = (before: Int64, after: Int64)

  /// Appends an entry to the journal, as this line, and moves its files to their places.
  private func file(
    _ entry: JournalEntry, _ line: [UInt8]
  ) throws(MediaLibraryError) -> JournalEnd {
    let end = try core.journal.append(line: line)
    do throws(MoveRunner.Failure) {
      try MoveRunner(layout: core.layout, files: core.files).run(entry.moves, isReplay: false)
    } catch {
      throw undone(error.error, end.before, isUndone: error.isUndone)
    }
    return end
  }

  /// Removes the entry from the journal again, if the moves were undone. If that fails, the change
  /// stands, and the next process to open the library completes it.
  private func undone(
    _ error: MediaLibraryError, _ before: Int64, isUndone: Bool
  ) -> MediaLibraryError {
    if isUndone, (try? core.journal.truncate(to: before)) != nil { return error }
    // The change stands: it must not be retried with a rebuilt catalogue.
    return MediaLibraryError(
      error.code == .catalogueDamaged ? .catalogueFailed : error.code,
      error.message + "; the change will be completed when the library is next opened",
      from: error)
  }

  // MARK: Requests

  private func add(
    _ requests: [ChangeBlock.Request], to entry: inout JournalEntry, _ report: inout ChangeReport
  ) throws(MediaLibraryError) {
    for request in requests {
      switch request {
      case .create, .edit, .album, .deleteAlbum: break
      case .revert(let id):
        let record = try record(id)
        guard record.resources.contains(where: \.type.isEdit),
          !entry.updates.contains(where: { $0.id == id && $0.resources != nil })
        else { continue }
        entry.updates.append(
          .init(id: id, resources: record.resources.filter { !$0.type.isEdit }))
        try removeEdit(of: record, in: &entry)
        report.changedAssets.append(id)
      case .update(let change):
        let update = change.update.withLock { $0 }
        _ = try record(update.id)
        entry.updates.append(update)
        report.changedAssets.append(update.id)
      case .trash(let id):
        guard try record(id).trashed == nil else { continue }
        entry.updates.append(.init(id: id, trashed: .init(value: core.now())))
        report.changedAssets.append(id)
      case .trashCopied(let id, let copied):
        // Somebody else may have removed or edited it, or reverted an edit, in the meantime.
        guard let record = try present(id), record.trashed == nil else { continue }
        guard record.resources.map(\.content) == copied.map(\.content),
          record.resources.map(\.path) == copied.map(\.path)
        else {
          report.changedSinceCopied = (report.changedSinceCopied ?? []) + [id]
          continue
        }
        entry.updates.append(.init(id: id, trashed: .init(value: core.now())))
        report.changedAssets.append(id)
      case .restore(let id):
        guard try record(id).trashed != nil else { continue }
        entry.updates.append(.init(id: id, trashed: .init(value: nil)))
        report.changedAssets.append(id)
      case .expunge(let id):
        let record = try record(id)
        guard record.trashed != nil else {
          throw MediaLibraryError(
            .invalidArgument,
            "\(record.resources.first?.name ?? id): is not deleted; delete it before removing it "
              + "permanently")
        }
        entry.removed.append(id)
        try unlink(record.resources, in: &entry)
        report.removedAssets.append(id)
      }
    }
  }

  /// Schedules the files of an asset's earlier edit for removal.
  private func removeEdit(
    of record: AssetRecord, in entry: inout JournalEntry
  ) throws(MediaLibraryError) {
    try unlink(record.resources.filter(\.type.isEdit), in: &entry)
  }

  private func unlink(
    _ resources: [ResourceRecord], in entry: inout JournalEntry
  ) throws(MediaLibraryError) {
    for resource in resources {
      // The status identifies this file, in case another one takes its name later.
      let path = try core.layout.path(of: resource.path, files: core.files)
      guard let status = try core.files.status(path) else { continue }
      entry.unlinks.append(.init(path: resource.path, status: status))
    }
  }

  private func present(_ id: String) throws(MediaLibraryError) -> AssetRecord? {
    try core.catalogue.read { try Catalogue.records(identifiers: [id], $0).first }
  }

  private func record(_ id: String) throws(MediaLibraryError) -> AssetRecord {
    guard let found = try present(id) else {
      throw MediaLibraryError(.assetNotFound, "no asset has the identifier \(id)")
    }
    return found
  }

  // MARK: Duplicates

  /// An asset whose main file has the same content as another one's.
  private struct Twin {
    var id: String
    /// The paths of its files, by content.
    var files: [Content: String]

    init(id: String, _ files: [(Content, String)]) {
      self.id = id
      self.files = Dictionary(files, uniquingKeysWith: { first, _ in first })
    }

    init(_ asset: StagedAsset) {
      self.init(id: asset.draft.id, asset.resources.map { ($0.record.content, $0.from) })
    }
  }

  /// - Parameter twins: Set to the library's asset for each asset that is left out.
  private func withoutDuplicates(
    _ assets: [StagedAsset], _ report: inout ChangeReport, _ twins: inout [String: String]
  ) throws(MediaLibraryError) -> [StagedAsset] {
    var kept: [StagedAsset] = []
    kept.reserveCapacity(assets.count)
    /// The indexes in `kept`, by the content of the main file.
    var here: [Content: [Int]] = [:]
    here.reserveCapacity(assets.count)
    let present = try existing(assets)
    for asset in assets {
      guard let main = asset.main else { continue }
      let key = main.record.content
      let others = here[key] ?? []
      if !others.isEmpty || !present.isEmpty {
        let candidates = (present[key] ?? []) + others.map { Twin(kept[$0]) }
        var whole: Twin?
        if asset.draft.duplicates == .skip {
          for twin in candidates where whole == nil { if try holds(twin, asset) { whole = twin } }
        }
        if let twin = whole ?? candidates.first {
          var duplicate = ChangeReport.Duplicate(
            source: main.source, existingAsset: twin.id, wasSkipped: whole != nil)
          if whole != nil {
            let lost = asset.resources.filter {
              $0.record.type == .companion && twin.files[$0.record.content] == nil
            }
            if !lost.isEmpty { duplicate.omittedCompanions = lost.map(\.source) }
          }
          report.duplicates.append(duplicate)
        }
        if let whole {
          twins[asset.draft.id] = whole.id
          continue
        }
      }
      here[key] = others + [kept.count]
      kept.append(asset)
    }
    return kept
  }

  /// True if an asset already has every file that another one would add, companions excepted. Bytes
  /// are compared, because a 64-bit hash proves nothing.
  private func holds(_ twin: Twin, _ asset: StagedAsset) throws(MediaLibraryError) -> Bool {
    for resource in asset.resources where resource.record.type != .companion {
      guard let path = twin.files[resource.record.content],
        try hasSameBytes(resource.from, path)
      else { return false }
    }
    return true
  }

  /// The library's assets whose main files have the same content as these.
  private func existing(_ assets: [StagedAsset]) throws(MediaLibraryError) -> [Content: [Twin]] {
    try core.catalogue.read { db in
      var twins: [Content: [Twin]] = [:]
      let records = assets.compactMap { $0.main?.record }
      let known = try Catalogue.knownHashes(among: records.map(\.hash), db)
      for record in records where known.contains(record.hash) && twins[record.content] == nil {
        let found = try Catalogue.assets(hash: record.hash, size: record.size, db)
        twins[record.content] = found.map { asset in
          let own = asset.resources.filter { LibraryLayout.isPlace($0.path) }
          return Twin(id: asset.id, own.map { ($0.content, $0.path) })
        }
      }
      return twins
    }
  }

  private func hasSameBytes(_ first: String, _ second: String) throws(MediaLibraryError) -> Bool {
    guard let other = try? core.files.open(core.layout.place(second, core.files), 0) else {
      return false
    }
    let file = try core.files.open(core.layout.place(first, core.files), 0)
    return try file.hasSameBytes(as: other)
  }
}

extension JournalEntry {
  /// What the entry takes from outside the library; nil for nothing.
  fileprivate func outside(of library: String) -> OutsideFiles? {
    let (moves, unlinks) = (outsideMoves, outsideUnlinks)
    guard !moves.isEmpty || !unlinks.isEmpty else { return nil }
    return OutsideFiles(library: library, moves: moves, unlinks: unlinks)
  }

  /// True if there is nothing to do.
  var isEmpty: Bool {
    created.isEmpty && updates.isEmpty && removed.isEmpty && unlinks.isEmpty && moves.isEmpty
      && albums == nil
  }
}

extension StagedAsset {
  fileprivate var main: StagedResource? { resources.first { $0.record.type.isPrimary } }
}

/// Identifies content, as far as hash and size can.
private struct Content: Hashable {
  var hash: String
  var size: Int64
}

extension ResourceRecord {
  fileprivate var content: Content { Content(hash: hash, size: size) }
}
