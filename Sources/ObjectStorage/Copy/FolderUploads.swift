public import ASCMHL
import MediaCore

/// Copies a folder to several addresses in object storage, in turn.
///
/// An unusable address does not stop the others. An address that was never tried is reported.
public struct FolderUploads: Sendable {
  /// The copies, of one folder.
  public let uploads: [FolderUpload]

  public init(_ uploads: [FolderUpload]) { self.uploads = uploads }

  /// Checks that each store can be used, before hours of copying.
  ///
  /// - Throws: ``ObjectStorageError`` for unusable credentials, bucket or server.
  public func check() throws(ObjectStorageError) {
    for upload in uploads { try upload.copy.check() }
  }

  /// Copies the folder. Blocks until done.
  ///
  /// - Parameters:
  ///   - earlier: The report of copies to disks before; nil if there were none.
  ///   - isCancelled: Returns true to stop. The files copied so far get a manifest.
  ///   - progress: Called with the progress of each copy.
  /// - Throws: ``ObjectStorageError`` if there is nothing to report because no address was usable.
  public func run(
    after earlier: OffloadReport?, isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (@Sendable (OffloadProgress) -> Void)? = nil
  ) throws(ObjectStorageError) -> OffloadReport {
    var report = earlier
    var failed: [(upload: FolderUpload, error: ObjectStorageError)] = []
    for upload in uploads {
      do throws(ObjectStorageError) {
        if isCancelled() { throw .cancelled }
        let copied = try upload.run(isCancelled: isCancelled, progress: progress)
        report?.add(copied)
        report = report ?? copied
      } catch { failed.append((upload, error)) }
    }
    guard var report else {
      throw failed.first?.error ?? ObjectStorageError(.invalidArgument, "no address given")
    }
    for (upload, error) in failed { report.add(upload, error) }
    return report
  }

  /// Copies the folder on a separate thread.
  public func run(
    after earlier: OffloadReport?, isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (@Sendable (OffloadProgress) -> Void)? = nil
  ) async throws(ObjectStorageError) -> OffloadReport {
    try await OwnThread.run { () throws(ObjectStorageError) in
      try run(after: earlier, isCancelled: isCancelled, progress: progress)
    }
  }
}

extension OffloadReport {
  /// Adds an address to which nothing was copied.
  fileprivate mutating func add(_ upload: FolderUpload, _ error: ObjectStorageError) {
    var destination = Destination(folder: upload.copy.address.description)
    if error.code == .interrupted {
      wasInterrupted = true
      notes.append("\(destination.folder): not tried, as the copy was interrupted before")
    } else {
      destination.failures = [.init(path: source, error)]
    }
    destinations.append(destination)
  }
}
