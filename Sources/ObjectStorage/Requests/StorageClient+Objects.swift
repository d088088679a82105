import FoundationEssentials
import MediaCore
import Synchronization

/// What a store says of an object.
struct ObjectFacts: Sendable, Hashable {
  /// Bytes.
  var size: Int64
  /// Without quotation marks.
  var entityTag: String
  /// CRC-64/NVME of the whole, in Base64, taken by the server; nil where it has none.
  var crc64: String?
  /// What was sent along, by lowercase names.
  var metadata: [String: String]
  /// `COMPLIANCE` or `GOVERNANCE`.
  var lockMode: String?
  var lockedUntil: String?
}

/// How long an object may not be deleted, by anybody.
public struct ObjectLock: Sendable, Hashable, Codable {
  /// Seconds since 1970.
  public var until: Double

  public init(until: Double) { self.until = until }

  var stamp: String { Date(timeIntervalSince1970: until.rounded(.down)).formatted(.iso8601) }

  var headers: [(String, String)] {
    [
      ("x-amz-object-lock-mode", "COMPLIANCE"), ("x-amz-object-lock-retain-until-date", stamp),
    ]
  }
}

extension StorageClient {
  private static let metadataPrefix = "x-amz-meta-"

  /// Asks for an object; nil where there is none.
  func head(_ key: String) throws(ObjectStorageError) -> ObjectFacts? {
    let call = Call(method: "HEAD", key: key, headers: [("x-amz-checksum-mode", "ENABLED")])
    switch try send(call, refuses: { $0.status == 404 }) {
    case .failure: return nil
    case .success(let answer):
      var metadata: [String: String] = [:]
      for (name, value) in answer.headers where name.hasPrefix(Self.metadataPrefix) {
        metadata[String(name.dropFirst(Self.metadataPrefix.count))] = value
      }
      guard let size = answer.headers["content-length"].flatMap({ Int64($0) }) else {
        throw ObjectStorageError(.requestFailed, "\(subject(key)): the server tells no size")
      }
      // A checksum of the parts' checksums has their number.
      let crc = answer.headers["x-amz-checksum-crc64nvme"].flatMap { $0.contains("-") ? nil : $0 }
      return ObjectFacts(
        size: size, entityTag: Self.unquoted(answer.headers["etag"] ?? ""), crc64: crc,
        metadata: metadata, lockMode: answer.headers["x-amz-object-lock-mode"],
        lockedUntil: answer.headers["x-amz-object-lock-retain-until-date"])
    }
  }

  static func metadataHeaders(_ metadata: [(String, String)]) -> [(String, String)] {
    metadata.map { (metadataPrefix + $0.0, $0.1) }
  }

  static func unquoted(_ tag: String) -> String {
    tag.replacing("\"", with: "").replacing("W/", with: "").lowercased()
  }

  /// The objects whose keys begin with a prefix, by key.
  ///
  /// - Parameter limit: More are not asked for; nil for all.
  func list(
    prefix: String, limit: Int? = nil
  ) throws(ObjectStorageError) -> [(key: String, size: Int64)] {
    var found: [(key: String, size: Int64)] = []
    var token: String?
    repeat {
      var query = [("list-type", "2"), ("prefix", prefix), ("encoding-type", "url")]
      if let limit { query.append(("max-keys", "\(limit)")) }
      if let token { query.append(("continuation-token", token)) }
      guard
        case .success(let answer) = try send(Call(method: "GET", key: "", query: query)),
        let root = StorageDocument.root(of: answer.body), root.name == "ListBucketResult"
      else { throw ObjectStorageError(.requestFailed, "\(subject("")): its list is no list") }
      let isEncoded = root["EncodingType"] == "url"
      for object in root.all("Contents") {
        let key =
          isEncoded
          ? PercentEncoding.decode(object["Key"].replacing("+", with: " ")) : object["Key"]
        found.append((key, Int64(object["Size"]) ?? 0))
      }
      let next = root["NextContinuationToken"]
      let isLast = root["IsTruncated"] != "true" || next.isEmpty || next == token || limit != nil
      token = isLast ? nil : next
    } while token != nil
    return found
  }

  /// Reads an object, and hands its bytes to `take`. What is lost on the way is asked for again from its
  /// place on.
  ///
  /// - Returns: The bytes that were read; nil where there is no such object.
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

  /// Reads an object from a place to its end.
  ///
  /// - Parameters:
  ///   - facts: What it is to be; where it is replaced meanwhile, the rest is refused.
  ///   - take: Takes bytes in their order, false where it cannot.
  ///   - failure: Why it could not.
  func read(
    _ key: String, _ facts: ObjectFacts, from place: Int64,
    _ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool,
    failure: () -> ObjectStorageError?
  ) throws(ObjectStorageError) {
    var begin = place
    while begin < facts.size {
      let box = Count()
      var call = Call(method: "GET", key: key)
      call.headers = [("range", "bytes=\(begin)-"), ("if-match", "\"\(facts.entityTag)\"")]
      call.sink = { bytes in
        guard take(bytes) else { return false }
        box.add(Int64(bytes.count))
        return true
      }
      // An attempt that broke has handed over what it had.
      let outcome = try send(
        call,
        hasArrived: { () throws(ObjectStorageError) in
          if let failure = failure() { throw failure }
          return box.value > 0 ? StorageAnswer(status: 206) : nil
        }, refuses: { $0.status == 404 || $0.status == 412 })
      guard case .success = outcome else {
        throw ObjectStorageError(.requestFailed, "\(subject(key)): changed while it was read")
      }
      begin += box.value
      if box.value == 0 {
        throw ObjectStorageError(.requestFailed, "\(subject(key)): ends before its size")
      }
    }
  }

  /// A small object as a whole.
  func bytes(_ key: String) throws(ObjectStorageError) -> [UInt8]? {
    let bytes = Collected()
    return try get(key) { bytes.add($0) }.map { _ in bytes.all }
  }
}

/// A number that callbacks add to.
private final class Count: Sendable {
  private let number = Mutex(Int64(0))
  var value: Int64 { number.withLock { $0 } }
  func add(_ more: Int64) { number.withLock { $0 += more } }
}

/// Bytes that callbacks add to.
private final class Collected: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  var all: [UInt8] { bytes.withLock { $0 } }
  func add(_ more: UnsafeRawBufferPointer) {
    let copy = [UInt8](more)
    bytes.withLock { $0 += copy }
  }
}
