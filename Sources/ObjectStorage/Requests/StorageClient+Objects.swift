import FoundationEssentials
import MediaCore
import Synchronization

/// The properties of an object, reported by the store.
struct ObjectFacts: Sendable, Hashable {
  /// The size in bytes.
  var size: Int64
  /// The entity tag in the form used in conditions; nil if the server gives none.
  var tag: String?
  /// The tag in lowercase, without quotation marks, for comparison with MD5s; empty if there is
  /// none.
  var entityTag: String { StorageClient.unquoted(tag ?? "") }
  /// The CRC-64/NVME of the whole object in Base64, computed by the server; nil if it has none.
  var crc64: String?
  /// The user metadata, by lowercase name.
  var metadata: [String: String]
  /// `COMPLIANCE` or `GOVERNANCE`.
  var lockMode: String?
  var lockedUntil: String?
}

/// A lock: the time until which nobody may delete an object.
public struct ObjectLock: Sendable, Hashable, Codable {
  private enum CodingKeys: CodingKey { case until }

  /// The end of the lock, in seconds since 1970.
  public var until: Double
  /// How many seconds earlier a lock may end and still satisfy this one: running the same command
  /// again refers to the lock it made before.
  private var slack = 0.0

  public init(until: Double) { self.until = until }

  /// Creates a lock for a number of seconds from a time on.
  init(for duration: Double, from now: Double) {
    until = now + duration
    slack = min(duration / 100, 86_400)
  }

  /// True for an object that is locked as strictly and as long.
  func isKept(by facts: ObjectFacts) -> Bool {
    guard facts.lockMode == "COMPLIANCE", let date = facts.lockedUntil.flatMap(Self.seconds) else {
      return false
    }
    return date >= (until - slack).rounded(.down)
  }

  private static func seconds(_ stamp: String) -> Double? {
    // Servers write fractional seconds with up to nine digits, or none.
    guard stamp.hasSuffix("Z") || stamp.hasSuffix("+00:00") else { return nil }
    return (try? Date(stamp.prefix(19) + "Z", strategy: .iso8601))?.timeIntervalSince1970
  }

  var stamp: String { Date(timeIntervalSince1970: until.rounded(.down)).formatted(.iso8601) }

  var headers: [(String, String)] {
    [
      ("x-amz-object-lock-mode", "COMPLIANCE"), ("x-amz-object-lock-retain-until-date", stamp),
    ]
  }
}

extension StorageClient {
  private static let metadataPrefix = "x-amz-meta-"

  /// Requests an object's properties; nil if it does not exist.
  func head(_ key: String) throws(ObjectStorageError) -> ObjectFacts? {
    let call = Call(method: "HEAD", key: key, headers: [("x-amz-checksum-mode", "ENABLED")])
    switch try send(call, refuses: { $0.status == 404 || $0.isWordless }) {
    case .failure(let fault) where fault.isWordless: throw reason(of: fault, key)
    case .failure: return nil
    case .success(let answer):
      var metadata: [String: String] = [:]
      for (name, value) in answer.headers where name.hasPrefix(Self.metadataPrefix) {
        metadata[String(name.dropFirst(Self.metadataPrefix.count))] = value
      }
      guard let size = answer.headers["content-length"].flatMap({ Int64($0) }) else {
        throw ObjectStorageError(.requestFailed, "\(subject(key)): the server reports no size")
      }
      // A checksum of the parts' checksums has a suffix with the number of parts.
      let crc = answer.headers["x-amz-checksum-crc64nvme"].flatMap { $0.contains("-") ? nil : $0 }
      return ObjectFacts(
        size: size, tag: answer.headers["etag"].flatMap(Self.condition), crc64: crc,
        metadata: metadata, lockMode: answer.headers["x-amz-object-lock-mode"],
        lockedUntil: answer.headers["x-amz-object-lock-retain-until-date"])
    }
  }

