import ASCMHL
import Dispatch
import FoundationEssentials
import Glibc
import MediaCore

/// Fetches objects into a folder, each complete and verified or not at all.
///
/// The last component of an address becomes the name in the folder: `s3://bucket/jobs/a` becomes
/// `FOLDER/a`. An object's sidecar is fetched too. Nothing is overwritten, and what an earlier run
/// fetched is not fetched again.
public struct ObjectFetch: Sendable {
  /// Addresses of objects or prefixes.
  public let addresses: [ObjectAddress]
  /// The folder, which is created if missing.
  public let folder: String
  /// The server and credentials.
  public let account: StorageAccount
  /// The limit in bytes per second; nil for none.
  public var bandwidth: Int64?
  package var settings = StorageClient.Settings()
  package var transport: (any ObjectTransport)?

  public init(of addresses: [ObjectAddress], into folder: String, account: StorageAccount) {
    (self.addresses, self.account) = (addresses, account)
    var path = URL(filePath: folder).absoluteURL.standardizedFileURL.path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.folder = path
  }

  /// Fetches the objects. Blocks until done.
  ///
  /// - Parameters:
  ///   - isCancelled: Returns true to stop. The next run continues.
  ///   - progress: Called with the number of bytes received.
  /// - Throws: ``ObjectStorageError`` if the folder, an address, the server or the credentials
  ///   cannot be used. Later failures are in the report.
  public func run(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Int64) -> Void = { _ in }
  ) throws(ObjectStorageError) -> FetchReport {
    let begin = ContinuousClock.now
    var report = FetchReport(folder: folder)
    let carrier: any ObjectTransport =
      if let transport { transport } else {
        try CurlTransport(authorities: account.endpoint.authorities)
      }
    var settings = settings
    settings.bandwidth = bandwidth
    var listings: [RemoteListing] = []
    for address in addresses {
      let client = StorageClient(
        account: account, bucket: address.bucket, transport: carrier, settings: settings,
        isCancelled: isCancelled)
      listings.append(try RemoteListing(address, client))
    }
    let local = try openFolder()
    let meter = SendMeter(progress)
    for listing in listings {
      var dead: ObjectStorageError?
      for object in listing.objects where !isCancelled() {
        let address = listing.client.subject(object.key)
        do throws(ObjectStorageError) {
          if let dead { throw ObjectStorageError(dead.code, "not tried after: \(dead.message)") }
          let fetched = try FetchedObject(
            object: object, listing: listing, folder: local, meter: meter, isCancelled: isCancelled
          ).run()
          report.files.append(fetched.file)
          if !fetched.isChecked { report.unchecked.append(fetched.file.path) }
        } catch {
          if error.code == .interrupted { break }
          if error.endsDestination { dead = dead ?? error }
          report.failures.append(TransferFailure(path: address, error))
        }
      }
    }
    report.wasInterrupted = isCancelled()
    report.receivedByteCount = meter.sentByteCount
    report.duration = (ContinuousClock.now - begin) / .seconds(1)
    return report
  }

  /// Fetches the objects on a separate thread.
  public func run(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Int64) -> Void = { _ in }
  ) async throws(ObjectStorageError) -> FetchReport {
    try await OwnThread.run { () throws(ObjectStorageError) in
      try run(isCancelled: isCancelled, progress: progress)
    }
  }

  private func openFolder() throws(ObjectStorageError) -> CopyFolder {
    var made = ""
    for name in folder.pathParts() {
      made += "/" + name
      // Opening the folder reports any failure.
      mkdir(made, 0o777)
    }
    do throws(ASCMHLError) { return try CopyFolder(folder) } catch {
      throw PartialFile.failed(error)
    }
  }
}
