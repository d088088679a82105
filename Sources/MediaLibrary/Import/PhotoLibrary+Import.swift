public import FoundationEssentials
import MediaCore

extension PhotoLibrary {
  /// The maximum for one change block: enough to import a thousand small files quickly, little
  /// enough that a long import appears in the library as it progresses.
  private static let batch = (files: 1024, bytes: Int64(1) << 29)

  /// Imports files as photos, videos or audio. Files beside them that belong to them are added
  /// as companions. RAW and processed files of the same name become one photo, and the movies of one
  /// take one asset. Folders are searched.
  ///
  /// A file that cannot be imported is listed in the report, and does not hold up others. So is an
  /// empty or unreadable file that is media according to its name or its first bytes. A truncated
  /// but readable file is imported with a warning. If the task is cancelled, files already imported
  /// stay, and the report lists the rest.
  ///
  /// - Parameters:
  ///   - urls: Files and folders.
  ///   - options: How to import them.
  ///   - progress: Called with the progress.
  /// - Throws: ``MediaLibraryError`` if the library cannot be used.
  public func importFiles(
    _ urls: [URL], options: ImportOptions = ImportOptions(),
    progress: LibraryProgress.Handler? = nil
  ) async throws(MediaLibraryError) -> ImportReport {
    var report = ImportReport()
    let inspected = try await onQueue { () throws(MediaLibraryError) -> FileSearch in
      let core = try self.core(for: .changing)
      // Not confined to the library: links on the way to imported files are the user's choice.
      var search = FileSearch(
        without: self.layout.root, files: LibraryFiles(calls: core.files.calls))
      for url in urls { search.add(url) }
      search.inspect()
      search.pairPhotos()
      search.joinSegments()
      search.attachCompanions()
      return search
    }
    report.failures = inspected.failures
    report.ignored = inspected.ignored
    report.warnings = inspected.warnings
    let meter = ProgressMeter(
      fileCount: inspected.found.count,
      byteCount: inspected.found.reduce(Int64(0)) { $0.addingSaturating($1.size) },
      progress)
    var rest = inspected.found[...]
    while !rest.isEmpty {
      var count = 0
      var bytes: Int64 = 0
      for file in rest.prefix(Self.batch.files) where count == 0 || bytes < Self.batch.bytes {
        count += 1
        bytes = bytes.addingSaturating(file.size)
      }
      if let error = await add(rest.prefix(count), options, meter, to: &report) {
        report.failures += rest.dropFirst(count).flatMap { failures($0, error) }
        break
      }
      rest = rest.dropFirst(count)
      meter.finish(files: inspected.found.count - rest.count)
    }
    report.repairs = repairs
    return report
  }

  /// Imports files in one change block, or in several if one of them fails.
  ///
  /// - Returns: An error that the next files would meet as well; nil if they may succeed.
  private func add(
    _ files: ArraySlice<FileSearch.Found>, _ options: ImportOptions, _ meter: ProgressMeter,
    to report: inout ImportReport
  ) async -> MediaLibraryError? {
    do throws(MediaLibraryError) {
      let (changes, ids) = try await take(Array(files), options, meter)
      add(changes, ids, Array(files), to: &report)
      return nil
    } catch {
      let concernsAll = Self.concernsAll(error)
      if concernsAll || files.count == 1 {
        report.failures += files.flatMap { failures($0, error) }
        return concernsAll ? error : nil
      }
    }
    let half = files.count / 2
    let rest = files.dropFirst(half)
    if let error = await add(files.prefix(half), options, meter, to: &report) {
      report.failures += rest.flatMap { failures($0, error) }
      return error
    }
    return await add(rest, options, meter, to: &report)
  }

  private func failures(
    _ file: FileSearch.Found, _ error: MediaLibraryError
  ) -> [ImportReport.Failure] {
    file.failures(error.naming(file.path, library: layout.root))
  }

  /// True for an error that the next file would meet as well.
  private static func concernsAll(_ error: MediaLibraryError) -> Bool {
    switch error.code {
    case .diskFull, .catalogueTooNew, .catalogueDamaged, .busy, .catalogueFailed, .interrupted: true
    default: false
    }
  }

  /// - Returns: The outcome, and the identifier intended for each file's asset.
  private func take(
    _ files: [FileSearch.Found], _ options: ImportOptions, _ meter: ProgressMeter
  ) async throws(MediaLibraryError) -> (ChangeReport, ids: [String]) {
    let ids = files.map { _ in AssetIdentifier.random() }
    let report = try await change(meter: meter) {
      for (file, id) in zip(files, ids) {
        let request = try AssetCreationRequest(id: id)
        request.duplicates = options.duplicates
        request.isFavorite = options.isFavorite
        request.addResource(
          with: file.type, path: file.path, moves: options.moves, inspected: file.inspected)
        if let other = file.alternate {
          request.addResource(
            with: .alternatePhoto, path: other.path, moves: options.moves,
            inspected: other.inspected)
        }
        for segment in file.segments {
          request.addResource(
            with: .segment, path: segment.path, moves: options.moves, inspected: segment.inspected)
        }
        for companion in file.companions {
          request.addResource(with: .companion, path: companion, moves: options.moves)
        }
      }
    }
    return (report, ids)
  }

  private func add(
    _ changes: ChangeReport, _ ids: [String], _ files: [FileSearch.Found],
    to report: inout ImportReport
  ) {
    let created = Set(changes.createdAssets)
    report.imported += zip(files, ids).filter { created.contains($1) }
      .map { .init(path: $0.path, asset: $1) }
    report.duplicates += changes.duplicates
    report.hooks += changes.hooks
    report.warnings += changes.warnings
  }
}
