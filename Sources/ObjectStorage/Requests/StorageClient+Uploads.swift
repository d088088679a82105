import MediaCore

/// A part that has arrived at the server.
struct ArrivedPart: Sendable, Hashable {
  var entityTag: String
  var size: Int64
  var crc64: String?
}

/// The result of creating an object.
enum Creation: Sendable {
  case made
  /// An object of that name already exists.
  case exists
  /// The server no longer knows the upload: it was completed or aborted.
  case noUpload
  /// The server does not support a condition, and did nothing.
  case noConditions
}

extension StorageClient {
  private static let onlyNew = ("if-none-match", "*")

  /// Uploads a whole object.
  ///
  /// - Parameter condition: `if-none-match` or `if-match`; nil if the server does not support them.
  func put(
    _ key: String, _ body: StorageRequest.Body, headers: [(String, String)],
    condition: (String, String)?, onSent: (@Sendable (Int) -> Void)? = nil,
    hasArrived: () throws(ObjectStorageError) -> Bool
  ) throws(ObjectStorageError) -> Creation {
    var call = Call(method: "PUT", key: key, headers: headers, body: body)
    if let condition { call.headers.append(condition) }
    call.onSent = onSent
    let outcome = try send(
      call,
      hasArrived: { () throws(ObjectStorageError) in
        try hasArrived() ? StorageAnswer(status: 200) : nil
      }, refuses: { Self.isAboutCondition($0, of: call) })
    return Self.creation(outcome)
  }

  /// True if a call's condition does not hold or the server does not support it. For a call without
  /// a condition, a 501 means something else.
  private static func isAboutCondition(_ fault: ServerFault, of call: Call) -> Bool {
    fault.status == 412
      || fault.status == 501
        && call.headers.contains { $0.0 == "if-none-match" || $0.0 == "if-match" }
  }

  private static func creation(_ outcome: Result<StorageAnswer, ServerFault>) -> Creation {
    switch outcome {
    case .success: .made
    case .failure(let fault) where fault.status == 412: .exists
    case .failure(let fault) where fault.status == 404: .noUpload
    case .failure: .noConditions
    }
  }

  /// Starts a multipart upload and returns its ID.
  func createUpload(
    _ key: String, headers: [(String, String)]
  ) throws(ObjectStorageError) -> String {
    let call = Call(method: "POST", key: key, query: [("uploads", "")], headers: headers)
    // If the response was lost, abort the upload that may have been started, and start another.
    let outcome = try send(
      call,
      hasArrived: { () throws(ObjectStorageError) in
        try self.abortEmptyUploads(of: key)
        return nil
      })
    guard case .success(let answer) = outcome,
      let id = StorageDocument.root(of: answer.body).map({ $0["UploadId"] }), !id.isEmpty
    else { throw ObjectStorageError(.requestFailed, "\(subject(key)): got no upload identifier") }
    return id
  }

  /// Uploads a part, unless it has already arrived, and returns its entity tag.
  ///
  /// - Parameter number: The part number, from 1.
  /// - Returns: The entity tag; nil if the server no longer knows the upload.
  func sendPart(
    _ number: Int, of key: String, upload: String, _ body: StorageRequest.Body,
    headers: [(String, String)], onSent: @escaping @Sendable (Int) -> Void,
    accepts: (ArrivedPart) -> Bool
  ) throws(ObjectStorageError) -> String? {
    var call = Call(
      method: "PUT", key: key, query: [("partNumber", "\(number)"), ("uploadId", upload)],
      headers: headers, body: body)
    call.onSent = onSent
    let outcome = try send(
      call,
      hasArrived: { () throws(ObjectStorageError) in
        let arrived = try self.parts(of: key, upload: upload, after: number - 1, atMost: 1)
        guard let part = arrived?[number], accepts(part) else { return nil }
        return StorageAnswer(status: 200, headers: ["etag": part.entityTag])
      }, refuses: { $0.code == "NoSuchUpload" })
    guard case .success(let answer) = outcome else { return nil }
    guard let tag = answer.headers["etag"] else {
      throw ObjectStorageError(.requestRefused, "\(subject(key)): a part got no entity tag")
    }
    return Self.unquoted(tag)
  }

