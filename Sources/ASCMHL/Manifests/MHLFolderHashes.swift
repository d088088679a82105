/// The hashes of folders as ASC MHL defines them, from those of the files.
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

  init(_ files: [MHLManifest.File]) {
    let top = Node()
    for file in files {
      let parts = file.path.split(separator: "/").map(String.init)
      var node = top
      for part in parts.dropLast() {
        let next = node.folders[part] ?? Node()
        node.folders[part] = next
        node = next
      }
      node.files.append((parts.last ?? "", file.xxh64))
    }
    var all: [String: Folder] = [:]
    root = Self.hashes(of: top, path: "", &all)
    folders = all
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
