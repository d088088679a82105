import Dispatch
public import FoundationEssentials
import MediaCore
import Synchronization
import SystemPackage

extension PhotoLibrary {
  /// Runs a change block: either all of its requests take effect or none, even if the process is
  /// killed midway. Hooks run afterwards. A block that throws changes nothing.
  ///
  /// - Returns: What was created and changed, duplicates that were found, and the results of hooks.
  /// - Throws: ``MediaLibraryError``; nothing has changed then.
  @_disfavoredOverload  // AVFoundationCompat's overload is preferred if both apply.
  @discardableResult
  public func performChanges(
    _ changes: @escaping @Sendable () throws -> Void
  ) async throws(MediaLibraryError) -> ChangeReport {
    try await change(changes)
  }

  /// ``performChanges(_:)`` under a name that no other module overloads.
  package func change(
    _ changes: @escaping @Sendable () throws -> Void
  ) async throws(MediaLibraryError) -> ChangeReport {
    try await change(meter: nil, changes)
  }

  /// Fails the running change block, for a request whose caller cannot throw.
  ///
  /// - Returns: False outside of a block.
  package static func failChangeBlock(because error: MediaLibraryError) -> Bool {
    ChangeBlock.fail(because: error)
  }

  /// - Parameter meter: Counts the bytes, and stops the staging of files if the task is cancelled.
  ///   Without it, a change runs to its end, and cancellation only affects hooks.
  func change(
    meter: ProgressMeter?, _ changes: @escaping @Sendable () throws -> Void
  ) async throws(MediaLibraryError) -> ChangeReport {
    let requests = try ChangeBlock.requests(of: changes)
    var report = try await onQueue(ending: meter?.cancellation) {
      () throws(MediaLibraryError) -> ChangeReport in try self.carryOut(requests, meter)
    }
    if !report.createdAssets.isEmpty {
      report.hooks = await runHooks(for: report.createdAssets, &report.warnings)
    }
    return report
  }

  /// Apple's variant of ``performChanges(_:)``, with a callback.
  @_disfavoredOverload
  public func performChanges(
    _ changes: @escaping @Sendable () throws -> Void,
    completionHandler: (@Sendable (Bool, MediaLibraryError?) -> Void)?
  ) {
    Task {
      do throws(MediaLibraryError) {
        try await performChanges(changes)
        completionHandler?(true, nil)
      } catch {
        completionHandler?(false, error)
      }
    }
  }

  /// Saves finished movies, each as its own asset, with the files beside it that share its name (a
  /// report, checksums) as companions.
  ///
  /// - Parameters:
  ///   - movies: The movies.
  ///   - moves: True to move the files into the library, false to copy them.
  /// - Throws: Errors of ``performChanges(_:)``; every file is then where it was.
  @discardableResult
  public func save(
    movies: [URL], moves: Bool = true
  ) async throws(MediaLibraryError) -> ChangeReport {
    try await save(takes: movies.map { [$0] }, moves: moves)
  }

  /// Saves takes, each as one asset of all its movies, with the files beside them that share their
  /// names (reports, checksums) as companions.
  ///
  /// - Parameters:
  ///   - takes: The movies of each take, in order. A take without movies is skipped.
  ///   - moves: True to move the files into the library, false to copy them.
  /// - Throws: Errors of ``performChanges(_:)``; every file is then where it was.
  @discardableResult
  public func save(
    takes: [[URL]], moves: Bool = true
  ) async throws(MediaLibraryError) -> ChangeReport {
    let takes = takes.filter { !$0.isEmpty }
    let companions = try takes.map { movies throws(MediaLibraryError) in
      var beside: [URL] = []
      for movie in movies {
        beside += try Companions.beside(movie).filter { !beside.contains($0) }
      }
      return beside
    }
    return try await performChanges {
      for (movies, beside) in zip(takes, companions) {
        let request = try AssetCreationRequest.forAsset()
        let options = AssetResourceCreationOptions(shouldMoveFile: moves)
        for (index, movie) in movies.enumerated() {
          request.addResource(
            with: index == 0 ? .video : .segment, fileURL: movie, options: options)
        }
        for file in beside {
          request.addResource(with: .companion, fileURL: file, options: options)
        }
      }
    }
  }

