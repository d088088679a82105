import MediaCore

/// The manifests of a folder: its `ascmhl` folder.
///
/// What is broken in it is told among the ``problems`` and the rest is read all the same: a file that
/// a manifest knows is checked, also where the chain that should vouch for the manifest is cut off.
package struct MHLHistory {
  private let folder: CopyFolder
  /// The folder that the manifests are about: empty, or with a slash at its end.
  private let prefix: String
  /// The manifests of the chain, in order.
  private(set) var generations: [MHLGeneration] = []
  /// What the manifests say of each file, the first word of each format. By the bytes of the paths:
  /// text takes two spellings of one letter for the same, and file systems do not.
  private(set) var entries: [[UInt8]: MHLEntry] = [:]
  /// The manifests of folders further in that these refer to.
  private(set) var references: [MHLReference] = []
  /// What is missing, cannot be read, or is not what the chain says.
  package private(set) var problems: [CopyVerification.Finding] = []
  /// Manifests that were read.
  private(set) var manifestCount = 0
  /// Whole manifests that are not in the chain.
  private var unlisted: [MHLGeneration] = []
  private var hasChain = false

  private var home: String { prefix + MHLManifest.folderName }
  private var chain: String { home + "/" + MHLManifest.chainName }

  /// Reads the manifests of a folder; none where it has none.
  ///
  /// - Throws: ``ASCMHLError`` where the system fails; what is wrong with the manifests is told in
  ///   ``problems``.
  package init(_ folder: CopyFolder, prefix: String = "") throws(ASCMHLError) {
    self.folder = folder
    self.prefix = prefix
    guard let facts = try folder.facts(prefix + MHLManifest.folderName) else { return }
    guard facts.isFolder else {
      problems.append(.init(path: home, message: "is not a folder; its manifests are missing"))
      return
    }
    readChain()
    for generation in generations { read(generation) }
    let listed = Set(generations.map { Array($0.name.utf8) })
    for name in try folder.names(in: home)
    where name.hasSuffix(".mhl") && !name.hasPrefix(".") && !listed.contains(Array(name.utf8)) {
      readUnlisted(name)
    }
  }

  private mutating func readChain() {
    do throws(ASCMHLError) {
      guard try folder.facts(chain) != nil else {
        problems.append(
          .init(path: chain, message: "is missing; nothing vouches for the manifests beside it"))
        return
      }
      hasChain = true
      generations = try MHLReader.generations(folder.open(chain))
      if generations.isEmpty {
        problems.append(.init(path: chain, message: "lists no manifest"))
      }
    } catch {
      problems.append(.init(path: chain, message: error.message))
    }
  }

  private mutating func read(_ generation: MHLGeneration) {
    let path = home + "/" + generation.name
    guard !generation.name.contains("/") else {
      problems.append(.init(path: path, message: "leads out of the folder of manifests"))
      return
    }
    do throws(ASCMHLError) {
      guard try folder.facts(path) != nil else {
        problems.append(.init(path: path, message: "is missing, and the chain lists it"))
        return
      }
      let manifest = try MHLReader.manifest(folder.open(path))
      manifestCount += 1
      if manifest.c4.map({ "\($0)" }) != generation.c4 {
        problems.append(.init(path: path, message: "is not what the chain says: it was changed"))
      }
      add(manifest.entries)
      references += manifest.references
    } catch {
      problems.append(.init(path: path, message: error.message))
    }
  }

  private mutating func readUnlisted(_ name: String) {
    let path = home + "/" + name
    problems.append(
      .init(path: path, message: "is not in the chain; a copy was interrupted, or the chain is cut")
    )
    do throws(ASCMHLError) {
      let manifest = try MHLReader.manifest(folder.open(path))
      manifestCount += 1
      add(manifest.entries)
      references += manifest.references
      guard let c4 = manifest.c4, let number = Int(name.prefix { $0.isNumber }) else { return }
      unlisted.append(MHLGeneration(number: number, name: name, c4: "\(c4)"))
    } catch {
      problems.append(.init(path: path, message: error.message))
    }
  }

  /// What the manifests say of a file; nil where they do not know it.
  package func entry(_ path: String) -> MHLEntry? { entries[Array(path.utf8)] }

  /// Makes sure that a manifest can be added.
  ///
  /// A process that was killed, or a disk that was full, leaves a folder without a chain, or one
  /// manifest that follows the chain and is not in it: that is taken into the chain with the next one.
  ///
  /// - Throws: ``ASCMHLError/Code/invalidManifest``.
  package mutating func prepareToAdd() throws(ASCMHLError) {
    let next = (generations.last?.number ?? 0) + 1
    let explained = (hasChain || problems.isEmpty ? 0 : 1) + unlisted.count
    if problems.count == explained, unlisted.map(\.number) == [next] || unlisted.isEmpty {
      generations += unlisted
      (unlisted, problems) = ([], [])
    }
    guard let problem = problems.first else { return }
    throw ASCMHLError(
      .invalidManifest,
      "\(folder.path(of: problem.path)): \(problem.message); copy into another folder, or restore it "
        + "from another copy")
  }

  private mutating func add(_ manifest: [MHLEntry]) {
    let moves = manifest.compactMap { entry in
      entry.previousPath.map {
        (from: Array($0.utf8), to: Array(entry.path.utf8), path: entry.path)
      }
    }
    // A manifest tells of one moment: files may have changed names with one another. But no file gets
    // the name of one that did not leave it.
    let left = Set(moves.map(\.from))
    let before = moves.isEmpty ? [:] : entries
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

  /// Writes the next manifest, and puts it on the chain.
  ///
  /// - Returns: Its path from the folder on.
  /// - Throws: ``ASCMHLError/Code/invalidManifest`` for a history that is broken, and others of the
  ///   system.
  package mutating func add(_ manifest: MHLManifest) throws(ASCMHLError) -> String {
    try prepareToAdd()
    let number = (generations.last?.number ?? 0) + 1
    let name = MHLManifest.name(
      generation: number, folder: Self.lastName(prefix.isEmpty ? folder.path : prefix),
      date: manifest.date)
    let bytes = [UInt8](manifest.xml.utf8)
    guard let c4 = C4Identifier(of: bytes) else {
      throw ASCMHLError(.ioFailed, "no memory to hash \(name)")
    }
    try folder.replace(home + "/" + name, with: bytes)
    generations.append(MHLGeneration(number: number, name: name, c4: "\(c4)"))
    try folder.replace(chain, with: [UInt8](chainXML.utf8))
    return home + "/" + name
  }

  private var chainXML: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<ascmhldirectory xmlns="urn:ASC:MHL:DIRECTORY:v2.0">"#,
    ]
    for generation in generations {
      lines += [
        #"  <hashlist sequencenr="\#(generation.number)">"#,
        "    <path>\(MHLManifest.escaped(generation.name))</path>",
        "    <c4>\(generation.c4)</c4>", "  </hashlist>",
      ]
    }
    lines += ["</ascmhldirectory>", ""]
    return lines.joined(separator: "\n")
  }

  private static func lastName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? "root"
  }
}
