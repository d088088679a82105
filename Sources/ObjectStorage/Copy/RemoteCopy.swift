package import ASCMHL
import FoundationEssentials
import MediaCore
import Synchronization

/// Copies files to object storage, each complete and verified or not at all, and then their manifest.
///
/// Nothing is overwritten: existing objects are compared. An interrupted upload continues with
/// what has not arrived.
public struct RemoteCopy: Sendable {
  /// A file as it was when its folder was listed.
  package struct Source: Sendable {
    package var folder: CopyFolder
    /// The path in ``folder``.
    package var path: String
    /// Bytes.
    package var size: Int64
    /// When the content changed last, in nanoseconds since 1970.
    package var modified: Int64

    package init(_ path: String, in folder: CopyFolder, size: Int64, modified: Int64) {
      (self.path, self.folder, self.size, self.modified) = (path, folder, size, modified)
    }

    /// A file of a folder's listing.
    init(_ file: FolderListing.File, in folder: CopyFolder) {
      self.init(file.path, in: folder, size: file.size, modified: file.modified)
    }
  }

  /// A file that is to be copied.
  package struct Item: Sendable {
    /// The path below the address.
    package var path: String
    package var source: Source
    /// The xxHash64 that it should have; nil where nobody knows.
    package var xxh64: String?
    /// True if an object with that hash makes reading the file unnecessary.
    package var trustsHash = false
    /// False if it is not listed in the manifest, such as manifests themselves.
    package var isListed = true
    /// The file's entry in a manifest next to it, if it has to be compared and has no xxHash64.
    var listed: MHLEntry?

    package init(
      path: String, source: Source, xxh64: String? = nil, trustsHash: Bool = false,
      isListed: Bool = true
    ) {
      (self.path, self.source, self.xxh64) = (path, source, xxh64)
      (self.trustsHash, self.isListed) = (trustsHash, isListed)
    }
  }

  /// A file that is in the store.
  package struct Entry: Sendable {
    /// Its index among the items.
    package var item: Int
    package var size: Int64
    package var xxh64: String
    package var c4: String?
    package var wasPresent: Bool
  }

  /// What was copied, and what was not.
  package struct Outcome: Sendable {
    package var entries: [Entry] = []
    package var failures: [(item: Int, error: ObjectStorageError)] = []
    /// The manifest's address; nil if none was written.
    package var manifest: String?
    package var manifestFailure: ObjectStorageError?
    package var notes: [String] = []
    package var wasInterrupted = false
    /// The number of bytes sent, including failed attempts.
    package var sentByteCount: Int64 = 0
  }

  /// The destination.
  public let address: ObjectAddress
  /// The server and credentials.
  public let account: StorageAccount
  /// The settings.
  public var settings: UploadSettings
  package var transport: (any ObjectTransport)?

  /// Creates a copy to an address.
  public init(to address: ObjectAddress, account: StorageAccount, settings: UploadSettings) {
    (self.address, self.account, self.settings) = (address, account, settings)
  }

  /// Checks that the store can be used, before hours of copying.
  ///
  /// - Parameter isCancelled: Returns true to stop.
  /// - Throws: ``ObjectStorageError`` for unusable credentials, bucket or server.
  public func check(
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(ObjectStorageError) {
    _ = try client(isCancelled).list(prefix: address.key, limit: 1)
  }

  /// Copies the items. Blocks until done.
  ///
  /// - Parameter progress: Called with the number of files and bytes done.
  /// - Throws: ``ObjectStorageError`` if the server, the bucket or the credentials cannot be used.
  ///   Later failures are in the outcome.
  package func run(
    _ items: [Item], isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Int, Int64) -> Void = { _, _ in }
  ) throws(ObjectStorageError) -> Outcome {
    let client = try client(isCancelled)
    let remote = try RemoteFolder(address, client)
    let finished = Counted()
    let meter = SendMeter { progress(finished.value, $0) }
    var outcome = Outcome()
    try checkHistory(remote)
    var dead: ObjectStorageError?
    for (number, item) in items.enumerated() {
      if isCancelled() { break }
      if let dead {
        outcome.failures.append(
          (number, ObjectStorageError(dead.code, "not tried after: \(dead.message)")))
        continue
      }
      do throws(ObjectStorageError) {
        let sent = try send(item, client, meter, isCancelled)
        outcome.entries.append(
          Entry(
            item: number, size: sent.size, xxh64: sent.xxh64, c4: sent.c4,
            wasPresent: sent.wasPresent))
        for note in sent.notes where !outcome.notes.contains(note) { outcome.notes.append(note) }
      } catch {
        if error.code == .interrupted { break }
        outcome.failures.append((number, error))
        if error.endsDestination { dead = error }
      }
      finished.add()
    }
    outcome.wasInterrupted = isCancelled()
    outcome.sentByteCount = meter.sentByteCount
    // An interrupted copy gets a manifest too, so that complete files are known as such. Writing it
    // cannot be cancelled.
    remote.client = try self.client({ false })
    finish(items, remote, &outcome)
    return outcome
  }

