import FoundationEssentials
import GRDB
import Glibc

/// Opens a library: makes what is missing, completes what was interrupted, and sets aside a catalogue
/// that cannot be read.
struct LibraryOpener {
  let layout: LibraryLayout
  let files: LibraryFiles
  let now: @Sendable () -> Double

  /// Opens the library, or makes it.
  ///
  /// - Parameter damaged: The inode of a catalogue that was found damaged: where it is still in its
  ///   place it is set aside, and made again.
  func open(
    without damaged: UInt64? = nil
  ) throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) {
    if try files.status(layout.journal) == nil { try make() }
    let settings = try readSettings()
    return try LibraryCore.locked(layout, files) {
      () throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) in
      let present = try files.status(layout.catalogue)?.inode
      if let damaged, present == damaged { return try open(settings, aside: setAside()) }
      do throws(MediaLibraryError) { return try open(settings, aside: nil) } catch {
        guard error.code == .catalogueDamaged else { throw error }
      }
      return try open(settings, aside: setAside())
    }
  }

  /// Opens the library, under its lock.
  ///
  /// - Parameter aside: Where a damaged catalogue was put; nil where none was.
  private func open(
    _ settings: LibrarySettings, aside: String?
  ) throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) {
    let isNew = try files.status(layout.catalogue).map { $0.size == 0 } ?? true
    let core = try core(settings)
    var report = RepairReport()
    // A catalogue that was lost is filled from the journal; its files are in their places.
    let journalSize = try core.journal.size()
    if isNew, aside != nil || journalSize > 0 {
      report = try CatalogueFiller(core: core).fill(aside: aside)
      report.catalogueSetAside = aside
    }
    let caughtUp = try Repairer(core: core).catchUp()
    if !report.wasRebuilt { report.completedChanges = caughtUp.completedChanges }
    report.tornJournalBytes += caughtUp.tornJournalBytes
    report.damagedJournalLines += caughtUp.damagedJournalLines
    report.journalSetAside = report.journalSetAside ?? caughtUp.journalSetAside
    report.problems += caughtUp.problems
    report.removedStagingFolders = try StagingFolder.removeLeftovers(in: core)
    report.problems += try Repairer(core: core).unlinkPending().map {
      "\($0): could not be removed yet"
    }
    return (core, report)
  }

  /// Makes sure that files can be written where a change writes them, without waiting for anybody.
  func checkWriting() throws(MediaLibraryError) {
    _ = try files.open(layout.lock, O_RDWR | O_CREAT)
    if try files.status(layout.journal) != nil { _ = try files.open(layout.journal, O_WRONLY) }
    // Some file systems allow by their words what they refuse then.
    let trial = layout.staging + "/" + UUID().uuidString
    try files.makeFolder(trial)
    files.removeFolder(trial)
    var folder = layout.root + "/" + LibraryLayout.folder(for: now())
    while try files.status(folder) == nil, folder != layout.root {
      folder = LibraryFiles.parent(folder)
    }
    for path in [layout.hidden, folder] where access(path, W_OK | X_OK) != 0 {
      throw .system("write into", path, errno)
    }
    if try files.status(layout.catalogue) != nil, access(layout.catalogue, W_OK) != 0 {
      throw .system("write", layout.catalogue, errno)
    }
  }

  /// Makes journal and catalogue again from all that is known, and the files themselves.
  func rebuild(
    _ progress: LibraryProgress.Handler? = nil
  ) throws(MediaLibraryError) -> RepairReport {
    // It gives files entries and takes entries away, which is a change as others are.
    try readSettings().check(adds: false, layout)
    if try files.status(layout.journal) == nil { try make() }
    return try LibraryCore.locked(layout, files) { () throws(MediaLibraryError) -> RepairReport in
      let settings = try readSettings()
      var (old, caughtUp, aside) = try remember(settings)
      var report = try Rebuilder(layout: layout, files: files, now: now, progress: progress)
        .writeJournal(old: old)
      report.damagedJournalLines += caughtUp.damagedJournalLines
      report.journalSetAside = caughtUp.journalSetAside ?? report.journalSetAside
      report.problems = caughtUp.problems + report.problems
      do throws(MediaLibraryError) { try Repairer(core: core(settings)).catchUp() } catch {
        // What is written now may meet damage that nothing has read so far.
        guard error.code == .catalogueDamaged else { throw error }
        aside = try setAside()
        try Repairer(core: core(settings)).catchUp()
      }
      report.catalogueSetAside = aside
      return report
    }
  }

  /// What the catalogue knows, after what was decided and not completed. A damaged one is set aside.
  private func remember(
    _ settings: LibrarySettings
  ) throws(MediaLibraryError) -> (SalvagedCatalogue?, RepairReport, aside: String?) {
    guard let present = try files.status(layout.catalogue), present.size > 0 else {
      return (nil, RepairReport(), nil)
    }
    do throws(MediaLibraryError) {
      let core = try core(settings)
      let caughtUp = try Repairer(core: core).catchUp()
      return (try SalvagedCatalogue(whole: core.catalogue), caughtUp, nil)
    } catch {
      guard error.code == .catalogueDamaged else { throw error }
      let aside = try setAside()
      return (SalvagedCatalogue(damagedAt: aside), RepairReport(), aside)
    }
  }

  private func core(_ settings: LibrarySettings) throws(MediaLibraryError) -> LibraryCore {
    LibraryCore(
      layout: layout, files: files, settings: settings,
      catalogue: try Catalogue(path: layout.catalogue), now: now)
  }

  /// Puts a catalogue that cannot be read away, with the files that belong to it.
  private func setAside() throws(MediaLibraryError) -> String {
    let aside = try files.freePath(layout.catalogue + ".damaged", at: now())
    for suffix in ["-wal", "-shm", ""] where try files.status(layout.catalogue + suffix) != nil {
      try files.replace(aside + suffix, withFileAt: layout.catalogue + suffix)
    }
    return aside
  }

  private func make() throws(MediaLibraryError) {
    try files.makeFolders(layout.root)
    try files.makeFolder(layout.hidden)
    try LibraryCore.locked(layout, files) { () throws(MediaLibraryError) in
      try files.makeFolder(layout.staging)
      try files.makeFolder(layout.previews)
      if try files.status(layout.settings) == nil {
        try files.replace(layout.settings, with: LibrarySettings().json)
      }
      // The journal is made last: where it is, all else is.
      let journal = try files.open(layout.journal, O_WRONLY | O_CREAT)
      try journal.synchronize()
      try files.synchronizeFolder(layout.hidden)
      try files.synchronizeFolder(layout.root)
    }
  }

  func readSettings() throws(MediaLibraryError) -> LibrarySettings {
    guard try files.status(layout.settings) != nil else { return LibrarySettings() }
    return try LibrarySettings(
      json: files.contents(of: layout.settings, limit: 1 << 20), path: layout.settings)
  }
}
