import FoundationEssentials

/// The manifests of a folder: its `ascmhl` folder.
struct MHLHistory {
  /// The folder that the manifests are about.
  let folder: String
  let files: LibraryFiles
  /// The manifests so far, in order.
  private(set) var generations: [MHLGeneration] = []
  /// What the manifests say of each file, the first word of each format. By the bytes of the paths:
  /// text takes two spellings of one letter for the same, and file systems do not.
  private(set) var entries: [[UInt8]: MHLEntry] = [:]
  /// The manifests of folders further in that these refer to.
  private(set) var references: [MHLReference] = []

  private var home: String { folder + "/" + MHLManifest.folderName }
  private var chain: String { home + "/" + MHLManifest.chainName }

  /// Reads the manifests of a folder; none where it has none.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidManifest``, also for a manifest that is not what the
  ///   list of manifests says.
  init(folder: String, files: LibraryFiles) throws(MediaLibraryError) {
    self.folder = folder
    self.files = files
    guard try files.status(chain) != nil else {
      guard try files.status(home) == nil else {
        throw MediaLibraryError(
          .invalidManifest, "\(home): has no \(MHLManifest.chainName); see where it went")
      }
      return
    }
    generations = try MHLReader.generations(files.contents(of: chain), path: chain)
    for generation in generations {
      let path = home + "/" + generation.name
      guard !generation.name.contains("/"), try files.status(path) != nil else {
        throw MediaLibraryError(.invalidManifest, "\(path): is missing; see where it went")
      }
      let bytes = try files.contents(of: path)
      guard C4Identifier(of: bytes).map({ "\($0)" }) == generation.c4 else {
        throw MediaLibraryError(
          .invalidManifest, "\(path): was changed since it was made; take another copy")
      }
      let manifest = try MHLReader.manifest(bytes, path: path)
      add(manifest.entries)
      references += manifest.references
    }
  }

  /// What the manifests say of a file; nil where they do not know it.
  func entry(_ path: String) -> MHLEntry? { entries[Array(path.utf8)] }

  private mutating func add(_ manifest: [MHLEntry]) {
    let moves = manifest.compactMap { entry in
      entry.previousPath.map {
        (from: Array($0.utf8), to: Array(entry.path.utf8), path: entry.path)
      }
    }
    // A manifest tells of one moment: files may have changed names with one another. But nobody gets
    // the name of a file that did not leave it.
    let left = Set(moves.map(\.from))
    let before = entries
    let made = moves.filter { before[$0.to] == nil || left.contains($0.to) }
    for move in made { entries[move.from] = nil }
    for move in made {
      guard var entry = before[move.from] else { continue }
      entry.path = move.path
      entries[move.to] = entry
    }
    for entry in manifest {
      entries[Array(entry.path.utf8), default: entry].hashes
        .merge(entry.hashes) { first, _ in first }
    }
  }

  /// Writes the next manifest, and puts it on the list.
  ///
  /// - Returns: Its path.
  func add(_ manifest: MHLManifest) throws(MediaLibraryError) -> String {
    let number = (generations.map(\.number).max() ?? 0) + 1
    let name = MHLManifest.name(
      generation: number, folder: LibraryFiles.name(folder), date: manifest.date)
    let bytes = [UInt8](manifest.xml.utf8)
    guard let c4 = C4Identifier(of: bytes) else {
      throw MediaLibraryError(.ioFailed, "no memory to hash \(name)")
    }
    try files.makeFolder(home)
    try files.replace(home + "/" + name, with: bytes)
    let all = generations + [MHLGeneration(number: number, name: name, c4: "\(c4)")]
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<ascmhldirectory xmlns="urn:ASC:MHL:DIRECTORY:v2.0">"#,
    ]
    for generation in all {
      lines += [
        #"  <hashlist sequencenr="\#(generation.number)">"#,
        "    <path>\(MHLManifest.escaped(generation.name))</path>",
        "    <c4>\(generation.c4)</c4>", "  </hashlist>",
      ]
    }
    lines += ["</ascmhldirectory>", ""]
    try files.replace(chain, with: [UInt8](lines.joined(separator: "\n").utf8))
    return home + "/" + name
  }
}