  /// The parts that have arrived, by number.
  ///
  /// - Returns: The parts; nil if the server does not know the upload.
  func parts(
    of key: String, upload: String, after first: Int = 0, atMost limit: Int? = nil
  ) throws(ObjectStorageError) -> [Int: ArrivedPart]? {
    var found: [Int: ArrivedPart] = [:]
    var marker = first
    while true {
      var query = [("uploadId", upload)]
      if marker > 0 { query.append(("part-number-marker", "\(marker)")) }
      if let limit { query.append(("max-parts", "\(limit)")) }
      let outcome = try send(
        Call(method: "GET", key: key, query: query), refuses: { $0.code == "NoSuchUpload" })
      guard case .success(let answer) = outcome else { return nil }
      // Some other servers call it ListPartsResponse.
      guard let root = StorageDocument.root(of: answer.body),
        ["ListPartsResult", "ListPartsResponse"].contains(root.name)
      else {
        throw ObjectStorageError(.requestRefused, "\(subject(key)): its list of parts is malformed")
      }
      for part in root.all("Part") {
        guard let number = Int(part["PartNumber"]), let size = Int64(part["Size"]) else { continue }
        let crc = part["ChecksumCRC64NVME"]
        found[number] = ArrivedPart(
          entityTag: Self.unquoted(part["ETag"]), size: size, crc64: crc.isEmpty ? nil : crc)
      }
      guard limit == nil, root["IsTruncated"] == "true" else { return found }
      let word = root["NextPartNumberMarker"]
      guard let next = Int(word), next > marker else {
        throw endlessList(root.name, of: key, "NextPartNumberMarker", word)
      }
      marker = next
    }
  }

  /// Completes an object from its parts, if none of that name exists.
  ///
  /// - Parameter parts: The entity tags that the server gave them.
  func complete(
    _ key: String, upload: String, parts: [String],
    headers: [(String, String)], isConditional: Bool,
    hasArrived: () throws(ObjectStorageError) -> Bool
  ) throws(ObjectStorageError) -> Creation {
    let lines = parts.enumerated().map { index, tag in
      "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\"\(tag)\"</ETag></Part>"
    }
    let text =
      #"<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"#
      + lines.joined() + "</CompleteMultipartUpload>"
    var call = Call(
      method: "POST", key: key, query: [("uploadId", upload)],
      headers: headers + [("content-type", "application/xml")]
        + (isConditional ? [Self.onlyNew] : []), body: .bytes([UInt8](text.utf8)))
    // Servers assemble the parts before they respond.
    call.silence = 600
    let outcome = try send(
      call,
      hasArrived: { () throws(ObjectStorageError) in
        try hasArrived() ? StorageAnswer(status: 200) : nil
      },
      refuses: { Self.isAboutCondition($0, of: call) || $0.code == "NoSuchUpload" })
    return Self.creation(outcome)
  }

  /// Locks an existing object.
  func retain(_ key: String, _ lock: ObjectLock) throws(ObjectStorageError) {
    let text =
      #"<Retention xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Mode>COMPLIANCE</Mode>"#
      + "<RetainUntilDate>\(lock.stamp)</RetainUntilDate></Retention>"
    let bytes = [UInt8](text.utf8)
    _ = try send(
      Call(
        method: "PUT", key: key, query: [("retention", "")],
        headers: [
          ("content-type", "application/xml"), ("content-md5", Base64.encode(Digest.md5(bytes))),
        ], body: .bytes(bytes)), refuses: { $0.status == 400 || $0.status == 409 })
  }

  /// Removes an object. It is no error if it does not exist.
  func delete(_ key: String) throws(ObjectStorageError) {
    _ = try send(Call(method: "DELETE", key: key), refuses: { $0.status == 404 })
  }

  /// Aborts an upload, which discards its parts.
  func abort(_ key: String, upload: String) throws(ObjectStorageError) {
    _ = try send(
      Call(method: "DELETE", key: key, query: [("uploadId", upload)]),
      refuses: { $0.status == 404 })
  }

  /// Aborts the uploads of a key that have no parts yet.
  func abortEmptyUploads(of key: String) throws(ObjectStorageError) {
    for upload in try uploads(of: key) where try parts(of: key, upload: upload)?.isEmpty == true {
      try abort(key, upload: upload)
    }
  }

  /// The incomplete uploads of a key; none if the server does not list them.
  func uploads(of key: String) throws(ObjectStorageError) -> [String] {
    var found: [String] = []
    var marker: (key: String, upload: String)?
    while true {
      var query = [("uploads", ""), ("prefix", key)]
      if let marker {
        query += [("key-marker", marker.key), ("upload-id-marker", marker.upload)]
      }
      let outcome = try send(Call(method: "GET", key: "", query: query), refuses: { _ in true })
      guard case .success(let answer) = outcome, let root = StorageDocument.root(of: answer.body)
      else { return found }
      found += root.all("Upload").filter { $0["Key"] == key }.map { $0["UploadId"] }
      guard root["IsTruncated"] == "true" else { return found }
      let next = (key: root["NextKeyMarker"], upload: root["NextUploadIdMarker"])
      guard !next.key.isEmpty, next.key != marker?.key || next.upload != marker?.upload else {
        throw endlessList(root.name, of: key, "NextKeyMarker", next.key)
      }
      marker = next
    }
  }
}
