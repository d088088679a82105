/// What a manifest says of a file.
package struct MHLEntry: Sendable, Hashable {
  /// The path from the manifest's folder on, exactly as it was written: spaces are part of a name.
  package var path = ""
  /// The path that it had in the manifests before, where it was renamed.
  package var previousPath: String?
  /// The size in bytes, if the manifest has it.
  package var size: Int64?
  /// Hashes by their formats' names: `xxh64`, `c4`, `md5`.
  package var hashes: [String: String] = [:]
}

extension MHLEntry {
  /// True where a hash is of a format that can be computed.
  package var isComparable: Bool {
    hashes["xxh64"] != nil || hashes["c4"] != nil
      || ForeignHashes.Format.allCases.contains { hashes[$0.rawValue] != nil }
  }

  /// The same, without C4 where a quicker format is listed: SHA-512 is slower than fast cards are.
  package var forReading: MHLEntry {
    var entry = self
    entry.hashes["c4"] = nil
    return entry.isComparable ? entry : self
  }

  /// True where the hashes that are listed are these, false where one is another; nil where none of
  /// these formats is listed.
  func agrees(xxh64: ContentHash, c4: C4Identifier?) -> Bool? {
    let own = hashes["xxh64"].map { $0.lowercased() == "\(xxh64)" }
    guard let c4, let listed = hashes["c4"] else { return own }
    return listed == "\(c4)" && own != false
  }
}

/// A manifest in the chain: the list of manifests.
struct MHLGeneration: Sendable, Hashable {
  var number: Int
  var name: String
  /// The C4 identifier of the manifest.
  var c4: String
}

/// A manifest of a folder further in, which has manifests of its own.
struct MHLReference: Sendable, Hashable {
  /// The path from the folder of the manifest that refers to it.
  var path = ""
  /// The C4 identifier of the manifest.
  var c4 = ""
}
