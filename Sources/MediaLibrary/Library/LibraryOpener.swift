import FoundationEssentials
import GRDB
import Glibc

/// Opens a library: makes what is missing, completes what was interrupted, and sets aside a catalogue
/// that cannot be read.
struct LibraryOpener {
  let layout: LibraryLayout
  let files: LibraryFiles
  let now: @Sendable () -> Double

  let user: LibraryUser

  /// What is known of a library before it is opened.
  private struct Approach {
    var root: LibraryRoot
    /// The calls, which follow no link in the library.
    var files: LibraryFiles
    var restriction: LibraryRestriction?
  }

  /// Opens the library, or makes it where there is none.
  ///
  /// - Throws: ``MediaLibraryError``; ``MediaLibraryError/Code/untrusted`` for a library of a stranger
  ///   that is to be changed.
  func open(
    for purpose: LibraryPurpose
  ) throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) {
    if try !isThere() { try make() }
    let approach = try approach()
    if purpose == .reading { return try openForReading(approach) }
    if let restriction = approach.restriction { throw restriction.error }
    if try approach.files.status(layout.journal) == nil { try make() }
    let settings = try readSettings(approach.files)
    return try LibraryCore.locked(layout, approach.files) {
      () throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) in
      var report = RepairReport()
      let core = try openCatalogue(approach, settings, &report)
      let repairer = Repairer(core: core)
      let caughtUp = try repairer.catchUp()
      if !report.wasRebuilt { report.completedChanges = caughtUp.completedChanges }
      report.tornJournalBytes += caughtUp.tornJournalBytes
      report.damagedJournalLines += caughtUp.damagedJournalLines
      report.problems += caughtUp.problems
      report.removedStagingFolders = try StagingFolder.removeLeftovers(in: core)
      let removal = try repairer.unlinkPending()
      report.problems += removal.left.map { "\($0): could not be removed yet" } + removal.problems
      if removal.left.isEmpty { core.notes.removeAll(of: core.resolvedRoot, except: []) }
      return (core, report)
    }
  }

  /// Opens the library and leaves all but its catalogue as it is.
  private func openForReading(
    _ approach: Approach
  ) throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) {
    var report = RepairReport()
    report.restriction = approach.restriction
    let settings = try readSettings(approach.files)
    guard approach.restriction == nil, try approach.files.status(layout.catalogue) != nil else {
      return (try readJournal(approach, settings, &report), report)
    }
    let core: LibraryCore
    do throws(MediaLibraryError) { core = try self.core(approach, settings, .reading) } catch {
      guard error.code == .catalogueDamaged else { throw error }
      report.problems.append("\(error.message); until then it is read from the journal")
      return (try readJournal(approach, settings, &report), report)
    }
    guard try core.catalogue.position().offset != core.journal.size() else { return (core, report) }
    try core.locked { () throws(MediaLibraryError) in
      let caughtUp = try Repairer(core: core).catchUp(for: .reading)
      report.pendingChanges = caughtUp.pendingChanges
      report.damagedJournalLines = caughtUp.damagedJournalLines
      report.problems += caughtUp.problems
    }
    return (core, report)
  }

  /// Makes a catalogue in memory of what the journal says.
  private func readJournal(
    _ approach: Approach, _ settings: LibrarySettings, _ report: inout RepairReport
  ) throws(MediaLibraryError) -> LibraryCore {
    let catalogue = try Catalogue(inMemoryFor: layout.catalogue)
    let core = try LibraryCore(
      layout: layout, root: approach.root, files: files, settings: settings, catalogue: catalogue,
      purpose: .reading, notes: notes, now: now)
    var pending = 0
    var last: Int64 = 0
    let repairer = Repairer(core: core)
    let reading = try core.journal.read(limit: Journal.longestInMemory) {
      entry, end throws(MediaLibraryError) in
      guard entry.sequence > last else { return true }
      last = entry.sequence
      // What a killed process left half done has its files elsewhere still.
      if try repairer.isHalfDone(entry) {
        pending += 1
      } else {
        try catalogue.write { try Catalogue.apply(entry, endOffset: end, to: $0) }
      }
      return true
    }
    report.pendingChanges = pending
    report.damagedJournalLines = reading.damagedLines
    report.problems += reading.problems
    return core
  }

  /// Makes sure that files can be written where a change writes them, without waiting for anybody.
  func checkWriting() throws(MediaLibraryError) {
    let approach = try approach()
    if let restriction = approach.restriction { throw restriction.error }
    let files = approach.files
    _ = try files.openOwn(layout.lock, O_RDWR | O_CREAT)
    if try files.status(layout.journal) != nil { _ = try files.openOwn(layout.journal, O_WRONLY) }
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
    // A take is moved into the library.
    try notes.checkWriting()
  }

  /// Makes the catalogue again.
  func rebuild() throws(MediaLibraryError) -> RepairReport {
    if try !isThere() { try make() }
    let approach = try approach()
    if let restriction = approach.restriction { throw restriction.error }
    // It gives files entries and takes entries away, which is a change as others are.
    try readSettings(approach.files).check(adds: false, layout)
    if try approach.files.status(layout.journal) == nil { try make() }
    return try LibraryCore.locked(layout, approach.files) {
      () throws(MediaLibraryError) -> RepairReport in
      var report = RepairReport()
      let settings = try readSettings(approach.files)
      // What was decided and not completed comes first.
      if let core = try? core(approach, settings, .changing) {
        report.problems = try Repairer(core: core).catchUp().problems
      }
      let before = report.problems
      report = try rebuild(approach, isReadable: true)
      report.problems = before + report.problems.filter { !before.contains($0) }
      _ = try Repairer(core: core(approach, settings, .changing)).catchUp()
      return report
    }
  }

  /// What the library's settings say.
  func readSettings() throws(MediaLibraryError) -> LibrarySettings {
    try readSettings(approach().files)
  }

  /// Why the library may only be read; nil where it may be changed.
  func restriction() throws(MediaLibraryError) -> LibraryRestriction? { try approach().restriction }

  /// True where the folder has what makes it a library. A journal that was lost leaves one still.
  private func isThere() throws(MediaLibraryError) -> Bool {
    for path in [layout.journal, layout.catalogue] where try files.status(path) != nil {
      return true
    }
    return false
  }

  private func approach() throws(MediaLibraryError) -> Approach {
    let root = try LibraryRoot(layout.root, calls: files.calls)
    return Approach(
      root: root, files: files.confined(to: root), restriction: try restriction(root))
  }

  private var notes: OutsideNotes { OutsideNotes(user: user, calls: files.calls) }

  private func core(
    _ approach: Approach, _ settings: LibrarySettings, _ purpose: LibraryPurpose
  ) throws(MediaLibraryError) -> LibraryCore {
    let catalogue = try Catalogue(path: layout.catalogue)
    return try LibraryCore(
      layout: layout, root: approach.root, files: files, settings: settings, catalogue: catalogue,
      purpose: purpose, notes: notes, now: now)
  }

  private func openCatalogue(
    _ approach: Approach, _ settings: LibrarySettings, _ report: inout RepairReport
  ) throws(MediaLibraryError) -> LibraryCore {
    let isNew = try approach.files.status(layout.catalogue) == nil
    do throws(MediaLibraryError) {
      let core = try core(approach, settings, .changing)
      // A catalogue that was lost is filled from the journal; its files come from their places.
      if isNew, try core.journal.size() > 0 {
        core.catalogue.close()
        report = try rebuild(approach, isReadable: false)
        return try self.core(approach, settings, .changing)
      }
      return core
    } catch {
      guard error.code == .catalogueDamaged else { throw error }
      let aside = try setAside(approach.files)
      report = try rebuild(approach, isReadable: false)
      report.catalogueSetAside = aside
      return try core(approach, settings, .changing)
    }
  }

  private func rebuild(
    _ approach: Approach, isReadable: Bool
  ) throws(MediaLibraryError) -> RepairReport {
    let rebuilder = Rebuilder(
      layout: layout, files: approach.files, notes: notes,
      resolvedRoot: try approach.root.resolvedPath(), now: now)
    var old: Catalogue?
    if isReadable {
      do throws(MediaLibraryError) {
        old = try Catalogue(path: layout.catalogue)
        try old?.checkIntegrity()
      } catch {
        guard error.code == .catalogueDamaged else { throw error }
        old?.close()
        old = nil
        let aside = try setAside(approach.files)
        var report = try rebuilder.writeJournal(old: nil)
        report.catalogueSetAside = aside
        return report
      }
    }
    defer { old?.close() }
    return try rebuilder.writeJournal(old: old)
  }

  /// Puts a catalogue that cannot be read away, with the files that belong to it.
  private func setAside(_ files: LibraryFiles) throws(MediaLibraryError) -> String {
    let aside = try files.freePath(layout.catalogue + ".damaged", at: now())
    for suffix in ["-wal", "-shm", ""] where try files.status(layout.catalogue + suffix) != nil {
      try files.replace(aside + suffix, withFileAt: layout.catalogue + suffix)
    }
    return aside
  }

  private func make() throws(MediaLibraryError) {
    try files.makeFolders(layout.root)
    let files = files.confined(to: try LibraryRoot(layout.root, calls: files.calls))
    try files.makeFolder(layout.hidden)
    try LibraryCore.locked(layout, files) { () throws(MediaLibraryError) in
      try files.makeFolder(layout.staging)
      try files.makeFolder(layout.previews)
      if try files.status(layout.settings) == nil {
        try files.replace(layout.settings, with: LibrarySettings().json)
      }
      // The journal is made last: where it is, all else is.
      let journal = try files.openOwn(layout.journal, O_WRONLY | O_CREAT)
      try journal.synchronize()
      try files.synchronizeFolder(layout.hidden)
      try files.synchronizeFolder(layout.root)
    }
  }

  private func readSettings(_ files: LibraryFiles) throws(MediaLibraryError) -> LibrarySettings {
    guard try files.status(layout.settings) != nil else { return LibrarySettings() }
    return try LibrarySettings(
      json: files.contents(of: layout.settings, limit: 1 << 20), path: layout.settings)
  }
}
