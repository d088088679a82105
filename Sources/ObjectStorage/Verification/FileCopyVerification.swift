public import ASCMHL
import FoundationEssentials
import MediaCore

/// Compares a file's copy in object storage, and the copy of its sidecar, with the checksum in the
/// sidecar, or with the file if there is no sidecar.
public struct FileCopyVerification: Sendable {
  /// The file; it need not exist if its sidecar does.
  public let path: String
  /// The object, or the address that the file was uploaded to.
  public let address: ObjectAddress
  /// The server and the access key.
  public let account: StorageAccount
  /// True to download the objects; false to compare only sizes and the checksums that the server
  /// computed.
  public var readsObjects = false
  package var settings = StorageClient.Settings()
  package var transport: (any ObjectTransport)?

  public init(of path: String, at address: ObjectAddress, account: StorageAccount) {
    (self.path, self.address, self.account) = (path, address, account)
  }

  /// Compares the objects with the sidecar or the file.
  ///
  /// - Throws: ``ObjectStorageError`` if the file, the server, the bucket or the credentials cannot
  ///   be used.
  public func run(
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(ObjectStorageError) -> CopyVerification {
    let carrier: any ObjectTransport =
      if let transport { transport } else {
        try CurlTransport(authorities: account.endpoint.authorities)
      }
    let client = StorageClient(
      account: account, bucket: address.bucket, transport: carrier, settings: settings,
      isCancelled: isCancelled)
    let full = URL(filePath: path).absoluteURL.standardizedFileURL.path
    let (parent, name) = CopyFolder.split(full)
    let folder: CopyFolder
    do throws(ASCMHLError) {
      folder = try CopyFolder(parent.count > 1 ? String(parent.dropLast()) : parent)
    } catch { throw ObjectStorageError(error) }
    let digest = try SidecarDigest(of: name, in: folder)
    let key = try key(of: name, client)
    var report = CopyVerification(folder: address.description)
    let expected =
      if let stated = digest?.xxh64 { stated } else { try hash(of: name, in: folder, isCancelled) }
    try check(key, expected, size(name, folder), client, &report)
    if digest != nil {
      let sidecar = name + SidecarDigest.suffix
      try check(
        key + SidecarDigest.suffix, hash(of: sidecar, in: folder, isCancelled),
        size(sidecar, folder), client, &report)
    }
    if !report.missing.isEmpty { try client.checkBucket(of: key) }
    return report
  }

  /// The key of the file's object: below the address, or the address itself.
  private func key(
    of name: String, _ client: StorageClient
  ) throws(ObjectStorageError) -> String {
    let below = address.appending(name).key
    if try client.head(below) != nil { return below }
    guard !address.key.isEmpty, try client.head(address.key) != nil else { return below }
    return address.key
  }

  private func size(_ name: String, _ folder: CopyFolder) throws(ObjectStorageError) -> Int64? {
    do throws(ASCMHLError) { return try folder.facts(name)?.size } catch {
      throw ObjectStorageError(error)
    }
  }

  private func hash(
    of name: String, in folder: CopyFolder, _ isCancelled: @Sendable () -> Bool
  ) throws(ObjectStorageError) -> String {
    let source = try FileSource(name, in: folder)
    let size = try source.facts().size
    return try ContentChecksums.of(
      source, PartPlan(size: size, smallest: max(size, 1)), isCancelled: isCancelled
    ).xxh64
  }

  private func check(
    _ key: String, _ xxh64: String, _ size: Int64?, _ client: StorageClient,
    _ report: inout CopyVerification
  ) throws(ObjectStorageError) {
    let path = client.subject(key)
    guard let facts = try client.head(key) else {
      return report.missing.append(.init(path: path, message: "is missing"))
    }
    if let size, size != facts.size {
      return report.damaged.append(
        .init(path: path, message: "has \(facts.size) bytes, not \(size)"))
    }
    if readsObjects { return try read(key, facts, xxh64, client, &report) }
    // Without our metadata, only reading the object could tell what it contains.
    guard let words = ObjectMetadata(facts.metadata) else {
      return report.unchecked.append(path)
    }
    guard words.xxh64 == xxh64 else {
      return report.damaged.append(
        .init(
          path: path, message: "its xxHash64 was \(words.xxh64) when it was sent, not \(xxh64)"))
    }
    switch words.agree(with: facts) {
    case true: report.verifiedCount += 1
    case false:
      report.damaged.append(
        .init(path: path, message: "its CRC-64/NVME is not \(words.crc64), as when it was sent"))
    default: report.unchecked.append(path)
    }
  }

  private func read(
    _ key: String, _ facts: ObjectFacts, _ xxh64: String, _ client: StorageClient,
    _ report: inout CopyVerification
  ) throws(ObjectStorageError) {
    let path = client.subject(key)
    let hash = SharedHash()
    guard try client.get(key, { hash.add($0) }) != nil else {
      return report.missing.append(.init(path: path, message: "is missing"))
    }
    // There was no memory for a hash.
    guard let found = hash.text else { return report.unchecked.append(path) }
    guard found != xxh64 else { return report.verifiedCount += 1 }
    report.damaged.append(
      .init(path: path, message: "its xxHash64 is \(found), not \(xxh64)"))
  }
}
