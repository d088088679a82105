import ASCMHL
import FoundationEssentials
import Glibc
import MediaCore

/// Objects that form a copy of a folder: their keys are paths below a prefix, and include ASC MHL
/// manifests as in a folder. The manifests are read and written in a temporary local folder.
final class RemoteFolder {
  let address: ObjectAddress
  /// The client for requests.
  var client: StorageClient
  /// The paths and sizes of all objects when the folder was opened.
  let files: [(path: String, size: Int64)]
  /// The manifests, in a local folder of the copy's name.
  let manifests: CopyFolder
  private let scratch: String
  /// The chain when it was last read.
  private var chain = Chain.absent
  private static let chainPath = MHLManifest.folderName + "/" + MHLManifest.chainName
  /// The largest manifest, which is read as a whole: enough for a million files.
  private static let manifestLimit: Int64 = 512 << 20

  /// The state of the chain.
  private enum Chain {
    case absent
    /// The server's tag; nil if it gives none.
    case present(tag: String?)
  }

  /// Lists the objects and fetches the manifests.
  ///
  /// - Throws: ``ObjectStorageError`` if the bucket does not exist or may not be listed.
  init(_ address: ObjectAddress, _ client: StorageClient) throws(ObjectStorageError) {
    (self.address, self.client) = (address, client)
    let prefix = address.key.isEmpty ? "" : address.key + "/"
    files = try client.list(prefix: prefix).compactMap { key, size in
      // Some programs create such objects to represent a folder.
      let path = Self.path(key, after: prefix)
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
    let names = Self.names(path)
    return names.count >= 2
      && names[names.count - 2].elementsEqual(MHLManifest.folderName.utf8)
  }

  /// The part of a key after a prefix. By bytes, because a slash and a combining accent after it
  /// form one `Character`.
  private static func path(_ key: String, after prefix: String) -> String {
    String(Substring(key.utf8.dropFirst(prefix.utf8.count)))
  }

  private static func names(_ path: String) -> [Substring.UTF8View] {
    path.utf8.split(separator: UInt8(ascii: "/"))
  }

  /// The folders that have manifests, with a trailing slash; empty for the root.
  var homes: [String] {
    var homes: Set<String> = []
    for (path, _) in files where Self.isManifest(path) {
      homes.insert(Self.names(path).dropLast(2).map { String(Substring($0)) + "/" }.joined())
    }
    return homes.sorted()
  }

  private func fetch(_ path: String) throws(ObjectStorageError) {
    let key = address.appending(path).key
    guard let document = try client.document(key, atMost: Self.manifestLimit) else {
      return try client.checkBucket(of: key)
    }
    do throws(ASCMHLError) {
      let (parent, _) = CopyFolder.split(path)
      try manifests.makeFolder(String(parent.dropLast()))
      try manifests.replace(path, with: document.bytes)
    } catch { throw Self.failed(error) }
    if path == Self.chainPath { chain = .present(tag: document.tag) }
  }

  /// The result of adding a manifest.
  struct Addition {
    /// Its path; nil if there was nothing to list.
    var path: String?
    /// The files that earlier manifests list with other content; they are left out.
    var contradicted: [MHLManifest.File] = []
    var notes: [String] = []
  }

  /// Writes the next manifest and adds it to the chain. If another program does so at the same
  /// time, ours follows.
  ///
  /// - Parameters:
  ///   - files: The files that are complete in the store.
  ///   - isWhole: True if nothing was left out.
  /// - Throws: ``ObjectStorageError/Code/objectExists`` if other programs keep adding theirs, and
  ///   ``ObjectStorageError/Code/unsupported`` if the chain has no tag that allows replacing it
  ///   safely.
  func add(
    _ files: [MHLManifest.File], _ settings: UploadSettings, date: Double, isWhole: Bool
  ) throws(ObjectStorageError) -> Addition {
    var made: C4Identifier?
    var addition = Addition()
    for attempt in 1...Self.attempts {
      do throws(ObjectStorageError) {
        if attempt > 1 {
          settings.client.sleep(Double.random(in: 0.1...1) * Double(attempt))
          try refresh()
        }
        try add(files, settings, date: date, isWhole: isWhole, &made, &addition)
        return addition
      } catch {
        guard error.code == .objectExists, attempt < Self.attempts else { throw error }
      }
    }
    return addition
  }

  private static let attempts = 6

  /// - Parameter made: Our manifest, if it is stored but not known to be in the chain.
  private func add(
    _ files: [MHLManifest.File], _ settings: UploadSettings, date: Double, isWhole: Bool,
    _ made: inout C4Identifier?, _ addition: inout Addition
  ) throws(ObjectStorageError) {
    // Checked before the manifest is stored, because it would not be in any chain.
    if case .present(nil) = chain {
      throw ObjectStorageError(
        .unsupported,
        "\(address.appending(Self.chainPath)): the server returns no ETag for it, and replacing it without one "
          + "could lose what another program added to the chain; the files are there, but in no manifest: copy "
          + "to another prefix, or to a server that returns ETags")
    }
    let change: MHLHistory.Addition
    do throws(ASCMHLError) {
      var history = try MHLHistory(manifests)
      if let made, let path = history.path(of: made) { return addition.path = path }
      // A stored manifest that is not in the chain, like ours from the previous attempt, is added
      // to it.
      var manifest: MHLManifest?
      if made == nil {
        let (listed, contradicted) = history.judged(files)
        addition.contradicted = contradicted
        if listed.isEmpty { return }
        manifest = MHLManifest(
          date: date, toolVersion: settings.toolVersion, files: listed,
          isWhole: isWhole && holdsOnly(listed))
      }
      change = try history.add(manifest)
      addition.path = made.flatMap { history.path(of: $0) } ?? change.path
    } catch { throw Self.failed(error) }
    try store(change, settings, &made, &addition)
  }

  /// True if the store held only these files and manifests.
  private func holdsOnly(_ listed: [MHLManifest.File]) -> Bool {
    let names = Set(listed.map { Array($0.path.utf8) })
    return files.allSatisfy { Self.isManifest($0.path) || names.contains(Array($0.path.utf8)) }
  }

  private func store(
    _ change: MHLHistory.Addition, _ settings: UploadSettings, _ made: inout C4Identifier?,
    _ addition: inout Addition
  ) throws(ObjectStorageError) {
    for path in change.made {
      let bytes = try read(path)
      try put(path, bytes, settings, replacing: nil)
      if path == change.path { made = C4Identifier(of: bytes) }
    }
    try putChain(read(Self.chainPath), settings)
    for path in change.removed {
      do throws(ObjectStorageError) { try client.delete(address.appending(path).key) } catch {
        addition.notes.append(
          "\(address.appending(path)): is in the chain under another name, and cannot be removed: "
            + error.message)
      }
    }
  }

  /// Reads the manifests again, because another program wrote some.
  private func refresh() throws(ObjectStorageError) {
    let prefix = address.appending(MHLManifest.folderName).key + "/"
    let paths = try client.list(prefix: prefix).map {
      MHLManifest.folderName + "/" + Self.path($0.key, after: prefix)
    }
    do throws(ASCMHLError) {
      for name in try manifests.names(in: MHLManifest.folderName) {
        try manifests.remove(MHLManifest.folderName + "/" + name)
      }
    } catch { throw Self.failed(error) }
    chain = .absent
    for path in paths where Self.isManifest(path) { try fetch(path) }
  }

  private func putChain(
    _ bytes: [UInt8], _ settings: UploadSettings
  ) throws(ObjectStorageError) {
    let path = Self.chainPath
    guard case .present(let tag?) = chain else {
      return try put(path, bytes, settings, replacing: nil)
    }
    do throws(ObjectStorageError) { try put(path, bytes, settings, replacing: tag) } catch {
      // Ceph 16 compares the tag including its quotation marks.
      guard error.code == .objectExists, try has(path, tag) else { throw error }
      do throws(ObjectStorageError) {
        try put(path, bytes, settings, replacing: tag.replacing("\"", with: ""))
      } catch {
        // With versioning, it rejects both, although the chain is unchanged.
        guard error.code == .objectExists, try has(path, tag) else { throw error }
        try put(path, bytes, settings, condition: nil)
      }
    }
  }

  /// True if the object has the tag, or, for nil, if it does not exist.
  private func has(_ path: String, _ tag: String?) throws(ObjectStorageError) -> Bool {
    let facts = try client.head(address.appending(path).key)
    guard let tag else { return facts == nil }
    return facts?.tag.map(StorageClient.unquoted) == StorageClient.unquoted(tag)
  }

  /// Stores an object, replacing the one with the tag; for nil, only if none exists.
  private func put(
    _ path: String, _ bytes: [UInt8], _ settings: UploadSettings, replacing tag: String?
  ) throws(ObjectStorageError) {
    let condition = tag.map { ("if-match", $0) } ?? ("if-none-match", "*")
    if case .noConditions = try put(path, bytes, settings, condition: condition) {
      guard try has(path, tag) else { throw isTaken(path) }
      try put(path, bytes, settings, condition: nil)
    }
  }

  private func isTaken(_ path: String) -> ObjectStorageError {
    ObjectStorageError(
      .objectExists,
      "\(address.appending(path)): another program wrote a manifest at the same time; run the command "
        + "again")
  }

  /// - Returns: ``Creation/noConditions`` if nothing was stored because the server does not support
  ///   conditions.
  @discardableResult
  private func put(
    _ path: String, _ bytes: [UInt8], _ settings: UploadSettings, condition: (String, String)?
  ) throws(ObjectStorageError) -> Creation {
    let key = address.appending(path).key
    let md5 = Digest.md5(bytes)
    var crc = CRC64NVME()
    bytes.withUnsafeBytes { crc.add($0) }
    let headers =
      [
        ("content-type", "application/xml"), ("content-md5", Base64.encode(md5)),
        ("x-amz-checksum-crc64nvme", crc.base64),
      ] + (settings.lock?.headers ?? [])
    let client = client
    func isThere() throws(ObjectStorageError) -> Bool {
      guard let facts = try client.head(key) else { return false }
      guard facts.size == Int64(bytes.count) else { return false }
      if facts.crc64 == crc.base64 || facts.entityTag == Digest.hexadecimal(md5) { return true }
      return try client.document(key, atMost: facts.size)?.bytes == bytes
    }
    let creation = try client.put(
      key, .bytes(bytes), headers: headers, condition: condition, hasArrived: isThere)
    if case .noConditions = creation, condition != nil { return creation }
    guard try isThere() else { throw isTaken(path) }
    return creation
  }

  private func read(_ path: String) throws(ObjectStorageError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(ASCMHLError) {
      try manifests.open(path).forEachChunk { bytes.append(contentsOf: $0) }
    } catch { throw Self.failed(error) }
    return bytes
  }

  private static func makeScratch() throws(ObjectStorageError) -> String {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
    var template = Array(((parent ?? "/tmp") + "/recordctl-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ObjectStorageError(
        .stateFailed, "no folder for manifests can be created; choose another with TMPDIR",
        errno: errno)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func failed(_ error: ASCMHLError) -> ObjectStorageError {
    ObjectStorageError(
      error.code == .invalidManifest ? .verificationFailed : .stateFailed, from: error)
  }
}