  /// Determines why a `HEAD` request was rejected: unlike its response, that to a `GET` of one byte
  /// has a reason.
  private func reason(of fault: ServerFault, _ key: String) -> ObjectStorageError {
    var call = Call(method: "GET", key: key, headers: [("range", "bytes=0-0")])
    // A server without range support would send the whole object. Then the request was not
    // rejected, and there is no reason.
    let taken = Count()
    call.sink = { bytes in
      taken.add(Int64(bytes.count))
      return taken.value <= 1
    }
    do throws(ObjectStorageError) {
      guard
        case .failure(let reported) = try send(
          call,
          hasArrived: { () throws(ObjectStorageError) in
            taken.value > 0 ? StorageAnswer(status: 200) : nil
          }, refuses: { !$0.isPassing }),
        !reported.code.isEmpty, !reported.isObjectMissing, reported.status != 416
      else { return fault.error(subject(key), account) }
      return reported.error(subject(key), account)
    } catch {
      return error.isWorthRetrying ? error : fault.error(subject(key), account)
    }
  }

  /// Checks that the bucket of a missing object exists: the response to `HEAD` does not distinguish
  /// the two.
  ///
  /// - Throws: ``ObjectStorageError/Code/bucketNotFound``.
  func checkBucket(of key: String) throws(ObjectStorageError) {
    _ = try list(prefix: key, limit: 1)
  }

  static func metadataHeaders(_ metadata: [(String, String)]) -> [(String, String)] {
    metadata.map { (metadataPrefix + $0.0, $0.1) }
  }

  /// The tag of a header in the form used in conditions, which only work with strong tags. A proxy
  /// that compresses marks the store's tag as weak.
  private static func condition(_ header: String) -> String? {
    let tag = header.hasPrefix("W/") ? String(header.dropFirst(2)) : header
    if tag.isEmpty || tag == "\"\"" { return nil }
    return tag.hasPrefix("\"") ? tag : "\"\(tag)\""
  }

  static func unquoted(_ tag: String) -> String {
    tag.replacing("\"", with: "").replacing("W/", with: "").lowercased()
  }

  /// The objects whose keys begin with a prefix, by key.
  ///
  /// - Parameter limit: The most objects to list; nil for all.
  func list(
    prefix: String, limit: Int? = nil
  ) throws(ObjectStorageError) -> [(key: String, size: Int64)] {
    var found: [(key: String, size: Int64)] = []
    var token: String?
    while true {
      var query = [("list-type", "2"), ("prefix", prefix), ("encoding-type", "url")]
      if let limit { query.append(("max-keys", "\(limit)")) }
      if let token { query.append(("continuation-token", token)) }
      guard
        case .success(let answer) = try send(Call(method: "GET", key: "", query: query)),
        let root = StorageDocument.root(of: answer.body), root.name == "ListBucketResult"
      else { throw ObjectStorageError(.requestRefused, "\(subject("")): its listing is malformed") }
      let isEncoded = root["EncodingType"] == "url"
      for object in root.all("Contents") {
        let key =
          isEncoded
          ? PercentEncoding.decode(object["Key"].replacing("+", with: " ")) : object["Key"]
        guard let size = Int64(object["Size"]) else {
          throw ObjectStorageError(
            .requestRefused, "\(subject(key)): \(account.endpoint) lists it without a size")
        }
        found.append((key, size))
      }
      guard limit == nil, root["IsTruncated"] == "true" else { return found }
      let next = root["NextContinuationToken"]
      guard !next.isEmpty, next != token else {
        throw endlessList("ListBucketResult", of: prefix, "NextContinuationToken", next)
      }
      token = next
    }
  }

  /// The error of a listing that is truncated without stating where it continues. Taking it for
  /// complete would omit the rest.
  func endlessList(
    _ list: String, of key: String, _ marker: String, _ value: String
  ) -> ObjectStorageError {
    let what = value.isEmpty ? "no \(marker)" : "the same \(marker) again, \(value)"
    return ObjectStorageError(
      .requestRefused,
      "\(subject(key)): \(account.endpoint) answers a \(list) with IsTruncated and \(what): it is not "
        + "whole; use a server that lists all")
  }

