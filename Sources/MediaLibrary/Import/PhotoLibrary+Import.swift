public import FoundationEssentials
import MediaCore

extension PhotoLibrary {
  /// What one change block takes, at most: enough that a thousand small files are quick, little enough
  /// that a long import is in the library as it goes.
  private static let batch = (files: 1024, bytes: Int64(1) << 29)

  /// Takes files in, each as what it is: a photo, a video or sound; with the files beside it that
  /// belong to it, RAW and processed files of one name as one photo, and the movies of one take as
  /// one asset. Folders are searched. A file that cannot be taken in is named in the report, and does
  /// not keep others out; so is one that by its name or its first bytes is a photo, a movie or sound,
  /// and is empty or cannot be read. A file that is cut short and can be read is taken in, with a
  /// warning. Where the task is cancelled, files already imported stay, and the
  /// report names the rest.
  ///
  /// - Parameters:
  ///   - urls: Files and folders.
  ///   - options: What is done with them.
  ///   - progress: Told how far it is.
  /// - Throws: ``MediaLibraryError`` where the library cannot be used.
  public func importFiles(
    _ urls: [URL], options: ImportOptions = ImportOptions(),
    progress: LibraryProgress.Handler? = nil
  ) async throws(MediaLibraryError) -> ImportReport {
    var report = ImportReport()
    let inspected = try await onQueue { () throws(MediaLibraryError) -> FileSearch in
      let core = try self.core(for: .changing)
      // Without the library's root: links on the way to what is taken in are the user's.
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

  /// Takes files in, in one change block, or where one of them is at fault in more.
  ///
  /// - Returns: What the next file would meet as well; nil where it may fare better.
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

  /// True for what the next file would meet as well.
  private static func concernsAll(_ error: MediaLibraryError) -> Bool {
    switch error.code {
    case .diskFull, .catalogueTooNew, .catalogueDamaged, .busy, .catalogueFailed, .interrupted: true
    default: false
    }
  }

  /// - Returns: What became of it, and for each file the asset that it was to be.
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
