import ASCMHL
import Foundation
import MediaCore
import Synchronization

@testable import ObjectStorage

/// A store in memory whose requests can be made to fail.
final class MemoryStore: ObjectTransport {
  /// What goes wrong with a request.
  enum Fault: CaseIterable, Sendable {
    /// The request never arrives.
    case lostRequest
    /// The request is carried out, but its answer is lost.
    case lostAnswer
    case overload, internalError
    /// The server cannot be reached for this request.
    case unreachable
    /// The connection breaks after half of an object's bytes.
    case cutAnswer
  }

  /// The entity tags of whole objects.
  enum Tags: Sendable {
    case md5
    /// The server's own format, as for encrypted objects.
    case own
    case none
  }

  struct Stored {
    var bytes: [UInt8]
    /// Empty if the server gives none.
    var tag: String
    var headers: [String: String]
  }

  struct Upload {
    var key: String
    var parts: [Int: [UInt8]] = [:]
    var headers: [String: String]
  }

  private struct State {
    var objects: [String: Stored] = [:]
    var uploads: [String: Upload] = [:]
    var callCount = 0
    var partCounts: [String: Int] = [:]
    var nextUpload = 1
    var nextTag = 1
  }

  private let state = Mutex(State())
  /// The fault of each request, by its number from 0.
  let fault: @Sendable (Int) -> Fault?
  /// True for a server that supports a CRC of the whole object.
  let knowsCRC: Bool
  /// True for a server that answers conditional requests with `NotImplemented`.
  let refusesConditions: Bool
  let tags: Tags
  let bucket = "takes"

  init(
    knowsCRC: Bool = true, refusesConditions: Bool = false, tags: Tags = .md5,
    fault: @escaping @Sendable (Int) -> Fault? = { _ in nil }
  ) {
    (self.knowsCRC, self.refusesConditions, self.fault) = (knowsCRC, refusesConditions, fault)
    self.tags = tags
  }

  /// A store with the content of another one, and with its own faults.
  init(after other: MemoryStore, fault: @escaping @Sendable (Int) -> Fault? = { _ in nil }) {
    (knowsCRC, refusesConditions, tags) = (other.knowsCRC, other.refusesConditions, other.tags)
    self.fault = fault
    let (objects, uploads, counts, next) = other.state.withLock {
      ($0.objects, $0.uploads, $0.partCounts, $0.nextUpload)
    }
    state.withLock {
      ($0.objects, $0.uploads, $0.partCounts, $0.nextUpload) = (objects, uploads, counts, next)
    }
  }

  var callCount: Int { state.withLock { $0.callCount } }
  var keys: [String] { state.withLock { $0.objects.keys.sorted() } }
  var uploadCount: Int { state.withLock { $0.uploads.count } }
  /// The largest number of times that any part arrived.
  var mostOftenStored: Int { state.withLock { $0.partCounts.values.max() ?? 0 } }
  var storedPartCount: Int { state.withLock { $0.partCounts.values.reduce(0, +) } }

  /// The date until which an object is locked; nil if it is not.
  func lockedUntil(_ key: String) -> String? {
    state.withLock { $0.objects[key]?.headers["x-amz-object-lock-retain-until-date"] }
  }

  func bytes(_ key: String) -> [UInt8]? { state.withLock { $0.objects[key]?.bytes } }

  func put(
    _ bytes: [UInt8], _ key: String, headers: [String: String] = [:], tag: String? = nil
  ) {
    state.withLock {
      $0.objects[key] = Stored(
        bytes: bytes, tag: tag ?? Digest.hexadecimal(Digest.md5(bytes)), headers: headers)
    }
  }

  /// Copies an object of another store with all of its metadata.
  func put(_ other: MemoryStore, _ key: String, as name: String) {
    let object = other.state.withLock { $0.objects[key] }
    state.withLock { $0.objects[name] = object }
  }

  /// Flips one bit of an object. The server's checksums are those of the original content unless it noticed.
  func damage(_ key: String, isNoticed: Bool) {
    state.withLock { state in
      guard var object = state.objects[key] else { return }
      object.bytes[object.bytes.count / 2] ^= 1
      if isNoticed {
        object.tag = Digest.hexadecimal(Digest.md5(object.bytes))
        var crc = CRC64NVME()
        object.bytes.withUnsafeBytes { crc.add($0) }
        object.headers["x-amz-checksum-crc64nvme"] = crc.base64
      }
      state.objects[key] = object
    }
  }

