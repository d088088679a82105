public import ASCMHL
import FoundationEssentials
import MediaCore

/// Compares a file's copy in object storage, and that of its sidecar, with what the sidecar says of the
/// file's bytes, or else with the file.
public struct FileCopyVerification: Sendable {
  /// The file; it may be gone where its sidecar is there.
  public let path: String
  /// The object, or the address that the file was sent to.
  public let address: ObjectAddress
  /// The server and the key.
  public let account: StorageAccount
  /// True to read the objects; false to compare sizes and the checksums that the server took.
  public var readsObjects = false
  package var settings = StorageClient.Settings()
  package var transport: (any ObjectTransport)?

  public init(of path: String, at address: ObjectAddress, account: StorageAccount) {
    (self.path, self.address, self.account) = (path, address, account)
  }

  /// Compares.
  ///
  /// - Throws: ``ObjectStorageError`` where the file, the server, the bucket or the credentials are of no
  ///   use.
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
      if let told = digest?.xxh64 { told } else { try hash(of: name, in: folder, isCancelled) }
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

  /// The object of the file: below the address, or the address itself.
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
    // Without our words nothing but its bytes tells what it is.
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
    // Without memory for a hash nothing is known.
    guard let found = hash.text else { return report.unchecked.append(path) }
    guard found != xxh64 else { return report.verifiedCount += 1 }
    report.damaged.append(
      .init(path: path, message: "its xxHash64 is \(found), not \(xxh64)"))
  }
}
