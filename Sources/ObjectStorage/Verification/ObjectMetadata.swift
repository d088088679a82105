extension ObjectFacts {
  /// True for an object that was sent as this content, and that the server has as it was sent.
  func isProven(size: Int64, xxh64: String) -> Bool {
    guard self.size == size, let words = ObjectMetadata(metadata) else { return false }
    return words.xxh64 == xxh64.lowercased() && words.agree(with: self) == true
  }
}

/// What goes with an object, so that a copy can be judged without its original.
struct ObjectMetadata: Sendable, Hashable {
  /// xxHash64 of the whole, as the manifests have it.
  var xxh64: String
  /// CRC-64/NVME in Base64, to be compared with what the server took.
  var crc64: String
  /// The entity tag that it must have on a server without that checksum.
  var entityTag: String

  init(_ sums: ContentChecksums) {
    (xxh64, crc64, entityTag) = (sums.xxh64, sums.crc.base64, sums.entityTag)
  }

  /// From what a server has; nil for an object of another sender.
  init?(_ metadata: [String: String]) {
    guard let xxh64 = metadata["xxh64"], let crc64 = metadata["crc64nvme"],
      let entityTag = metadata["entity-tag"]
    else { return nil }
    (self.xxh64, self.crc64, self.entityTag) = (xxh64, crc64, entityTag)
  }

  /// True where what the server has is what was sent; nil where its words do not tell.
  func agree(with facts: ObjectFacts) -> Bool? {
    if let crc = facts.crc64 { return crc == crc64 }
    // An encrypted object has a tag of its own.
    return facts.entityTag == entityTag ? true : nil
  }

  var pairs: [(String, String)] {
    [("xxh64", xxh64), ("crc64nvme", crc64), ("entity-tag", entityTag)]
  }
}
