public import ASCMHL
import MediaCore

/// Checks a copy in object storage against its ASC MHL manifests.
public struct RemoteVerification: Sendable {
  /// The address of the copy.
  public let address: ObjectAddress
  /// The server and the access key.
  public let account: StorageAccount
  /// True to download every object; false to compare only sizes and the checksums that the server
  /// computed.
  public var readsObjects = false
  package var settings = StorageClient.Settings()
  package var transport: (any ObjectTransport)?

  public init(of address: ObjectAddress, account: StorageAccount) {
    (self.address, self.account) = (address, account)
  }

  /// Compares the objects with the manifests.
  ///
  /// - Throws: ``ObjectStorageError`` if the copy cannot be read, for example because its bucket
  ///   disappears meanwhile, or if it has no manifest.
  public func run(
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(ObjectStorageError) -> CopyVerification {
    let carrier: any ObjectTransport
    if let transport {
      carrier = transport
    } else {
      carrier = try CurlTransport(authorities: account.endpoint.authorities)
    }
    let client = StorageClient(
      account: account, bucket: address.bucket, transport: carrier, settings: settings,
      isCancelled: isCancelled)
    let remote = try RemoteFolder(address, client)
    guard !remote.homes.isEmpty else {
      throw ObjectStorageError(
        .objectNotFound,
        "\(address): has no ASC MHL manifest (no object in \(MHLManifest.folderName))")
    }
    let sizes = Dictionary(remote.files.map { (Array($0.path.utf8), $0.size) }) { first, _ in first
    }
    var failure: ObjectStorageError?
    let files = remote.files.map(\.path).filter { !RemoteFolder.isManifest($0) }
    let homes = remote.homes
    let result = Result { () throws(ASCMHLError) -> CopyVerification in
      try CopyVerification.verify(
        remote.manifests, name: address.description, homes: homes, files: files
      ) { entry in
        // The first error ends the check: a lost connection must not make objects look damaged.
        if failure != nil { return .unknownFormats }
        do throws(ObjectStorageError) {
          guard let size = sizes[Array(entry.path.utf8)] else { return .missing("is missing") }
          if let listed = entry.size, listed != size {
            return .refused("has \(size) bytes, not \(listed)")
          }
          return try check(entry, client)
        } catch {
          failure = error
          return .unknownFormats
        }
      }
    }
    if let failure { throw failure }
    switch result {
    case .success(let report):
      if !report.missing.isEmpty { try client.checkBucket(of: address.key) }
      return report
    case .failure(let error): throw RemoteFolder.failed(error)
    }
  }

  private func check(
    _ entry: MHLEntry, _ client: StorageClient
  ) throws(ObjectStorageError) -> FileCheck.Outcome {
    let key = address.appending(entry.path).key
    if readsObjects { return try read(entry, key, client) }
    guard let facts = try client.head(key) else { return .missing("is missing") }
    // Without our metadata, only reading the object could tell what it contains.
    guard let words = ObjectMetadata(facts.metadata), let listed = entry.hashes["xxh64"] else {
      return .unknownFormats
    }
    guard words.xxh64 == listed.lowercased() else {
      return .refused("its xxHash64 was \(words.xxh64) when it was sent, not \(listed)")
    }
    switch words.agree(with: facts) {
    case true: return .whole
    case false: return .refused("its CRC-64/NVME is not \(words.crc64), as when it was sent")
    default: return .unknownFormats
    }
  }

  private func read(
    _ entry: MHLEntry, _ key: String, _ client: StorageClient
  ) throws(ObjectStorageError) -> FileCheck.Outcome {
    let hashes = FileCheck.Stream(entry)
    guard let hashes else { return .unknownFormats }
    guard try client.get(key, { hashes.add($0) }) != nil else { return .missing("is missing") }
    return hashes.judge()
  }
}
