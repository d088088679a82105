public import FoundationEssentials
import MediaCore
public import ObjectStorage

extension PhotoLibrary {
  /// Copies assets into a folder, verifies the copies from the disk, and writes an ASC MHL manifest.
  ///
  /// A file that cannot be copied, or is damaged in the library, is named in the report; the others
  /// are copied. Nothing in the folder is overwritten. A task that is cancelled ends with the block that
  /// is being copied: its manifest lists the files that are whole.
  ///
  /// - Parameters:
  ///   - assets: What to copy.
  ///   - folder: Where to; it is made where it is missing.
  ///   - options: How files are named and hashed.
  ///   - progress: Told the bytes that are done.
  /// - Throws: ``MediaLibraryError`` where the folder cannot be used.
  public func export(
    _ assets: [Asset], to folder: URL, options: ExportOptions = ExportOptions(),
    progress: (@Sendable (Int64) -> Void)? = nil
  ) async throws(MediaLibraryError) -> ExportReport {
    let records = assets.map(\.record)
    let told: (@Sendable (Int, Int64) -> Void)? = progress.map { tell in
      { @Sendable _, bytes in tell(bytes) }
    }
    let cancellation = Cancellation()
    return try await onQueue(ending: cancellation) { () throws(MediaLibraryError) -> ExportReport in
      let core = try self.core(for: .reading)
      try self.checkReading(core)
      return try AssetExporter(
        core: core, folder: LibraryLayout(folder).root, options: options,
        cancellation: cancellation, progress: told
      ).run(records)
    }
  }

  /// Copies assets into one folder or more at once, as ``export(_:to:options:progress:)``, and then puts
  /// those of which every file is whole in every folder among the recently deleted, where that is
  /// wanted. A task that is cancelled deletes nothing.
  ///
  /// - Parameters:
  ///   - assets: What to copy.
  ///   - folders: Where to, each filled as if it were the only one.
  ///   - copies: Object storage that is filled likewise.
  ///   - deletes: True to delete. Then each folder has to be on a disk of its own.
  ///   - createsFolders: True to make folders that are missing.
  ///   - progress: Told how far the slowest copy is.
  /// - Returns: A report for each folder, and the assets that were deleted. What ends the copy to one of
  ///   several is a failure in its report, and what keeps assets from being deleted costs no report. An
  ///   asset that was changed while it was copied is not deleted.
  /// - Throws: ``MediaLibraryError`` where no folder can be used, one is missing or named twice, or where
  ///   two that should be the last copies are on one disk.
  public func offload(
    _ assets: [Asset], to folders: [URL], and copies: [RemoteCopy] = [], deletes: Bool,
    createsFolders: Bool = false,
    progress: LibraryProgress.Handler? = nil
  ) async throws(MediaLibraryError) -> LibraryOffload {
    // Refuse what must not be deleted now, not after hours of copying.
    if deletes { try check(assets.map { .trash($0.localIdentifier) }, core(for: .changing)) }
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    let destinations = folders.map { CopyDestination(LibraryLayout($0).root) }
    try CopyDestination.checkApart(destinations, areLastCopies: deletes, files)
    var options = ExportOptions()
    options.createsFolder = createsFolders
    for destination in destinations where !createsFolders {
      try destination.prepare(creates: false, files)
    }
    let records = assets.map(\.record)
    var offload = LibraryOffload(
      reports: try await export(records, to: destinations.map(\.path), copies, options, progress))
    let reports = offload.reports
    guard deletes, !reports.isEmpty, !reports.contains(where: \.wasInterrupted) else {
      return offload
    }
    let safe = Self.whole(records, in: reports)
    do throws(MediaLibraryError) {
      let report = try await change { try AssetChangeRequest.deleteAssets(copied: safe) }
      offload.deleted = report.changedAssets
      offload.changed = report.changedSinceCopied ?? []
    } catch { offload.deletionFailure = error }
    return offload
  }

  /// The assets of which every file is at every destination, verified and in a manifest.
  private static func whole(
    _ records: [AssetRecord], in reports: [ExportReport]
  ) -> [AssetRecord] {
    guard reports.allSatisfy({ $0.manifest != nil }) else { return [] }
    let failed = Set(reports.flatMap(\.failures).map(\.asset))
    let counts = reports.map { Dictionary($0.files.map { ($0.asset, 1) }, uniquingKeysWith: +) }
    return records.filter { record in
      !failed.contains(record.id)
        && counts.allSatisfy { $0[record.id] == record.resources.count }
    }
  }

  /// Exports into several places at the same time, each on a thread of its own.
  private func export(
    _ assets: [AssetRecord], to folders: [String], _ remote: [RemoteCopy], _ options: ExportOptions,
    _ progress: LibraryProgress.Handler?
  ) async throws(MediaLibraryError) -> [ExportReport] {
    let cancellation = Cancellation()
    return try await onQueue(ending: cancellation) {
      () throws(MediaLibraryError) -> [ExportReport] in
      let core = try self.core(for: .reading)
      try self.checkReading(core)
      try RemoteExporter.check(remote, unless: cancellation)
      let meter = OffloadMeter(assets, folderCount: folders.count + remote.count, progress)
      var copies = folders.enumerated().map { index, folder in
        BackgroundJob(label: "photo-library-copy") {
          () throws(MediaLibraryError) -> ExportReport in
          try AssetExporter(
            core: core, folder: folder, options: options, cancellation: cancellation,
            progress: { meter.advance(files: $0, bytes: $1, in: index) }
          ).run(assets)
        }
      }
      copies += remote.enumerated().map { index, copy in
        BackgroundJob(label: "photo-library-upload") {
          () throws(MediaLibraryError) -> ExportReport in
          try RemoteExporter(
            core: core, copy: copy, cancellation: cancellation,
            progress: { meter.advance(files: $0, bytes: $1, in: folders.count + index) }
          ).run(assets)
        }
      }
      // Every copy comes to its end before what went wrong with one is told.
      let ends = copies.map { copy in
        Result { () throws(MediaLibraryError) -> ExportReport in try copy.outcome() }
      }
      return try Self.reports(ends, of: folders + remote.map(\.address.description))
    }
  }

  /// A report for each destination, also for one that could not be used where others could.
  private static func reports(
    _ ends: [Result<ExportReport, MediaLibraryError>], of destinations: [String]
  ) throws(MediaLibraryError) -> [ExportReport] {
    let failures = ends.compactMap { end in
      if case .failure(let error) = end { error } else { nil }
    }
    if let first = failures.first, failures.count == ends.count { throw first }
    return zip(ends, destinations).map { end, destination in
      switch end {
      case .success(let report): return report
      case .failure(let error):
        var report = ExportReport(destination: destination, disk: nil)
        report.failures = [
          .init(asset: "", path: destination, code: error.code.name, message: error.message)
        ]
        return report
      }
    }
  }

  /// Reads every file and compares it with what it was when it was added.
  ///
  /// - Parameter progress: Told how far it is.
  /// - Throws: ``MediaLibraryError`` where the library cannot be read at all.
  public func verify(
    progress: LibraryProgress.Handler? = nil
  ) async throws(MediaLibraryError) -> LibraryVerification {
    try await onQueue { () throws(MediaLibraryError) -> LibraryVerification in
      var result = try self.withCore(for: .reading) { core throws(MediaLibraryError) in
        try self.checkReading(core)
        return try LibraryVerification.run(core, progress: progress)
      }
      result.repairs = self.repairs
      return result
    }
  }
}
