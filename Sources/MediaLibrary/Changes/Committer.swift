import GRDB
import Synchronization

/// Carries out a change block: journal, files, catalogue, in this order.
///
/// The journal is what decides. Before its entry is on the disk nothing has happened; afterwards the
/// change will be complete, by this process or by the next one that opens the library.
struct Committer {
  let core: LibraryCore

  /// Carries out a change block whose files are ready.
  func commit(
    _ assets: [StagedAsset], _ requests: [ChangeBlock.Request], staging: String?
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
      let kept = try withoutDuplicates(assets, &report)
      for asset in kept {
        let record = try places.place(asset, in: &entry)
        report.createdAssets.append(record.id)
      }
      guard !entry.isEmpty else { return report }
      try carryOut(entry)
      report.leftovers = try Repairer(core: core).unlinkPending()
      return report
    }
  }

  private func carryOut(_ entry: JournalEntry) throws(MediaLibraryError) {
    let end = try core.journal.append(entry)
    let runner = MoveRunner(layout: core.layout, files: core.files)
    do throws(MoveRunner.Failure) {
      try runner.run(entry.moves, isReplay: false)
    } catch {
      throw undone(error.error, end.before, isUndone: error.isUndone)
    }
    do throws(MediaLibraryError) {
      try core.catalogue.write { try Catalogue.apply(entry, endOffset: end.after, to: $0) }
    } catch {
      let isUndone = runner.takeBack(entry.moves)
      throw undone(error, end.before, isUndone: isUndone)
    }
  }

  /// Takes the entry out of the journal again, where the files are as they were. Where that fails the
  /// change stands, and the next one to open the library completes it.
  private func undone(
    _ error: MediaLibraryError, _ before: Int64, isUndone: Bool
  ) -> MediaLibraryError {
    if isUndone, (try? core.journal.truncate(to: before)) != nil { return error }
    return MediaLibraryError(
      error.code,
      error.message + "; what was begun is completed when the library is opened next",
      errno: error.errno)
  }

  // MARK: Requests

  private func add(
    _ requests: [ChangeBlock.Request], to entry: inout JournalEntry, _ report: inout ChangeReport
  ) throws(MediaLibraryError) {
    for request in requests {
      switch request {
      case .create: break
      case .update(let change):
        let update = change.update.withLock { $0 }
        _ = try record(update.id)
        entry.updates.append(update)
        report.changedAssets.append(update.id)
      case .trash(let id):
        guard try record(id).trashed == nil else { continue }
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
            "\(record.resources.first?.name ?? id): is not deleted; delete it before it is removed "
              + "for good")
        }
        entry.removed.append(id)
        for resource in record.resources {
          // This file, and not another one that may have its name later.
          guard let status = try core.files.status(core.layout.place(resource.path, core.files))
          else { continue }
          entry.unlinks.append(.init(path: resource.path, status: status))
        }
        report.removedAssets.append(id)
      }
    }
  }

  private func record(_ id: String) throws(MediaLibraryError) -> AssetRecord {
    let found = try core.catalogue.read { try Catalogue.records(identifiers: [id], $0).first }
    guard let found else {
      throw MediaLibraryError(.assetNotFound, "no asset has the identifier \(id)")
    }
    return found
  }

  // MARK: Duplicates

  private func withoutDuplicates(
    _ assets: [StagedAsset], _ report: inout ChangeReport
  ) throws(MediaLibraryError) -> [StagedAsset] {
    var kept: [StagedAsset] = []
    var here: [String: (id: String, path: String)] = [:]
    for asset in assets {
      guard let main = asset.resources.first(where: { $0.record.type.isPrimary }) else { continue }
      let key = "\(main.record.hash) \(main.record.size)"
      var twin = try existing(main)
      if twin == nil { twin = here[key] }
      guard let twin else {
        here[key] = (asset.draft.id, main.from)
        kept.append(asset)
        continue
      }
      // A hash of 64 bits is no proof: what is left out was compared.
      var skips = asset.draft.duplicates == .skip
      if skips { skips = try hasSameBytes(main.from, twin.path) }
      report.duplicates.append(
        .init(source: main.source, existingAsset: twin.id, wasSkipped: skips))
      if !skips { kept.append(asset) }
    }
    return kept
  }

  private func existing(
    _ resource: StagedResource
  ) throws(MediaLibraryError) -> (id: String, path: String)? {
    let record = resource.record
    return try core.catalogue.read {
      try Catalogue.assets(hash: record.hash, size: record.size, $0).first
    }
  }

  private func hasSameBytes(_ first: String, _ second: String) throws(MediaLibraryError) -> Bool {
    guard let other = try? core.files.open(core.layout.place(second, core.files), 0) else {
      return false
    }
    let file = try core.files.open(core.layout.place(first, core.files), 0)
    var offset: Int64 = 0
    while true {
      let mine = try file.bytes(at: offset, count: 1 << 20)
      let theirs = try other.bytes(at: offset, count: 1 << 20)
      guard mine == theirs else { return false }
      if mine.isEmpty { return true }
      offset += Int64(mine.count)
    }
  }
}

extension JournalEntry {
  /// True where nothing is to be done.
  var isEmpty: Bool {
    created.isEmpty && updates.isEmpty && removed.isEmpty && unlinks.isEmpty && moves.isEmpty
  }
}
