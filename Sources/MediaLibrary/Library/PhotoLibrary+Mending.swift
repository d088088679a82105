import MediaCore
import Synchronization

extension PhotoLibrary {
  /// What was found and put right since this object was made, each time that the library was opened or
  /// its catalogue was found damaged in use.
  public var repairs: [RepairReport] { repairLog.withLock { $0.reports } }

  /// Calls `handler` with each report as it comes to ``repairs``; nil for nobody.
  public func onRepair(_ handler: (@Sendable (RepairReport) -> Void)?) {
    repairLog.withLock { $0.handler = handler }
  }

  /// Calls `handler` with a line, once, where another change of the library, as of another process, is waited
  /// for longer than a second; nil for nobody. It must not use the library.
  public func onWait(_ handler: (@Sendable (String) -> Void)?) {
    files.lockWait.setHandler(handler)
  }

  /// Runs work on the open library. Where the work finds the catalogue damaged, the catalogue is made
  /// again, and the work is done once more: until then it must have changed nothing.
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

/// What was repaired, and who is notified.
struct RepairLog: Sendable {
  var reports: [RepairReport] = []
  var handler: (@Sendable (RepairReport) -> Void)?
}
