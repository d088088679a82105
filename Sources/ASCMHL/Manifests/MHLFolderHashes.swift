/// The hashes of folders as ASC MHL defines them, from those of the files. An empty folder's hashes
/// are those of nothing.
///
/// A folder's content hash is the hash of its children's content hashes, sorted; its structure hash
/// has the children's names in it as well.
struct MHLFolderHashes {
  /// The hashes of a folder.
  struct Folder: Hashable {
    var content: ContentHash
    var structure: ContentHash
  }

  /// The folder of all.
  let root: Folder
  /// The folders in it, by their paths.
  let folders: [String: Folder]

  private final class Node {
    var files: [(name: String, hash: ContentHash)] = []
    var folders: [String: Node] = [:]
  }

  /// - Parameter folders: The folders that there are, also those without files.
  init(_ files: [MHLManifest.File], folders: [String]) {
    let top = Node()
    for folder in folders { _ = Self.node(Self.names(folder)[...], in: top) }
    for file in files {
      let names = Self.names(file.path)
      Self.node(names.dropLast(), in: top).files.append((names.last ?? "", file.xxh64))
    }
    var all: [String: Folder] = [:]
    root = Self.hashes(of: top, path: "", &all)
    self.folders = all
  }

  private static func names(_ path: String) -> [String] {
    // By bytes: to text a slash and an accent that follows it are one letter.
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func node(_ names: ArraySlice<String>, in top: Node) -> Node {
    var node = top
    for name in names {
      let next = node.folders[name] ?? Node()
      node.folders[name] = next
      node = next
    }
    return node
  }

  private static func hashes(
    of node: Node, path: String, _ all: inout [String: Folder]
  ) -> Folder {
    var contents: [ContentHash] = []
    var structures: [ContentHash] = []
    for file in node.files {
      contents.append(file.hash)
      structures.append(ContentHash(of: [UInt8](file.name.utf8) + file.hash.bytes))
    }
    for (name, child) in node.folders {
      let childPath = path.isEmpty ? name : path + "/" + name
      let hashes = hashes(of: child, path: childPath, &all)
      all[childPath] = hashes
      contents.append(hashes.content)
      structures.append(ContentHash(of: [UInt8](name.utf8) + hashes.structure.bytes))
    }
    return Folder(content: combined(contents), structure: combined(structures))
  }

  private static func combined(_ hashes: [ContentHash]) -> ContentHash {
    ContentHash(of: hashes.sorted { $0.value < $1.value }.flatMap(\.bytes))
  }
}

extension ContentHash {
  /// The eight bytes, the most significant first.
  var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - $0 * 8)) }
  }
}
