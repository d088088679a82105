import ASCMHL
import MediaCore

/// Compares an object with the checksums of the file that it should be.
struct ObjectVerification {
  let client: StorageClient
  let key: String
  let sums: ContentChecksums

  static let noConditions =
    "the server knows no If-None-Match: an object that appears at the same moment would be replaced"

  var isTaken: ObjectStorageError {
    ObjectStorageError(
      .objectExists,
      "\(client.subject(key)): is there already with other bytes; name another prefix, or move it away"
    )
  }

  /// True where the object is there with these bytes.
  ///
  /// - Throws: ``ObjectStorageError/Code/objectExists`` where it has others.
  func isThere() throws(ObjectStorageError) -> Bool {
    guard let facts = try client.head(key) else { return false }
    guard try isSame(facts) else { throw isTaken }
    return true
  }

  /// True for an object with these bytes, by the server's own checksum of all that it stores, else by
  /// the MD5s that its entity tag is made of, else by reading it.
  func isSame(_ facts: ObjectFacts) throws(ObjectStorageError) -> Bool {
    guard facts.size == sums.size else { return false }
    if let crc = facts.crc64 { return crc == sums.crc.base64 }
    if facts.entityTag == sums.entityTag { return true }
    // The tag of other parts, or of an encrypted object, says nothing.
    let hash = SharedHash()
    guard let size = try client.get(key, { hash.add($0) }) else {
      try client.checkBucket(of: key)
      return false
    }
    return size == sums.size && hash.text == sums.xxh64
  }

  /// Makes sure that what was sent is stored.
  ///
  /// - Throws: ``ObjectStorageError/Code/verificationFailed``.
  func confirm(lock: ObjectLock?) throws(ObjectStorageError) {
    guard let facts = try client.head(key), try isSame(facts) else {
      try client.checkBucket(of: key)
      throw ObjectStorageError(
        .verificationFailed,
        "\(client.subject(key)): is not stored as it was sent; the local file is kept")
    }
    guard let lock, !lock.isKept(by: facts) else { return }
    // Ceph 16 forgets the lock of what is sent in parts; what was there before may have a shorter one.
    try client.retain(key, lock)
    if let now = try client.head(key), lock.isKept(by: now) { return }
    throw ObjectStorageError(
      .verificationFailed,
      "\(client.subject(key)): is stored, but is not locked until \(lock.stamp); use a bucket that was "
        + "made with object lock")
  }
}

/// A hash that callbacks add to.
///
/// Unchecked: it has no lock. A transfer calls ``add(_:)`` on the thread that waits for it, and ``text`` is read
/// when the transfer has returned.
final class SharedHash: @unchecked Sendable {
  private let stream = ContentHash.Stream()
  func add(_ bytes: UnsafeRawBufferPointer) { stream.add(bytes) }
  /// Sixteen hexadecimal digits; nil where there was no memory.
  var text: String? { stream.hash.map { "\($0)" } }
}
