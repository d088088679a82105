import ASCMHL
import MediaCore

/// The objects at an address, and their expected checksums.
struct RemoteListing {
  struct Object {
    /// The path in the folder that they are fetched into.
    var path: String
    var key: String
  }

  let client: StorageClient
  /// Other objects first, then documents, in the order in which they are sent.
  private(set) var objects: [Object] = []
  /// The checksums in manifests, by the bytes of the keys.
  private var listed: [[UInt8]: String] = [:]
  private var keys: Set<[UInt8]> = []
  /// Keeps the folder of manifests alive.
  private let folder: RemoteFolder

  /// Lists an object with its sidecar, or all objects below an address with their manifests.
  ///
  /// - Throws: ``ObjectStorageError/Code/objectNotFound`` if there is none.
  init(_ address: ObjectAddress, _ client: StorageClient) throws(ObjectStorageError) {
    self.client = client
    folder = try RemoteFolder(address, client)
    let name = address.lastName
    if !address.key.isEmpty {
      for suffix in ["", SidecarDigest.suffix] where try client.head(address.key + suffix) != nil {
        objects.append(Object(path: name + suffix, key: address.key + suffix))
      }
      // A sidecar alone does not count.
      if objects.first?.key != address.key { objects = [] }
    }
    objects += folder.files.map {
      Object(path: name + "/" + $0.path, key: address.appending($0.path).key)
    }
    guard !objects.isEmpty else {
      try client.checkBucket(of: address.key)
      throw ObjectStorageError(
        .objectNotFound, "\(address): no such object or prefix")
    }
    let isDocument = { (object: Object) in object.path.hasSuffix(SidecarDigest.suffix) }
    objects = objects.filter { !isDocument($0) } + objects.filter(isDocument)
    keys = Set(objects.map { Array($0.key.utf8) })
    for home in folder.homes {
      let history: MHLHistory
      do throws(ASCMHLError) { history = try MHLHistory(folder.manifests, prefix: home) } catch {
        throw RemoteFolder.failed(error)
      }
      for (path, _) in folder.files where path.utf8.starts(with: home.utf8) {
        guard
          let hash = history.entry(String(Substring(path.utf8.dropFirst(home.utf8.count))))?.hashes[
            "xxh64"]
        else {
          continue
        }
        listed[Array(address.appending(path).key.utf8)] = hash.lowercased()
      }
    }
  }

  /// The expected xxHash64 of an object from its sidecar, otherwise from a manifest; nil if neither
  /// has it.
  ///
  /// - Returns: The hash, and its source for messages.
  func expected(_ object: Object) throws(ObjectStorageError) -> (xxh64: String, teller: String)? {
    let sidecar = object.key + SidecarDigest.suffix
    if keys.contains(Array(sidecar.utf8)), let facts = try client.head(sidecar),
      facts.size <= SidecarDigest.sizeLimit,
      let document = try client.document(sidecar, atMost: SidecarDigest.sizeLimit),
      let hash = SidecarDigest(document.bytes)?.xxh64
    {
      return (hash, "its sidecar")
    }
    return listed[Array(object.key.utf8)].map { ($0, "a manifest") }
  }
}