  func send(
    _ request: StorageRequest, isCancelled: @Sendable () -> Bool
  ) throws(TransportFailure) -> StorageAnswer {
    if isCancelled() { throw TransportFailure(.cancelled, "cancelled") }
    let body = try Self.read(request.body)
    request.onSent?(body.count)
    let number = state.withLock { state in
      state.callCount += 1
      return state.callCount - 1
    }
    switch fault(number) {
    case .lostRequest: throw TransportFailure(.broken, "lost")
    case .unreachable: throw TransportFailure(.unreachable, "nobody there")
    case .overload: return Self.refusal(503, "SlowDown")
    case .internalError: return Self.refusal(500, "InternalError")
    case .cutAnswer:
      let answer = state.withLock { self.answer(request, body, &$0) }
      if let sink = request.sink, answer.status < 300 {
        _ = answer.body.prefix(answer.body.count / 2).withUnsafeBytes { sink($0) }
      }
      throw TransportFailure(.broken, "cut")
    case .lostAnswer:
      _ = state.withLock { self.answer(request, body, &$0) }
      throw TransportFailure(.broken, "lost")
    case nil: break
    }
    var answer = state.withLock { self.answer(request, body, &$0) }
    if let sink = request.sink, answer.status < 300 {
      _ = answer.body.withUnsafeBytes { sink($0) }
      answer.body = []
    }
    return answer
  }

  private static func read(_ body: StorageRequest.Body) throws(TransportFailure) -> [UInt8] {
    switch body {
    case .none: return []
    case .bytes(let bytes): return bytes
    case .file(let source, let range):
      var bytes = [UInt8](repeating: 0, count: Int(range.count))
      do throws(ObjectStorageError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { buffer.deallocate() }
        guard try source.read(buffer, at: range.lowerBound) == bytes.count else {
          throw .changed(source.name)
        }
        bytes = [UInt8](buffer)
      } catch { throw TransportFailure(.source(error), error.message) }
      return bytes
    }
  }

  private static func refusal(_ status: Int, _ code: String) -> StorageAnswer {
    StorageAnswer(
      status: status, body: [UInt8]("<Error><Code>\(code)</Code><Message>m</Message></Error>".utf8))
  }

  private static func xml(_ text: String) -> StorageAnswer {
    StorageAnswer(status: 200, body: [UInt8](text.utf8))
  }

  private func answer(
    _ request: StorageRequest, _ body: [UInt8], _ state: inout State
  ) -> StorageAnswer {
    let names = request.path.split(separator: "/", maxSplits: 1).map(String.init)
    guard names.first == bucket else { return Self.refusal(404, "NoSuchBucket") }
    let key = names.count > 1 ? PercentEncoding.decode(names[1]) : ""
    let query = Dictionary(request.query) { first, _ in first }
    let headers = Dictionary(request.headers.map { ($0.0.lowercased(), $0.1) }) { first, _ in first
    }
    if let md5 = headers["content-md5"], md5 != Base64.encode(Digest.md5(body)) {
      return Self.refusal(400, "BadDigest")
    }
    let (match, isNew) = (headers["if-match"], headers["if-none-match"] != nil)
    if isNew || match != nil && request.method != "GET", refusesConditions {
      return Self.refusal(501, "NotImplemented")
    }
    let tag = state.objects[key].flatMap { $0.tag.isEmpty ? nil : "\"\($0.tag)\"" }
    if isNew && state.objects[key] != nil || match != nil && match != tag {
      return Self.refusal(412, "PreconditionFailed")
    }
    switch (request.method, query["uploadId"]) {
    case ("GET", let id?): return parts(id, query, state)
    case ("PUT", let id?):
      guard state.uploads[id] != nil, let part = query["partNumber"].flatMap({ Int($0) }) else {
        return Self.refusal(404, "NoSuchUpload")
      }
      state.uploads[id]?.parts[part] = body
      state.partCounts["\(key) \(part)", default: 0] += 1
      return StorageAnswer(
        status: 200, headers: ["etag": "\"\(Digest.hexadecimal(Digest.md5(body)))\""])
    case ("POST", let id?): return complete(id, key, headers, &state)
    case ("DELETE", let id?):
      state.uploads[id] = nil
      return StorageAnswer(status: 204)
    case ("DELETE", nil):
      state.objects[key] = nil
      return StorageAnswer(status: 204)
    case ("PUT", nil) where query["retention"] != nil: return retain(key, body, &state)
    case ("POST", nil):
      let id = "upload\(state.nextUpload)"
      state.nextUpload += 1
      state.uploads[id] = Upload(key: key, headers: headers)
      return Self.xml("<R><UploadId>\(id)</UploadId></R>")
    case ("PUT", nil): return store(key, body, headers, &state)
    case ("GET", nil) where key.isEmpty: return list(query, state)
    case ("GET", nil), ("HEAD", nil): return object(key, request.method, headers, state)
    default: return Self.refusal(405, "MethodNotAllowed")
    }
  }

  /// Locks an object or extends its lock; a lock in compliance mode is never shortened.
  private func retain(_ key: String, _ body: [UInt8], _ state: inout State) -> StorageAnswer {
    let mode = "x-amz-object-lock-mode"
    let date = "x-amz-object-lock-retain-until-date"
    guard let root = StorageDocument.root(of: body), let present = state.objects[key]?.headers,
      present[mode] == nil || root["RetainUntilDate"] >= present[date] ?? ""
    else { return Self.refusal(400, "InvalidRequest") }
    state.objects[key]?.headers[mode] = root["Mode"]
    state.objects[key]?.headers[date] = root["RetainUntilDate"]
    return StorageAnswer(status: 200)
  }

