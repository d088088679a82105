import MediaCore

/// A part that the server has.
struct ArrivedPart: Sendable, Hashable {
  var entityTag: String
  var size: Int64
  var crc64: String?
}

/// How the making of an object ended.
enum Creation: Sendable {
  case made
  /// There is an object of that name already.
  case exists
  /// The server has forgotten the upload: it is complete, or was given up.
  case noUpload
  /// The server does not know a condition, and did nothing.
  case noConditions
}

extension StorageClient {
  private static let onlyNew = ("if-none-match", "*")

  /// Sends a whole object.
  ///
  /// - Parameter condition: `if-none-match` or `if-match`; nil where the server knows none.
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

  /// True where the condition of a call does not hold, or the server knows none. Without one there is
  /// something else that it does not know.
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

  /// Begins an upload in parts; its identifier.
  func createUpload(
    _ key: String, headers: [(String, String)]
  ) throws(ObjectStorageError) -> String {
    let call = Call(method: "POST", key: key, query: [("uploads", "")], headers: headers)
    // One that was begun and of which nobody heard is ended, and another one begun.
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

  /// Sends a part, unless it turns out to have arrived; its entity tag.
  ///
  /// - Parameter number: From 1 on.
  /// - Returns: nil where the server has forgotten the upload.
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
  /// - Returns: nil where the server does not know the upload.
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
      // Servers that are no Amazon's call it ListPartsResponse.
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

  /// Makes an object of its parts, where there is none by that name.
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
    // Servers put the parts together before they answer.
    call.silence = 600
    let outcome = try send(
      call,
      hasArrived: { () throws(ObjectStorageError) in
        try hasArrived() ? StorageAnswer(status: 200) : nil
      },
      refuses: { Self.isAboutCondition($0, of: call) || $0.code == "NoSuchUpload" })
    return Self.creation(outcome)
  }

  /// Locks an object that is there.
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

  /// Removes an object; none there is as good.
  func delete(_ key: String) throws(ObjectStorageError) {
    _ = try send(Call(method: "DELETE", key: key), refuses: { $0.status == 404 })
  }

  /// Gives an upload up; what arrived of it is gone.
  func abort(_ key: String, upload: String) throws(ObjectStorageError) {
    _ = try send(
      Call(method: "DELETE", key: key, query: [("uploadId", upload)]),
      refuses: { $0.status == 404 })
  }

  /// Gives up the uploads of a key that no part has arrived of.
  func abortEmptyUploads(of key: String) throws(ObjectStorageError) {
    for upload in try uploads(of: key) where try parts(of: key, upload: upload)?.isEmpty == true {
      try abort(key, upload: upload)
    }
  }

  /// The uploads of a key that are not complete; none where the server does not tell.
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
