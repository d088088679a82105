public import FoundationEssentials

extension PhotoLibrary {
  /// Files that one change block takes: enough that a thousand small ones are quick, few enough that
  /// a long import is in the library as it goes.
  private static let batch = 64

  /// Takes files in, each as what it is: a photo, a video or sound; with the files beside it
  /// that belong to it, and RAW and processed files of one name as one photo. Folders are searched. A file that cannot be taken in is named in the report,
  /// and does not keep others out.
  ///
  /// - Parameter progress: Told the files that are done, and how many there are.
  /// - Throws: ``MediaLibraryError`` where the library cannot be used.
  public func importFiles(
    _ urls: [URL], options: ImportOptions = ImportOptions(),
    progress: (@Sendable (Int, Int) -> Void)? = nil
  ) async throws(MediaLibraryError) -> ImportReport {
    var report = ImportReport()
    let inspected = try await onQueue { () throws(MediaLibraryError) -> FileSearch in
      _ = try self.core()
      var search = FileSearch(without: self.layout.root)
      for url in urls { search.add(url) }
      search.pairPhotos()
      search.attachCompanions()
      return search
    }
    report.failures = inspected.failures
    report.ignored = inspected.ignored
    let found = inspected.found
    for start in stride(from: 0, to: found.count, by: Self.batch) {
      let files = Array(found[start..<min(start + Self.batch, found.count)])
      do throws(MediaLibraryError) {
        add(try await take(files, options), files, to: &report)
      } catch {
        if files.count == 1 || Self.concernsAll(error) {
          report.failures += files.map { $0.failure(error) }
          if Self.concernsAll(error) { return report }
          continue
        }
        // One of them is at fault: each by itself then.
        for file in files {
          do throws(MediaLibraryError) {
            add(try await take([file], options), [file], to: &report)
          } catch { report.failures.append(file.failure(error)) }
        }
      }
      progress?(min(start + Self.batch, found.count), found.count)
    }
    return report
  }

  /// True for what the next file would meet as well.
  private static func concernsAll(_ error: MediaLibraryError) -> Bool {
    switch error.code {
    case .diskFull, .catalogueTooNew, .catalogueDamaged, .busy, .catalogueFailed: true
    default: false
    }
  }

  private func take(
    _ files: [FileSearch.Found], _ options: ImportOptions
  ) async throws(MediaLibraryError) -> ChangeReport {
    try await performChanges {
      let how = AssetResourceCreationOptions(shouldMoveFile: options.moves)
      for file in files {
        let request = AssetCreationRequest.forAsset()
        request.duplicates = options.duplicates
        request.isFavorite = options.isFavorite
        request.addResource(with: file.type, fileURL: URL(filePath: file.path), options: how)
        if let other = file.alternate {
          request.addResource(with: .alternatePhoto, fileURL: URL(filePath: other), options: how)
        }
        for companion in file.companions {
          request.addResource(with: .companion, fileURL: URL(filePath: companion), options: how)
        }
      }
    }
  }

  private func add(
    _ changes: ChangeReport, _ files: [FileSearch.Found], to report: inout ImportReport
  ) {
    let skipped = Set(changes.duplicates.filter(\.wasSkipped).map(\.source))
    let taken = files.filter { !skipped.contains($0.path) }
    report.imported += zip(taken, changes.createdAssets).map { .init(file: $0.path, asset: $1) }
    report.duplicates += changes.duplicates
    report.hooks += changes.hooks
    report.warnings += changes.warnings
    report.warnings += changes.leftovers.map {
      "\($0): is in the library, but could not be removed"
    }
  }
}
