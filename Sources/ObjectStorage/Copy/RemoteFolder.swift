import ASCMHL
import FoundationEssentials
import Glibc
import MediaCore

/// Objects that are a copy of a folder: its keys are paths below a prefix, and its ASC MHL manifests lie
/// among them as they lie in a folder. The manifests are read and written in a folder of this machine.
final class RemoteFolder {
  let address: ObjectAddress
  let client: StorageClient
  /// Paths of all objects, with their sizes, as they were when it was opened.
  let files: [(path: String, size: Int64)]
  /// The manifests, in a folder of the copy's name.
  let manifests: CopyFolder
  private let scratch: String
  private var chainTags: [String: String] = [:]

  /// Lists the objects, and fetches the manifests.
  ///
  /// - Throws: ``ObjectStorageError`` where the bucket is not there, or may not be listed.
  init(_ address: ObjectAddress, _ client: StorageClient) throws(ObjectStorageError) {
    (self.address, self.client) = (address, client)
    let prefix = address.key.isEmpty ? "" : address.key + "/"
    files = try client.list(prefix: prefix).compactMap { key, size in
      // What some programs make to show a folder.
      let path = String(key.dropFirst(prefix.count))
      return path.isEmpty || path.hasSuffix("/") ? nil : (path, size)
    }
    scratch = try Self.makeScratch()
    do throws(ASCMHLError) {
      let parent = try CopyFolder(scratch)
      try parent.makeFolder(address.lastName)
      manifests = try CopyFolder(scratch + "/" + address.lastName)
    } catch {
      try? FileManager.default.removeItem(atPath: scratch)
      throw Self.failed(error)
    }
    for (path, _) in files where Self.isManifest(path) {
      try fetch(path)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: scratch) }

  /// True for a file in a folder of manifests.
  static func isManifest(_ path: String) -> Bool {
    let names = path.split(separator: "/")
    return names.count >= 2 && names[names.count - 2] == MHLManifest.folderName
  }

  /// The folders that have manifests: empty, or with a slash at the end.
  var homes: [String] {
    var homes: Set<String> = []
    for (path, _) in files where Self.isManifest(path) {
      let names = path.split(separator: "/").dropLast(2)
      homes.insert(names.isEmpty ? "" : names.joined(separator: "/") + "/")
    }
    return homes.sorted()
  }

  private func fetch(_ path: String) throws(ObjectStorageError) {
    guard let bytes = try client.bytes(address.appending(path).key) else { return }
    do throws(ASCMHLError) {
      let (parent, _) = CopyFolder.split(path)
      try manifests.makeFolder(String(parent.dropLast()))
      try manifests.replace(path, with: bytes)
    } catch { throw Self.failed(error) }
    chainTags[path] = Digest.hexadecimal(Digest.md5(bytes))
  }

  /// Writes the next manifest, and puts it on the chain.
  ///
  /// - Returns: Its path.
  /// - Throws: ``ObjectStorageError/Code/objectExists`` where another program added one meanwhile.
  func add(_ manifest: MHLManifest, _ settings: UploadSettings) throws(ObjectStorageError) -> String
  {
    let path: String
    let chain = MHLManifest.folderName + "/" + MHLManifest.chainName
    let bytes: (manifest: [UInt8], chain: [UInt8])
    do throws(ASCMHLError) {
      var history = try MHLHistory(manifests)
      path = try history.add(manifest)
      bytes = (try Self.read(path, manifests), try Self.read(chain, manifests))
    } catch { throw Self.failed(error) }
    try put(path, bytes.manifest, settings, condition: ("if-none-match", "*"))
    try putChain(chain, bytes.chain, settings)
    return path
  }

  private func putChain(
    _ path: String, _ bytes: [UInt8], _ settings: UploadSettings
  ) throws(ObjectStorageError) {
    guard let tag = chainTags[path] else {
      return try put(path, bytes, settings, condition: ("if-none-match", "*"))
    }
    do throws(ObjectStorageError) {
      try put(path, bytes, settings, condition: ("if-match", "\"\(tag)\""))
    } catch {
      // Ceph 16 compares the tag with its quotation marks.
      guard error.code == .objectExists,
        try client.head(address.appending(path).key)?.entityTag == tag
      else { throw error }
      do throws(ObjectStorageError) {
        try put(path, bytes, settings, condition: ("if-match", tag))
      } catch {
        // Where versions are kept it refuses both, though the chain is the one that was read.
        guard error.code == .objectExists,
          try client.head(address.appending(path).key)?.entityTag == tag
        else { throw error }
        try put(path, bytes, settings, condition: nil)
      }
    }
  }

  private func put(
    _ path: String, _ bytes: [UInt8], _ settings: UploadSettings, condition: (String, String)?
  ) throws(ObjectStorageError) {
    let key = address.appending(path).key
    let tag = Digest.hexadecimal(Digest.md5(bytes))
    var crc = CRC64NVME()
    bytes.withUnsafeBytes { crc.add($0) }
    let headers =
      [
        ("content-type", "application/xml"), ("content-md5", Base64.encode(Digest.md5(bytes))),
        ("x-amz-checksum-crc64nvme", crc.base64),
      ] + (settings.lock?.headers ?? [])
    let client = client
    func isThere() throws(ObjectStorageError) -> Bool {
      guard let facts = try client.head(key) else { return false }
      guard facts.size == Int64(bytes.count) else { return false }
      if facts.crc64 == crc.base64 || facts.entityTag == tag { return true }
      return try client.bytes(key) == bytes
    }
    var creation = try client.put(
      key, .bytes(bytes), headers: headers, condition: condition, hasArrived: isThere)
    if case .noConditions = creation {
      creation = try client.put(
        key, .bytes(bytes), headers: headers, condition: nil, hasArrived: isThere)
    }
    guard try isThere() else {
      throw ObjectStorageError(
        .objectExists,
        "\(client.subject(key)): another program wrote a manifest at the same time; run the command "
          + "again")
    }
  }

  private static func read(_ path: String, _ folder: CopyFolder) throws(ASCMHLError) -> [UInt8] {
    var bytes: [UInt8] = []
    try folder.open(path).forEachChunk { bytes.append(contentsOf: $0) }
    return bytes
  }

  private static func makeScratch() throws(ObjectStorageError) -> String {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
    var template = Array(((parent ?? "/tmp") + "/recordctl-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ObjectStorageError(
        .stateFailed, "no folder for manifests can be made; name another with TMPDIR", errno: errno)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func failed(_ error: ASCMHLError) -> ObjectStorageError {
    ObjectStorageError(
      error.code == .invalidManifest ? .verificationFailed : .stateFailed, from: error)
  }
}
