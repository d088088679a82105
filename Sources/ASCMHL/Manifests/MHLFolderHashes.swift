import MediaCore

/// The folder hashes of ASC MHL, computed from the file hashes. Those of an empty folder are the
/// hash of no bytes.
///
/// A folder's content hash is the hash of its children's sorted content hashes; its structure hash
/// also includes the children's names.
struct MHLFolderHashes {
  struct Folder: Hashable {
    var content: ContentHash
    var structure: ContentHash
  }

  /// The hashes of the top folder.
  let root: Folder
  /// The hashes of all subfolders, sorted by path.
  let folders: [(path: String, hashes: Folder)]

  private final class Node {
    let name: String
    var files: [(name: String, hash: ContentHash)] = []
    var folders: [PathBytes: Node] = [:]

    init(_ name: String) { self.name = name }
  }

  /// - Parameter folders: All folders, including those without files.
  init(_ files: [MHLManifest.File], folders: [String]) {
    let top = Node("")
    for folder in folders { _ = Self.node(Self.names(folder)[...], in: top) }
    for file in files {
      let names = Self.names(file.path)
      Self.node(names.dropLast(), in: top).files.append((names.last ?? "", file.xxh64))
    }
    var all: [(path: String, hashes: Folder)] = []
    root = Self.hashes(of: top, path: "", &all)
    self.folders = all.sorted { $0.path.isBefore($1.path) }
  }

  private static func names(_ path: String) -> [String] {
    // Split by bytes: in a String, a slash and a following combining accent are one Character.
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func node(_ names: ArraySlice<String>, in top: Node) -> Node {
    var node = top
    for name in names {
      let key = PathBytes(name)
      let next = node.folders[key] ?? Node(name)
      node.folders[key] = next
      node = next
    }
    return node
  }

  private static func hashes(
    of node: Node, path: String, _ all: inout [(path: String, hashes: Folder)]
  ) -> Folder {
    var contents: [ContentHash] = []
    var structures: [ContentHash] = []
    for file in node.files {
      contents.append(file.hash)
      structures.append(ContentHash(of: [UInt8](file.name.utf8) + file.hash.bytes))
    }
    for child in node.folders.values {
      let childPath = path.isEmpty ? child.name : path + "/" + child.name
      let hashes = hashes(of: child, path: childPath, &all)
      all.append((childPath, hashes))
      contents.append(hashes.content)
      structures.append(ContentHash(of: [UInt8](child.name.utf8) + hashes.structure.bytes))
    }
    return Folder(content: combined(contents), structure: combined(structures))
  }

  private static func combined(_ hashes: [ContentHash]) -> ContentHash {
    ContentHash(of: hashes.sorted { $0.value < $1.value }.flatMap(\.bytes))
  }
}

extension ContentHash {
  /// The eight bytes, most significant first.
  var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - $0 * 8)) }
  }
}