  /// Saves photos, each as one asset of all its forms: a RAW file and the processed one made from
  /// it, in any order, or a single file. A ProRAW file becomes the asset's photo, and the processed
  /// file its alternate; with Bayer RAW, the processed file is the photo.
  ///
  /// - Parameters:
  ///   - photos: The files of each photo.
  ///   - moves: True to move the files into the library, false to copy them.
  /// - Throws: Errors of ``performChanges(_:)``, and
  ///   ``MediaLibraryError/Code/unsupportedResourceTypes`` for two files that are not one RAW and
  ///   one processed; every file is then where it was.
  @discardableResult
  public func save(
    photos: [[URL]], moves: Bool = true
  ) async throws(MediaLibraryError) -> ChangeReport {
    let forms = try await onQueue { () throws(MediaLibraryError) -> [[URL]] in
      let inspector = MediaInspector(files: LibraryFiles(calls: SystemLibraryFileCalls()))
      return try photos.map { files throws(MediaLibraryError) in
        guard files.count > 1 else { return files }
        var images: [MediaFacts] = []
        for file in files {
          if let facts = try inspector.identity(of: file.path)?.image { images.append(facts) }
        }
        guard images.count == files.count, let forms = PhotoForms(images) else {
          throw MediaLibraryError(
            .unsupportedResourceTypes,
            files.map(\.lastPathComponent).joined(separator: " and ")
              + " are not a RAW photo and its processed form; save them separately")
        }
        return [files[forms.photo], files[forms.alternate]]
      }
    }
    return try await performChanges {
      for files in forms {
        let request = try AssetCreationRequest.forAsset()
        let options = AssetResourceCreationOptions(shouldMoveFile: moves)
        for (file, type) in zip(files, [AssetResourceType.photo, .alternatePhoto]) {
          request.addResource(with: type, fileURL: file, options: options)
        }
      }
    }
  }

  func carryOut(
    _ requests: [ChangeBlock.Request], _ meter: ProgressMeter? = nil
  ) throws(MediaLibraryError) -> ChangeReport {
    let report = try withCore(for: .changing) { core throws(MediaLibraryError) in
      try carryOut(requests, meter, in: core)
    }
    observers.poke()
    return report
  }

  private func carryOut(
    _ requests: [ChangeBlock.Request], _ meter: ProgressMeter?, in core: LibraryCore
  ) throws(MediaLibraryError) -> ChangeReport {
    try check(requests, core)
    let drafts = requests.compactMap { request -> AssetCreationRequest.Draft? in
      switch request {
      case .create(let creation): creation.draft.withLock { $0 }
      case .edit(let draft): draft
      case .update, .revert, .trash, .trashCopied, .restore, .expunge, .album, .deleteAlbum: nil
      }
    }
    guard !drafts.isEmpty else {
      return try Committer(core: core).commit(StagedFiles(), requests, staging: nil)
    }
    let stager = Stager(core: core, meter: meter)
    do throws(MediaLibraryError) {
      return try carryOut(requests, drafts, stager, in: core)
    } catch {
      // Two mounts of one file system only turn out to be two when a rename between them fails.
      guard error.errno == .improperLink, drafts.contains(where: \.movesFiles),
        (try? core.isSettled()) == true
      else { throw error }
    }
    return try carryOut(
      requests, drafts, Stager(core: core, meter: meter, copiesAll: true), in: core)
  }

  private func carryOut(
    _ requests: [ChangeBlock.Request], _ drafts: [AssetCreationRequest.Draft], _ stager: Stager,
    in core: LibraryCore
  ) throws(MediaLibraryError) -> ChangeReport {
    let staging = try StagingFolder(in: core)
    do throws(MediaLibraryError) {
      let files = try stager.stage(drafts, in: staging)
      let report = try Committer(core: core).commit(files, requests, staging: staging.name)
      staging.clear()
      return report
    } catch {
      // A journaled change that could not be undone will be completed from these files.
      if (try? core.isSettled()) == true { staging.clear() }
      throw error
    }
  }

  /// Runs work on the library's queue.
  ///
  /// - Parameter cancellation: Cancelled with the task; the work checks it.
  func onQueue<Result: Sendable>(
    ending cancellation: Cancellation? = nil,
    _ work: @escaping @Sendable () throws(MediaLibraryError) -> Result
  ) async throws(MediaLibraryError) -> Result {
    let work = QueuedWork(work)
    let result: Swift.Result<Result, MediaLibraryError> = await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        queue.async {
          if let result = work.run() { waiting.resume(returning: result) }
        }
      }
    } onCancel: {
      cancellation?.cancel()
    }
    return try result.get()
  }
}
