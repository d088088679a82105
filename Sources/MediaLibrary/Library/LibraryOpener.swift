import FoundationEssentials
import GRDB
import Glibc
import MediaCore
import SystemPackage

/// Opens a library: creates what is missing, completes interrupted changes, and sets aside an
/// unreadable catalogue.
struct LibraryOpener {
  let layout: LibraryLayout
  let files: LibraryFiles
  let now: @Sendable () -> Double

  let user: LibraryUser

  /// What is known about a library before it is opened.
  private struct Approach {
    var root: LibraryRoot
    /// The file operations, following no links in the library.
    var files: LibraryFiles
    var restriction: LibraryRestriction?
    /// True if the journal was missing, and an empty one was created.
    var lacksJournal = false

    /// How a rewritten journal had been lost.
    func loss(_ caughtUp: RepairReport) -> RepairReport.Loss? {
      caughtUp.journalLoss == .empty && lacksJournal ? .missing : caughtUp.journalLoss
    }
  }

  /// Opens the library, or creates it.
  ///
  /// Opening for reading only repairs the contents of the hidden folder: a damaged catalogue is
  /// rebuilt, and files stay where they are. A restricted library is not modified at all.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of opening it.
  ///   - damaged: A catalogue found to be damaged. If it is still in place, it is set aside and
  ///     rebuilt.
  /// - Throws: ``MediaLibraryError``; ``MediaLibraryError/Code/untrusted`` when opening a
  ///   stranger's library for changes.
  func open(
    for purpose: LibraryPurpose, without damaged: LibraryCore.Generation? = nil
  ) throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) {
    if try !isThere() { try make() }
    var approach = try approach()
    let settings = try readSettings(approach.files)
    if let restriction = approach.restriction {
      guard purpose == .reading else { throw restriction.error }
      var (core, report) = try readJournal(approach, settings)
      report.restriction = restriction
      return (core, report)
    }
    try makeJournal(&approach)
    // An up-to-date library is read without waiting for writers.
    if purpose == .reading, damaged == nil, let core = try inOrder(approach, settings) {
      return (core, RepairReport())
    }
    return try LibraryCore.locked(layout, approach.files) {
      () throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) in
      if let damaged, damaged == .catalogue(of: layout, files.calls) {
        return try mend(approach, settings, purpose, isDamaged: true)
      }
      do throws(MediaLibraryError) {
        return try openCatalogue(approach, settings, purpose)
      } catch {
        guard error.code == .catalogueDamaged else { throw error }
      }
      return try mend(approach, settings, purpose, isDamaged: true)
    }
  }

  /// The library opened for reading if its catalogue needs no work; otherwise nil.
  private func inOrder(
    _ approach: Approach, _ settings: LibrarySettings
  ) throws(MediaLibraryError) -> LibraryCore? {
    guard try hasCatalogue(approach) else { return nil }
    do throws(MediaLibraryError) {
      let core = try core(approach, settings, .reading)
      let position = try core.catalogue.position()
      guard try position.offset == core.journal.size() else { return nil }
      // An empty catalogue may belong to an interrupted repair.
      guard position.sequence == 0 else { return core }
      return try lastSetAside(approach.files) == nil ? core : nil
    } catch {
      guard error.code == .catalogueDamaged else { throw error }
      return nil
    }
  }

  /// Opens the existing catalogue, under the lock.
  private func openCatalogue(
    _ approach: Approach, _ settings: LibrarySettings, _ purpose: LibraryPurpose
  ) throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) {
    let journal = Journal(path: layout.journal, files: approach.files)
    // A catalogue was set aside, and the journal is empty: a repair was interrupted.
    let isCutShort = try lastSetAside(approach.files) != nil
    // A lost catalogue is filled from the journal; the files are in their places.
    if try !hasCatalogue(approach) {
      let size = try journal.size()
      if size > 0 || isCutShort {
        return try mend(approach, settings, purpose, isDamaged: false)
      }
    }
    let core = try core(approach, settings, purpose)
    // An empty catalogue must be rebuilt from the whole journal. Only the last change in it can be
    // incomplete.
    if try core.catalogue.position().sequence == 0 {
      let last = try core.journal.read { _, _ in true }.lastSequence
      if last > 1 || (last == 0 && isCutShort) {
        core.catalogue.close()
        return try mend(approach, settings, purpose, isDamaged: false)
      }
    }
    var report = RepairReport()
    try bringIntoOrder(core, approach, &report)
    return (core, report)
  }

  /// Rebuilds a damaged or lost catalogue, under the lock.
  private func mend(
    _ approach: Approach, _ settings: LibrarySettings, _ purpose: LibraryPurpose, isDamaged: Bool
  ) throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) {
    let isMissing = try approach.files.status(layout.catalogue) == nil
    // Rebuilding completes pending changes, which moves files.
    if purpose == .reading, try isChangeUnderWay(approach) {
      var (core, report) = try readJournal(approach, settings)
      report.problems.append(
        "\(layout.catalogue): is \(isDamaged ? "damaged" : isMissing ? "missing" : "empty"), "
          + "and a change is in progress or was interrupted; the next change will rebuild the "
          + "catalogue, and the journal is read until then")
      return (core, report)
    }
    let aside = isDamaged ? try setAside(approach.files) : nil
    let core = try core(approach, settings, purpose)
    // An interrupted repair has set one aside, and its assets are not in the journal yet.
    let old = if let aside { aside } else { try lastSetAside(approach.files) }
    var report = try CatalogueFiller(core: core).fill(old: old)
    report.catalogueSetAside = aside
    if !isDamaged { report.catalogueLoss = isMissing ? .missing : .empty }
    try bringIntoOrder(core, approach, &report)
    return (core, report)
  }

  /// Applies the journal to the catalogue and, when opened for changes, to the files.
  private func bringIntoOrder(
    _ core: LibraryCore, _ approach: Approach, _ report: inout RepairReport
  ) throws(MediaLibraryError) {
    let repairer = Repairer(core: core)
    let caughtUp = try repairer.catchUp(for: core.purpose)
    if !report.wasRebuilt { report.completedChanges = caughtUp.completedChanges }
    report.pendingChanges = caughtUp.pendingChanges
    report.tornJournalBytes += caughtUp.tornJournalBytes
    report.damagedJournalLines += caughtUp.damagedJournalLines
    report.journalSetAside = report.journalSetAside ?? caughtUp.journalSetAside
    report.journalLoss = approach.loss(caughtUp)
    report.problems += caughtUp.problems
    guard core.purpose == .changing else { return }
    report.problems += try DecidedFiles(layout: layout, files: core.files).keep(at: core.now())
    report.removedStagingFolders = try StagingFolder.removeLeftovers(in: core)
    report.problems += try repairer.removePending()
  }

  /// True if files may be on their way into the library, from the staging folder or from outside.
  private func isChangeUnderWay(_ approach: Approach) throws(MediaLibraryError) -> Bool {
    if try approach.files.status(layout.staging)?.isFolder == true,
      try approach.files.holdsFiles(layout.staging)
    {
      return true
    }
    return notes.hasAny(of: try approach.root.resolvedPath())
  }

  private func hasCatalogue(_ approach: Approach) throws(MediaLibraryError) -> Bool {
    try approach.files.status(layout.catalogue).map { $0.size > 0 } ?? false
  }

  /// Builds an in-memory catalogue from the journal.
  private func readJournal(
    _ approach: Approach, _ settings: LibrarySettings
  ) throws(MediaLibraryError) -> (core: LibraryCore, report: RepairReport) {
    let catalogue = try Catalogue(inMemoryFor: layout.catalogue)
    let core = try LibraryCore(
      at: place(approach), catalogue: catalogue, settings: settings, purpose: .reading)
    return (core, try CatalogueFiller(core: core).fillToRead())
  }

  /// Checks that a change could write its files, without waiting for a lock.
  func checkWriting() throws(MediaLibraryError) {
    let approach = try approach()
    if let restriction = approach.restriction { throw restriction.error }
    let files = approach.files
    _ = try files.openOwn(layout.lock, O_RDWR | O_CREAT)
    if try files.status(layout.journal) != nil { _ = try files.openOwn(layout.journal, O_WRONLY) }
    // Some file systems report write permission and still refuse to write: try it.
    let trial = layout.staging + "/" + UUID().uuidString
    try files.makeFolder(trial)
    files.removeFolder(trial)
    var folder = layout.root + "/" + LibraryLayout.folder(for: now())
    while try files.status(folder) == nil, folder != layout.root {
      folder = LibraryFiles.parent(folder)
    }
    for path in [layout.hidden, folder] where access(path, W_OK | X_OK) != 0 {
      throw .system("write into", path, Errno(rawValue: errno))
    }
    if try files.status(layout.catalogue) != nil, access(layout.catalogue, W_OK) != 0 {
      throw .system("write", layout.catalogue, Errno(rawValue: errno))
    }
    // A take is moved into the library, which needs a note.
    try notes.checkWriting()
  }

  /// Rebuilds the journal and the catalogue from everything known, including the files themselves.
  func rebuild(
    _ progress: LibraryProgress.Handler? = nil
  ) throws(MediaLibraryError) -> RepairReport {
    if try !isThere() { try make() }
    var approach = try approach()
    if let restriction = approach.restriction { throw restriction.error }
    // A repair adds and removes entries, so it needs the permission for any change.
    let settings = try readSettings(approach.files)
    try settings.check(adds: false, layout)
    try makeJournal(&approach)
    return try LibraryCore.locked(layout, approach.files) {
      () throws(MediaLibraryError) -> RepairReport in
      var (old, caughtUp, aside) = try remember(approach, settings)
      let rebuilder = Rebuilder(
        layout: layout, files: approach.files, notes: notes,
        resolvedRoot: try approach.root.resolvedPath(), now: now, progress: progress)
      var report = try rebuilder.writeJournal(old: old)
      report.damagedJournalLines += caughtUp.damagedJournalLines
      report.journalSetAside = caughtUp.journalSetAside ?? report.journalSetAside
      report.journalLoss = approach.loss(caughtUp)
      report.problems =
        caughtUp.problems + report.problems.filter { !caughtUp.problems.contains($0) }
      do throws(MediaLibraryError) {
        try complete(approach, settings, &report)
      } catch {
        // Writing may find damage in pages that were not read before.
        guard error.code == .catalogueDamaged else { throw error }
        aside = try setAside(approach.files)
        try complete(approach, settings, &report)
      }
      report.catalogueSetAside = aside
      return report
    }
  }

  /// Fills the catalogue from a rewritten journal, and performs pending removals.
  private func complete(
    _ approach: Approach, _ settings: LibrarySettings, _ report: inout RepairReport
  ) throws(MediaLibraryError) {
    let repairer = Repairer(core: try core(approach, settings, .changing))
    try repairer.catchUp()
    report.problems += try repairer.removePending()
  }

  /// What the catalogue knows once pending changes are complete. A damaged catalogue is set aside.
  private func remember(
    _ approach: Approach, _ settings: LibrarySettings
  ) throws(MediaLibraryError) -> (SalvagedCatalogue?, RepairReport, aside: String?) {
    guard try hasCatalogue(approach) else {
      // A set-aside catalogue may be years old: use it only if the journal is incomplete.
      let reading = try Journal(path: layout.journal, files: approach.files).read { _, _ in true }
      guard reading.isDamaged || reading.lastSequence == 0 else {
        return (nil, RepairReport(), nil)
      }
      let old = try lastSetAside(approach.files).map(SalvagedCatalogue.init(damagedAt:))
      return (old, RepairReport(), nil)
    }
    do throws(MediaLibraryError) {
      let core = try core(approach, settings, .changing)
      let caughtUp = try Repairer(core: core).catchUp()
      return (try SalvagedCatalogue(whole: core.catalogue), caughtUp, nil)
    } catch {
      guard error.code == .catalogueDamaged else { throw error }
      let aside = try setAside(approach.files)
      return (SalvagedCatalogue(damagedAt: aside), RepairReport(), aside)
    }
  }

  func readSettings() throws(MediaLibraryError) -> LibrarySettings {
    try readSettings(approach().files)
  }

  /// Why the library can only be read; nil if it can be changed.
  func restriction() throws(MediaLibraryError) -> LibraryRestriction? { try approach().restriction }

  /// True if the folder contains a library. The journal or the catalogue alone suffices.
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
    try LibraryCore(
      at: place(approach), catalogue: Catalogue(path: layout.catalogue), settings: settings,
      purpose: purpose)
  }

  private func place(_ approach: Approach) -> LibraryCore.Place {
    LibraryCore.Place(
      layout: layout, root: approach.root, files: files, notes: notes, now: now)
  }

  private static let damagedSuffix = ".damaged"

  /// Sets aside an unreadable catalogue, with the files that belong to it.
  private func setAside(_ files: LibraryFiles) throws(MediaLibraryError) -> String {
    let aside = try files.freePath(layout.catalogue + Self.damagedSuffix, at: now())
    for suffix in ["-wal", "-shm", ""] where try files.status(layout.catalogue + suffix) != nil {
      try files.replace(aside + suffix, withFileAt: layout.catalogue + suffix)
    }
    return aside
  }

  /// The most recently set-aside catalogue; nil if there is none.
  private func lastSetAside(_ files: LibraryFiles) throws(MediaLibraryError) -> String? {
    let prefix = LibraryFiles.name(layout.catalogue) + Self.damagedSuffix + "-"
    let names = try files.names(in: layout.hidden).filter {
      $0.hasPrefix(prefix) && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }
    return names.last.map { layout.hidden + "/" + $0 }
  }

  /// Creates an empty journal if it is missing.
  private func makeJournal(_ approach: inout Approach) throws(MediaLibraryError) {
    guard try approach.files.status(layout.journal) == nil else { return }
    approach.lacksJournal = true
    try make()
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
      // The journal is created last: if it exists, so does everything else.
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
