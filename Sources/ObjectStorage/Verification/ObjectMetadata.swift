extension ObjectFacts {
  /// True if the object was uploaded from this content and the server still stores it unchanged.
  func isProven(size: Int64, xxh64: String) -> Bool {
    guard self.size == size, let words = ObjectMetadata(metadata) else { return false }
    return words.xxh64 == xxh64.lowercased() && words.agree(with: self) == true
  }
}

/// Metadata stored with an object, so that a copy can be checked without the original.
struct ObjectMetadata: Sendable, Hashable {
  /// The xxHash64 of the whole object, as in the manifests.
  var xxh64: String
  /// The CRC-64/NVME in Base64, to be compared with the one that the server computed.
  var crc64: String
  /// The entity tag that the object must have on a server without that checksum.
  var entityTag: String

  init(_ sums: ContentChecksums) {
    (xxh64, crc64, entityTag) = (sums.xxh64, sums.crc.base64, sums.entityTag)
  }

  /// Reads an object's metadata; nil if the object was not uploaded by this library.
  init?(_ metadata: [String: String]) {
    guard let xxh64 = metadata["xxh64"], let crc64 = metadata["crc64nvme"],
      let entityTag = metadata["entity-tag"]
    else { return nil }
    (self.xxh64, self.crc64, self.entityTag) = (xxh64, crc64, entityTag)
  }

  /// True if the server stores what was uploaded; nil if its response does not tell.
  func agree(with facts: ObjectFacts) -> Bool? {
    if let crc = facts.crc64 { return crc == crc64 }
    // An encrypted object's entity tag is not made of MD5s.
    return facts.entityTag == entityTag ? true : nil
  }

  var pairs: [(String, String)] {
    [("xxh64", xxh64), ("crc64nvme", crc64), ("entity-tag", entityTag)]
  }
}
