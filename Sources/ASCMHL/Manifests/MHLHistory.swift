import MediaCore

/// The manifests of a folder: its `ascmhl` folder.
///
/// Broken parts are reported in ``problems``, and the rest is still read: a file that a manifest
/// lists is checked even if the chain that should vouch for the manifest is truncated.
package struct MHLHistory {
  private let folder: CopyFolder
  /// The folder that the manifests describe; the path is empty or ends with a slash.
  private let prefix: String
  /// The manifests of the chain, in order.
  private(set) var generations: [MHLGeneration] = []
  /// The entries of all manifests; of several hashes in one format the earliest counts. The keys
  /// are the bytes of the paths: Strings treat two encodings of a letter as equal, and file systems
  /// do not.
  private(set) var entries: [[UInt8]: MHLEntry] = [:]
  /// References to manifests of nested folders.
  private(set) var references: [MHLReference] = []
  /// Manifests that are missing, cannot be read, or do not match the chain.
  package private(set) var problems: [CopyVerification.Finding] = []
  /// The number of manifests that were read.
  private(set) var manifestCount = 0
  /// Intact manifests that are not in the chain.
  private var unlisted: [MHLGeneration] = []
  /// Unlisted manifests that are renumbered when the next manifest is added.
  private var renamings: [(from: String, to: String)] = []
  /// Unlisted manifests that the chain already lists under another name.
  private var leftovers: [String] = []
  private var hasChain = false

  private var home: String { prefix + MHLManifest.folderName }
  private var chain: String { home + "/" + MHLManifest.chainName }

  /// Reads the manifests of a folder, if it has any.
  ///
  /// - Throws: ``ASCMHLError`` for system errors; faults of the manifests are in ``problems``.
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
          .init(path: chain, message: "is missing, so the manifests beside it cannot be verified"))
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
    guard !generation.name.hasSlash else {
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
        problems.append(.init(path: path, message: "does not match the chain: it was changed"))
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

  /// The entry for a file; nil if no manifest lists it.
  package func entry(_ path: String) -> MHLEntry? { entries[Array(path.utf8)] }

  /// The path of the manifest with this identifier; nil if the chain does not list it.
  package func path(of c4: C4Identifier) -> String? {
    generations.first { $0.c4 == "\(c4)" }.map { home + "/" + $0.name }
  }

  /// Makes sure that a manifest can be added.
  ///
  /// A killed process, a full disk, or two simultaneous copies can leave a folder without a chain,
  /// or intact manifests that are not in it. The next manifest adds those to the chain too, each
  /// with the next number. In ASC MHL only the file name holds the number, so it is enough to
  /// rename them.
  ///
  /// - Throws: ``ASCMHLError/Code/invalidManifest``.
  package mutating func prepareToAdd() throws(ASCMHLError) {
    let explained = (hasChain || problems.isEmpty ? 0 : 1) + unlisted.count
    // Without a chain, nothing shows whether an earlier manifest is missing, so only first
    // generations are accepted.
    if problems.count == explained, hasChain || unlisted.allSatisfy({ $0.number == 1 }) {
      takeUnlisted()
    }
    guard let problem = problems.first else { return }
    throw ASCMHLError(
      .invalidManifest,
      "\(folder.path(of: problem.path)): \(problem.message); copy into another folder, or restore it "
        + "from another copy")
  }

  private mutating func takeUnlisted() {
    for var manifest in unlisted.sorted(by: { ($0.number, $0.name) < ($1.number, $1.name) }) {
      if generations.contains(where: { $0.c4 == manifest.c4 }) {
        leftovers.append(manifest.name)
        continue
      }
      if manifest.number != nextNumber {
        let name = MHLManifest.digits(nextNumber) + manifest.name.drop { $0.isNumber }
        renamings.append((manifest.name, name))
        (manifest.number, manifest.name) = (nextNumber, name)
      }
      generations.append(manifest)
    }
    (unlisted, problems) = ([], [])
  }

  private var nextNumber: Int { (generations.last?.number ?? 0) + 1 }

  /// Separates the files that earlier manifests list with different hashes from the others.
  package func judged(
    _ files: [MHLManifest.File]
  ) -> (listed: [MHLManifest.File], contradicted: [MHLManifest.File]) {
    var (listed, contradicted): ([MHLManifest.File], [MHLManifest.File]) = ([], [])
    for var file in files {
      switch entry(file.path)?.agrees(xxh64: file.xxh64, c4: file.c4) {
      case false?: contradicted.append(file)
      case true?:
        file.isVerified = true
        listed.append(file)
      case nil: listed.append(file)
      }
    }
    return (listed, contradicted)
  }

  /// The error for a file that earlier manifests list with different hashes.
  package static func contradiction(_ file: MHLManifest.File) -> ASCMHLError {
    ASCMHLError(
      .verificationFailed,
      "\(file.path): its xxHash64 is \(file.xxh64), and the copy's manifests list another hash; copy "
        + "into another folder")
  }

  /// A note about files for which the manifests have no hash of a known format; nil if there are
  /// none.
  package func noteOfUnknownFormats(_ files: [FolderListing.File]) -> String? {
    let unknown = files.filter { entry($0.path).map { !$0.isComparable } ?? false }
    guard let first = unknown.first else { return nil }
    let others = unknown.count > 1 ? " and \(unknown.count - 1) more" : ""
    return
      "\(first.path)\(others): not compared with the card's manifests, which have no hash of it in a "
      + "known format"
  }

  private mutating func add(_ manifest: [MHLEntry]) {
    let moves = manifest.compactMap { entry in
      entry.previousPath.map {
        (from: Array($0.utf8), to: Array(entry.path.utf8), path: entry.path)
      }
    }
    // A manifest describes one moment, so files may have swapped names. But a file cannot take the
    // name of one that was not renamed itself.
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

  /// What changed in the manifest folder.
  package struct Addition: Sendable, Hashable {
    /// The new manifest's path relative to the folder; nil if none was written.
    package var path: String?
    /// The paths of all manifests that were created or renamed.
    package var made: [String] = []
    /// The paths of all manifests that no longer exist.
    package var removed: [String] = []
  }

  /// Writes the next manifest, and adds it and all unlisted ones to the chain.
  ///
  /// Only one process at a time may call this.
  ///
  /// - Parameter manifest: nil to repair only the chain.
  /// - Throws: ``ASCMHLError/Code/invalidManifest`` for a broken history, and system errors.
  package mutating func add(_ manifest: MHLManifest?) throws(ASCMHLError) -> Addition {
    try prepareToAdd()
    var addition = Addition()
    for (old, name) in renamings {
      guard try folder.rename(home + "/" + old, to: name) else {
        throw ASCMHLError(
          .invalidManifest, "\(folder.path(of: home + "/" + name)): already exists; move it away")
      }
      addition.made.append(home + "/" + name)
      addition.removed.append(home + "/" + old)
    }
    if let manifest {
      let path = try write(manifest)
      addition.path = path
      addition.made.append(path)
    }
    try folder.replace(chain, with: [UInt8](chainXML.utf8))
    for name in leftovers {
      try folder.remove(home + "/" + name)
      addition.removed.append(home + "/" + name)
    }
    (renamings, leftovers) = ([], [])
    return addition
  }

  /// - Returns: Its path relative to the folder.
  private mutating func write(_ manifest: MHLManifest) throws(ASCMHLError) -> String {
    let number = nextNumber
    let name = MHLManifest.name(
      generation: number, folder: Self.lastName(prefix.isEmpty ? folder.path : prefix),
      date: manifest.date)
    let bytes = [UInt8](manifest.xml.utf8)
    guard let c4 = C4Identifier(of: bytes) else {
      throw ASCMHLError(.ioFailed, "no memory to hash \(name)")
    }
    try folder.replace(home + "/" + name, with: bytes)
    generations.append(MHLGeneration(number: number, name: name, c4: "\(c4)"))
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
    path.pathParts().last.map(String.init) ?? "root"
  }
}
