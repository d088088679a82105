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
  func open() throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) {
    if try files.status(layout.journal) == nil { try make() }
    let settings = try readSettings()
    return try LibraryCore.locked(layout, files) {
      () throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) in
      var report = RepairReport()
      let core = try openCatalogue(settings, &report)
      let caughtUp = try Repairer(core: core).catchUp()
      if !report.wasRebuilt { report.completedChanges = caughtUp.completedChanges }
      report.tornJournalBytes += caughtUp.tornJournalBytes
      report.damagedJournalLines += caughtUp.damagedJournalLines
      report.problems += caughtUp.problems
      report.removedStagingFolders = try StagingFolder.removeLeftovers(in: core)
      report.problems += try Repairer(core: core).unlinkPending().map {
        "\($0): could not be removed yet"
      }
      return (core, report)
    }
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

  /// Makes the catalogue again.
  func rebuild() throws(MediaLibraryError) -> RepairReport {
    // It gives files entries and takes entries away, which is a change as others are.
    try readSettings().check(adds: false, layout)
    if try files.status(layout.journal) == nil { try make() }
    return try LibraryCore.locked(layout, files) { () throws(MediaLibraryError) -> RepairReport in
      var report = RepairReport()
      let settings = try readSettings()
      // What was decided and not completed comes first.
      if let core = try? core(settings) {
        report.problems = try Repairer(core: core).catchUp().problems
      }
      let before = report.problems
      report = try rebuild(isReadable: true)
      report.problems = before + report.problems
      _ = try Repairer(core: core(settings)).catchUp()
      return report
    }
  }

  private func core(_ settings: LibrarySettings) throws(MediaLibraryError) -> LibraryCore {
    LibraryCore(
      layout: layout, files: files, settings: settings,
      catalogue: try Catalogue(path: layout.catalogue), now: now)
  }

  private func openCatalogue(
    _ settings: LibrarySettings, _ report: inout RepairReport
  ) throws(MediaLibraryError) -> LibraryCore {
    let isNew = try files.status(layout.catalogue) == nil
    do throws(MediaLibraryError) {
      let core = try core(settings)
      // A catalogue that was lost is filled from the journal; its files come from their places.
      if isNew, try core.journal.size() > 0 {
        core.catalogue.close()
        report = try rebuild(isReadable: false)
        return try self.core(settings)
      }
      return core
    } catch {
      guard error.code == .catalogueDamaged else { throw error }
      let aside = try setAside()
      report = try rebuild(isReadable: false)
      report.catalogueSetAside = aside
      return try core(settings)
    }
  }

  private func rebuild(isReadable: Bool) throws(MediaLibraryError) -> RepairReport {
    let rebuilder = Rebuilder(layout: layout, files: files, now: now)
    var old: Catalogue?
    if isReadable {
      do throws(MediaLibraryError) {
        old = try Catalogue(path: layout.catalogue)
        try old?.checkIntegrity()
      } catch {
        guard error.code == .catalogueDamaged else { throw error }
        old?.close()
        old = nil
        let aside = try setAside()
        var report = try rebuilder.writeJournal(old: nil)
        report.catalogueSetAside = aside
        return report
      }
    }
    defer { old?.close() }
    return try rebuilder.writeJournal(old: old)
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
