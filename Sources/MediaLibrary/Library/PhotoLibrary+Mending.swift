import MediaCore
import Synchronization

extension PhotoLibrary {
  /// What was found and repaired since this object was created: each time the library was opened,
  /// or its catalogue was found damaged during use.
  public var repairs: [RepairReport] { repairLog.withLock { $0.reports } }

  /// Sets a handler, which is called with each report added to ``repairs``; nil for none.
  public func onRepair(_ handler: (@Sendable (RepairReport) -> Void)?) {
    repairLog.withLock { $0.handler = handler }
  }

  /// Sets a handler, which is called with a message, once, if an operation waits for longer than a
  /// second because the library is locked by another change, such as by another process; nil for
  /// none. The handler must not use the library.
  public func onWait(_ handler: (@Sendable (String) -> Void)?) {
    files.lockWait.setHandler(handler)
  }

  /// Runs work on the open library. If the work finds the catalogue damaged, the catalogue is
  /// rebuilt, and the work is repeated; it must not have changed anything before that.
  func withCore<Result>(
    for purpose: LibraryPurpose, _ work: (LibraryCore) throws(MediaLibraryError) -> Result
  ) throws(MediaLibraryError) -> Result {
    let core = try core(for: purpose)
    do throws(MediaLibraryError) { return try work(core) } catch {
      guard error.code == .catalogueDamaged else { throw error }
      return try work(try mended(core))
    }
  }

  func tell(_ report: RepairReport) {
    guard !report.isClean else { return }
    let handler = repairLog.withLock { log in
      log.reports.append(report)
      return log.handler
    }
    handler?(report)
  }
}

/// The repairs, and the handler notified of them.
struct RepairLog: Sendable {
  var reports: [RepairReport] = []
  var handler: (@Sendable (RepairReport) -> Void)?
}
