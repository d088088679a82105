/// A manifest's entry for a file.
package struct MHLEntry: Sendable, Hashable {
  /// The path relative to the manifest's folder, exactly as written: spaces are part of a name.
  package var path = ""
  /// The path in earlier manifests, if the file was renamed.
  package var previousPath: String?
  /// The size in bytes; nil if the manifest does not list it.
  package var size: Int64?
  /// The hashes by format name: `xxh64`, `c4`, `md5`.
  package var hashes: [String: String] = [:]
}

extension MHLEntry {
  /// True if at least one hash has a format that can be computed.
  package var isComparable: Bool {
    hashes["xxh64"] != nil || hashes["c4"] != nil
      || ForeignHashes.Format.allCases.contains { hashes[$0.rawValue] != nil }
  }

  /// The same entry without C4 if a faster format is listed too: SHA-512 is slower than fast cards.
  package var forReading: MHLEntry {
    var entry = self
    entry.hashes["c4"] = nil
    return entry.isComparable ? entry : self
  }

  /// True if the listed hashes equal these, false if one differs; nil if neither format is listed.
  func agrees(xxh64: ContentHash, c4: C4Identifier?) -> Bool? {
    let own = hashes["xxh64"].map { $0.lowercased() == "\(xxh64)" }
    guard let c4, let listed = hashes["c4"] else { return own }
    return listed == "\(c4)" && own != false
  }
}

/// A manifest listed in the chain file.
struct MHLGeneration: Sendable, Hashable {
  var number: Int
  var name: String
  /// The C4 identifier of the manifest.
  var c4: String
}

/// A reference to a manifest of a nested folder that has manifests of its own.
struct MHLReference: Sendable, Hashable {
  /// The path relative to the folder of the referring manifest.
  var path = ""
  /// The C4 identifier of the manifest.
  var c4 = ""
}