  /// Reads an object and passes its bytes to `take`. After a lost connection, it continues where it
  /// stopped.
  ///
  /// - Returns: The number of bytes read; nil if the object does not exist.
  func get(
    _ key: String, _ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) throws(ObjectStorageError) -> Int64? {
    guard let facts = try head(key) else { return nil }
    try read(
      key, facts, from: 0,
      { bytes in
        take(bytes)
        return true
      }, failure: { nil })
    return facts.size
  }

  /// Reads an object from an offset to its end.
  ///
  /// - Parameters:
  ///   - facts: The object's properties. If it is replaced meanwhile, reading fails.
  ///   - take: Called with bytes in order; returns false on failure.
  ///   - failure: Returns the reason of that failure.
  func read(
    _ key: String, _ facts: ObjectFacts, from place: Int64,
    _ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool,
    failure: () -> ObjectStorageError?
  ) throws(ObjectStorageError) {
    var begin = place
    while begin < facts.size {
      let box = Count()
      var call = Call(method: "GET", key: key)
      call.headers = [("range", "bytes=\(begin)-")]
      if let tag = facts.tag { call.headers.append(("if-match", tag)) }
      call.sink = { bytes in
        guard take(bytes) else { return false }
        box.add(Int64(bytes.count))
        return true
      }
      // A broken attempt has already passed on what it received.
      let outcome = try send(
        call,
        hasArrived: { () throws(ObjectStorageError) in
          if let failure = failure() { throw failure }
          return box.value > 0 ? StorageAnswer(status: 206) : nil
        }, refuses: { $0.isObjectMissing || $0.status == 412 })
      guard case .success = outcome else {
        throw ObjectStorageError(.requestFailed, "\(subject(key)): changed while it was read")
      }
      if let failure = failure() { throw failure }
      begin += box.value
      if box.value == 0 {
        throw ObjectStorageError(.requestFailed, "\(subject(key)): ends before its size")
      }
    }
  }

  /// Reads a small object as a whole.
  ///
  /// - Parameter limit: The largest size accepted, in bytes.
  /// - Returns: The object; nil if it does not exist.
  /// - Throws: ``ObjectStorageError/Code/verificationFailed`` for a larger one.
  func document(_ key: String, atMost limit: Int64) throws(ObjectStorageError) -> Document? {
    guard let facts = try head(key) else { return nil }
    guard facts.size <= limit else {
      throw ObjectStorageError(
        .verificationFailed,
        "\(subject(key)): has \(facts.size) bytes, and at most \(limit) are read of such a document; move "
          + "it away")
    }
    let bytes = Collected(limit: Int(facts.size))
    let overflow = ObjectStorageError(
      .verificationFailed,
      "\(subject(key)): \(account.endpoint) sends more than its \(facts.size) bytes")
    try read(key, facts, from: 0, { bytes.add($0) }, failure: { bytes.isFull ? overflow : nil })
    return Document(bytes: bytes.all, tag: facts.tag)
  }
}

/// A small object.
struct Document {
  var bytes: [UInt8]
  /// The tag, as in ``ObjectFacts/tag``.
  var tag: String?
}

/// A counter for callbacks.
private final class Count: Sendable {
  private let number = Mutex(Int64(0))
  var value: Int64 { number.withLock { $0 } }
  func add(_ more: Int64) { number.withLock { $0 += more } }
}

/// Collects bytes from callbacks, up to a limit.
private final class Collected: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  private let overflow = Atomic(false)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var all: [UInt8] { bytes.withLock { $0 } }
  /// True if more came than allowed.
  var isFull: Bool { overflow.load(ordering: .relaxed) }

  func add(_ more: UnsafeRawBufferPointer) -> Bool {
    let copy = [UInt8](more)
    let isTaken = bytes.withLock { bytes in
      guard bytes.count + copy.count <= limit else { return false }
      bytes += copy
      return true
    }
    if !isTaken { overflow.store(true, ordering: .relaxed) }
    return isTaken
  }
}
