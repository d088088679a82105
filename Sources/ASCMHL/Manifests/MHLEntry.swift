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