  private func store(
    _ key: String, _ body: [UInt8], _ headers: [String: String], _ state: inout State
  ) -> StorageAnswer {
    state.nextTag += 1
    let tag =
      switch tags {
      case .md5: Digest.hexadecimal(Digest.md5(body))
      case .own: "Own/\(state.nextTag)+KMS"
      case .none: ""
      }
    state.objects[key] = Stored(bytes: body, tag: tag, headers: kept(headers, body))
    return StorageAnswer(status: 200, headers: tag.isEmpty ? [:] : ["etag": "\"\(tag)\""])
  }

  private func kept(_ headers: [String: String], _ bytes: [UInt8]) -> [String: String] {
    var kept = headers.filter {
      $0.key.hasPrefix("x-amz-meta-") || $0.key.hasPrefix("x-amz-object-lock-")
    }
    guard knowsCRC else { return kept }
    var crc = CRC64NVME()
    bytes.withUnsafeBytes { crc.add($0) }
    kept["x-amz-checksum-crc64nvme"] = crc.base64
    return kept
  }

  private func parts(_ id: String, _ query: [String: String], _ state: State) -> StorageAnswer {
    guard let upload = state.uploads[id] else { return Self.refusal(404, "NoSuchUpload") }
    let marker = query["part-number-marker"].flatMap { Int($0) } ?? 0
    // Short pages, so that several are requested.
    let limit = query["max-parts"].flatMap { Int($0) } ?? 3
    let all = upload.parts.filter { $0.key > marker }.sorted { $0.key < $1.key }
    let page = all.prefix(limit)
    let lines = page.map { number, bytes in
      "<Part><PartNumber>\(number)</PartNumber><ETag>&quot;"
        + Digest.hexadecimal(Digest.md5(bytes)) + "&quot;</ETag><Size>\(bytes.count)</Size></Part>"
    }
    // Servers use both names.
    let name = knowsCRC ? "ListPartsResult" : "ListPartsResponse"
    return Self.xml(
      "<\(name)><IsTruncated>\(page.count < all.count)</IsTruncated><NextPartNumberMarker>"
        + "\(page.last?.key ?? 0)</NextPartNumberMarker>\(lines.joined())</\(name)>")
  }

  private func complete(
    _ id: String, _ key: String, _ headers: [String: String], _ state: inout State
  ) -> StorageAnswer {
    guard let upload = state.uploads[id] else { return Self.refusal(404, "NoSuchUpload") }
    let sorted = upload.parts.sorted { $0.key < $1.key }
    let bytes = sorted.flatMap(\.value)
    var crc = CRC64NVME()
    bytes.withUnsafeBytes { crc.add($0) }
    if knowsCRC, headers["x-amz-checksum-crc64nvme"] != crc.base64 {
      return Self.refusal(400, "BadDigest")
    }
    let tags = sorted.flatMap { Digest.md5($0.value) }
    state.objects[key] = Stored(
      bytes: bytes, tag: Digest.hexadecimal(Digest.md5(tags)) + "-\(sorted.count)",
      headers: kept(upload.headers, bytes))
    state.uploads[id] = nil
    return Self.xml("<CompleteMultipartUploadResult/>")
  }

  private func list(_ query: [String: String], _ state: State) -> StorageAnswer {
    let prefix = query["prefix"] ?? ""
    if query["uploads"] != nil {
      let lines = state.uploads.filter { $0.value.key.utf8.starts(with: prefix.utf8) }.map {
        id, upload in
        "<Upload><Key>\(upload.key)</Key><UploadId>\(id)</UploadId></Upload>"
      }
      return Self.xml("<ListMultipartUploadsResult>\(lines.joined())</ListMultipartUploadsResult>")
    }
    let token = query["continuation-token"] ?? ""
    let all = state.objects.keys.filter { $0.utf8.starts(with: prefix.utf8) && $0 > token }.sorted()
    let page = all.prefix(2)
    let lines = page.map { key in
      "<Contents><Key>\(PercentEncoding.encode(key))</Key>"
        + "<Size>\(state.objects[key]?.bytes.count ?? 0)</Size></Contents>"
    }
    return Self.xml(
      "<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>\(page.count < all.count)"
        + "</IsTruncated><NextContinuationToken>\(page.last ?? "")</NextContinuationToken>"
        + lines.joined() + "</ListBucketResult>")
  }

  private func object(
    _ key: String, _ method: String, _ headers: [String: String], _ state: State
  ) -> StorageAnswer {
    guard let object = state.objects[key] else { return Self.refusal(404, "NoSuchKey") }
    var answer = StorageAnswer(status: 200, headers: object.headers)
    if !object.tag.isEmpty { answer.headers["etag"] = "\"\(object.tag)\"" }
    answer.headers["content-length"] = "\(object.bytes.count)"
    guard method == "GET" else { return answer }
    let begin = headers["range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
    answer.body = Array(object.bytes[begin...])
    return answer
  }
}
