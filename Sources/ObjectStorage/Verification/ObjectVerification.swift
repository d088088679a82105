import ASCMHL
import MediaCore

/// Compares an object with the checksums of the file that it should contain.
struct ObjectVerification {
  let client: StorageClient
  let key: String
  let sums: ContentChecksums

  static let noConditions =
    "the server does not support If-None-Match: an object that appears at the same moment would be replaced"

  var isTaken: ObjectStorageError {
    ObjectStorageError(
      .objectExists,
      "\(client.subject(key)): already exists with different content; name another prefix, or move it away"
    )
  }

  /// True if the object exists with these bytes.
  ///
  /// - Throws: ``ObjectStorageError/Code/objectExists`` if it has different bytes.
  func isThere() throws(ObjectStorageError) -> Bool {
    guard let facts = try client.head(key) else { return false }
    guard try isSame(facts) else { throw isTaken }
    return true
  }

  /// True if the object has these bytes. This compares the server's CRC-64/NVME of the object if
  /// there is one, then the entity tag, and otherwise reads the object.
  func isSame(_ facts: ObjectFacts) throws(ObjectStorageError) -> Bool {
    guard facts.size == sums.size else { return false }
    if let crc = facts.crc64 { return crc == sums.crc.base64 }
    if facts.entityTag == sums.entityTag { return true }
    // A different tag proves nothing: the parts may have had other sizes, or the object may be
    // encrypted.
    let hash = SharedHash()
    guard let size = try client.get(key, { hash.add($0) }) else {
      try client.checkBucket(of: key)
      return false
    }
    return size == sums.size && hash.text == sums.xxh64
  }

  /// Makes sure that the object is stored as it was uploaded, and locked.
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
    // Ceph 16 ignores the lock of a multipart upload, and an object that already existed may have a
    // shorter one.
    try client.retain(key, lock)
    if let now = try client.head(key), lock.isKept(by: now) { return }
    throw ObjectStorageError(
      .verificationFailed,
      "\(client.subject(key)): is stored, but is not locked until \(lock.stamp); use a bucket that was "
        + "made with object lock")
  }
}

/// A hash that callbacks update.
///
/// Unchecked: it has no lock. A transfer calls ``add(_:)`` on the thread that waits for it, and ``text`` is read
/// when the transfer has returned.
final class SharedHash: @unchecked Sendable {
  private let stream = ContentHash.Stream()
  func add(_ bytes: UnsafeRawBufferPointer) { stream.add(bytes) }
  /// Sixteen hexadecimal digits; nil if there was no memory.
  var text: String? { stream.hash.map { "\($0)" } }
}
