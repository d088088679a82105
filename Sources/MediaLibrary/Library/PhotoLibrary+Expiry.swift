import FoundationEssentials
import GRDB

extension PhotoLibrary {
  /// Permanently removes assets, with their files, whose retention time is over. A clock that
  /// jumped far ahead would remove all deleted assets at once. So nothing is removed until a change
  /// at least a day old, but not older than the retention time, confirms the clock.
  ///
  /// - Returns: The removed assets, files that could not be removed yet, and in
  ///   ``ChangeReport/warnings`` why expired assets were kept.
  /// - Throws: Errors of ``performChanges(_:)``.
  @discardableResult
  public func expungeExpired() async throws(MediaLibraryError) -> ChangeReport {
    try await onQueue { () throws(MediaLibraryError) -> ChangeReport in
      let expired = try self.withCore(for: .changing) {
        core throws(MediaLibraryError) -> ExpiredAssets in
        guard core.settings.access == .readWrite else { return ExpiredAssets() }
        return try ExpiredAssets(in: core)
      }
      guard !expired.ids.isEmpty else { return ChangeReport() }
      if let doubt = expired.doubt {
        var report = ChangeReport()
        report.warnings = [doubt]
        return report
      }
      return try self.carryOut(expired.ids.map { .expunge($0) })
    }
  }
}

/// Deleted assets that have expired according to the system's clock.
private struct ExpiredAssets {
  var ids: [String] = []
  /// Why the clock cannot be trusted; nil if it can.
  var doubt: String?

  init() {}

  init(in core: LibraryCore) throws(MediaLibraryError) {
    let now = core.now()
    let retention = core.settings.retentionDays * 86_400
    // Half the retention time, if that is less than a day.
    let wait = min(86_400, retention / 2)
    let wasChanged: Bool
    (ids, wasChanged) = try core.catalogue.read { db in
      (
        try Catalogue.assets(deletedBefore: now - retention, db),
        try retention == 0 || Catalogue.wasChanged(between: now - retention, and: now - wait, db)
      )
    }
    guard !ids.isEmpty, !wasChanged else { return }
    let what =
      ids.count == 1
      ? "1 deleted asset has expired but is kept"
      : "\(ids.count) deleted assets have expired but are kept"
    doubt =
      "\(what): the clock says \(Date(timeIntervalSince1970: now).formatted(.iso8601)), and no change "
      + "of the library confirms that its time has passed; if the clock is right, delete again after "
      + "\(Self.text(wait)), or permanently remove the assets by name"
  }

  private static func text(_ seconds: Double) -> String {
    seconds == 86_400 ? "a day" : "\(Int((seconds / 3600).rounded(.up))) h"
  }
}

extension Catalogue {
  fileprivate static func assets(deletedBefore limit: Double, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT identifier FROM asset WHERE trashed IS NOT NULL AND trashed < ?",
      arguments: [limit])
  }

  /// True if anything in the library was last changed between two times.
  fileprivate static func wasChanged(
    between start: Double, and end: Double, _ db: Database
  ) throws -> Bool {
    let question = """
      SELECT EXISTS (SELECT 1 FROM asset WHERE added BETWEEN :start AND :end
          OR modified BETWEEN :start AND :end OR trashed BETWEEN :start AND :end)
        OR EXISTS (SELECT 1 FROM album WHERE modified BETWEEN :start AND :end)
      """
    return try Bool.fetchOne(db, sql: question, arguments: ["start": start, "end": end]) ?? false
  }
}
