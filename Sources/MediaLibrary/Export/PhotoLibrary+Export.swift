public import FoundationEssentials
import MediaCore
public import ObjectStorage

extension PhotoLibrary {
  /// Copies assets into a folder, verifies the copies from the disk, and writes an ASC MHL manifest.
  ///
  /// A file that cannot be copied, or is damaged in the library, is listed in the report; the others
  /// are copied. Nothing in the folder is overwritten. A cancelled task stops after the current
  /// block; its manifest lists the complete files.
  ///
  /// - Parameters:
  ///   - assets: What to copy.
  ///   - folder: The destination; it is created if missing.
  ///   - options: How files are named and hashed.
  ///   - progress: Called with the number of bytes done.
  /// - Throws: ``MediaLibraryError`` if the folder cannot be used.
  public func export(
    _ assets: [Asset], to folder: URL, options: ExportOptions = ExportOptions(),
    progress: (@Sendable (Int64) -> Void)? = nil
  ) async throws(MediaLibraryError) -> ExportReport {
    let records = assets.map(\.record)
    let reported: (@Sendable (Int, Int64) -> Void)? = progress.map { tell in
      { @Sendable _, bytes in tell(bytes) }
    }
    let cancellation = Cancellation()
    return try await onQueue(ending: cancellation) { () throws(MediaLibraryError) -> ExportReport in
      let core = try self.core(for: .reading)
      try self.checkReading(core)
      return try AssetExporter(
        core: core, folder: LibraryLayout(folder).root, options: options,
        cancellation: cancellation, progress: reported
      ).run(records)
    }
  }

  /// Copies assets into several destinations at the same time, like
  /// ``export(_:to:options:progress:)``, and then, if asked to, deletes the assets whose files are all
  /// complete at every destination. They can be restored from the recently deleted. A cancelled task
  /// deletes nothing.
  ///
  /// - Parameters:
  ///   - assets: What to copy.
  ///   - folders: The destination folders, each filled as if it were the only one.
  ///   - copies: Destinations in object storage.
  ///   - deletes: True to delete the assets. Each folder must then be on its own disk.
  ///   - createsFolders: True to create missing folders.
  ///   - progress: Called with the progress of the slowest copy.
  /// - Returns: A report for each destination, and the deleted assets. If one of several destinations
  ///   fails, its report says so; a failed deletion leaves the reports intact. An asset that was
  ///   changed during the copy is not deleted.
  /// - Throws: ``MediaLibraryError`` if no destination can be used, if a folder is missing or listed
  ///   twice, or if two folders that should hold the last copies are on one disk.
  public func offload(
    _ assets: [Asset], to folders: [URL], and copies: [RemoteCopy] = [], deletes: Bool,
    createsFolders: Bool = false,
    progress: LibraryProgress.Handler? = nil
  ) async throws(MediaLibraryError) -> LibraryOffload {
    // Refuse assets that must not be deleted now, not after hours of copying.
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

  /// The assets whose files are all at every destination, verified and in a manifest.
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

  /// Exports to several destinations at the same time, each on its own thread.
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
      // Every copy runs to its end before the failure of one is reported.
      let ends = copies.map { copy in
        Result { () throws(MediaLibraryError) -> ExportReport in try copy.outcome() }
      }
      return try Self.reports(ends, of: folders + remote.map(\.address.description))
    }
  }

  /// A report for each destination, including those that failed while others succeeded.
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

  /// Reads every file and compares it with what was recorded when it was added.
  ///
  /// - Parameter progress: Called with the progress.
  /// - Throws: ``MediaLibraryError`` if the library cannot be read at all.
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