  func client(
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(ObjectStorageError) -> StorageClient {
    var settings = self.settings.client
    settings.bandwidth = self.settings.bandwidth
    let carrier: any ObjectTransport
    if let transport {
      carrier = transport
    } else {
      carrier = try CurlTransport(authorities: account.endpoint.authorities)
    }
    return StorageClient(
      account: account, bucket: address.bucket, transport: carrier, settings: settings,
      isCancelled: isCancelled)
  }

  /// A copy with a broken history takes no further manifest; report that before hours of copying.
  private func checkHistory(_ remote: RemoteFolder) throws(ObjectStorageError) {
    do throws(ASCMHLError) {
      var history = try MHLHistory(remote.manifests)
      try history.prepareToAdd()
    } catch { throw RemoteFolder.failed(error) }
  }

  /// Sends an item.
  func send(
    _ item: Item, _ client: StorageClient, _ meter: SendMeter,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(ObjectStorageError) -> ObjectUpload.Outcome {
    let target = address.appending(item.path)
    guard target.key.utf8.count <= ObjectAddress.longestKey else {
      throw ObjectStorageError(
        .invalidArgument,
        "\(target): is longer than the \(ObjectAddress.longestKey) bytes of a key; shorten the prefix"
      )
    }
    do throws(ASCMHLError) { if item.isListed { try MHLManifest.check(item.path) } } catch {
      throw ObjectStorageError(.invalidArgument, from: error)
    }
    let source = try FileSource(item.source.path, in: item.source.folder)
    let facts = try source.facts()
    guard facts.size == item.source.size,
      item.xxh64 != nil || facts.modified == item.source.modified
    else {
      throw .changed(source.name)
    }
    return try ObjectUpload(
      client: client, settings: settings, lock: settings.lock, key: target.key, source: source,
      meter: meter, isCancelled: isCancelled, expectedHash: item.xxh64,
      trustsHash: item.trustsHash, listed: item.listed
    ).run()
  }

  private func finish(
    _ items: [Item], _ remote: RemoteFolder, _ outcome: inout Outcome
  ) {
    let now = settings.client.now()
    let listed = outcome.entries.compactMap { entry -> MHLManifest.File? in
      let item = items[entry.item]
      guard item.isListed, let hash = ContentHash(entry.xxh64) else { return nil }
      return MHLManifest.File(
        path: item.path, size: entry.size, modified: Double(item.source.modified) / 1e9,
        xxh64: hash, c4: entry.c4.flatMap { C4Identifier($0) }, isVerified: false, hashed: now)
    }
    guard !listed.isEmpty else { return }
    let isWhole = outcome.failures.isEmpty && !outcome.wasInterrupted
    do throws(ObjectStorageError) {
      let added = try remote.add(listed, settings, date: now, isWhole: isWhole)
      outcome.manifest = added.path.map { address.appending($0).description }
      outcome.notes += added.notes
      for file in added.contradicted { outcome.giveUp(file, items) }
    } catch { outcome.manifestFailure = error }
  }
}

extension RemoteCopy.Outcome {
  /// Turns a copied file into a failure, because earlier manifests of the copy list it with other
  /// content.
  fileprivate mutating func giveUp(_ file: MHLManifest.File, _ items: [RemoteCopy.Item]) {
    let path = Array(file.path.utf8)
    guard let index = entries.firstIndex(where: { Array(items[$0.item].path.utf8) == path }) else {
      return
    }
    let error = ObjectStorageError(.verificationFailed, from: MHLHistory.contradiction(file))
    failures.append((entries[index].item, error))
    entries.remove(at: index)
  }
}

/// A counter that other threads can read.
private final class Counted: Sendable {
  private let number = Mutex(0)
  var value: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}
