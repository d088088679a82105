public import ASCMHL
import MediaCore

/// Copies a folder to several addresses in object storage, one after the other.
///
/// An address that is of no use does not stop the others; one that was never tried is named.
public struct FolderUploads: Sendable {
  /// The copies, of one folder.
  public let uploads: [FolderUpload]

  public init(_ uploads: [FolderUpload]) { self.uploads = uploads }

  /// Makes sure that each store can be used, before hours of copying.
  ///
  /// - Throws: ``ObjectStorageError`` for credentials, a bucket or a server that are of no use.
  public func check() throws(ObjectStorageError) {
    for upload in uploads { try upload.copy.check() }
  }

  /// Copies, and returns when all is done.
  ///
  /// - Parameters:
  ///   - earlier: What was copied to disks before; nil for nothing.
  ///   - isCancelled: True ends it; the files so far have a manifest.
  ///   - progress: Told how far each is.
  /// - Throws: ``ObjectStorageError`` where there is nothing to report: no address was of use.
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
      throw failed.first?.error ?? ObjectStorageError(.invalidArgument, "no address is named")
    }
    for (upload, error) in failed { report.add(upload, error) }
    return report
  }

  /// Copies, on a thread of its own; the same otherwise.
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
  /// Adds an address that holds nothing.
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
