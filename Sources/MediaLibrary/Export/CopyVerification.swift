public import FoundationEssentials
import Glibc

/// What a folder of copies holds, by its ASC MHL manifests.
public struct CopyVerification: Sendable, Hashable, Codable {
  /// A file that is not as the manifests say.
  public struct Finding: Sendable, Hashable, Codable {
    /// The path from the folder on.
    public var path: String
    /// What is wrong.
    public var message: String
  }

  /// The folder.
  public var folder: String
  /// Manifests that were read.
  public var manifestCount = 0
  /// Files that have the bytes they should have.
  public var verifiedCount = 0
  /// Files with other bytes.
  public var damaged: [Finding] = []
  /// Files that are whole under the name of another one.
  public var renamed: [Finding] = []
  /// Files that are gone.
  public var missing: [Finding] = []
  /// Files that no manifest knows.
  public var unlisted: [String] = []
  /// Files whose hashes are of formats that are not known here.
  public var unchecked: [String] = []

  /// True where every file that is listed is there by its name, was checked, and is whole.
  public var isSound: Bool {
    damaged.isEmpty && renamed.isEmpty && missing.isEmpty && unchecked.isEmpty
  }

  /// Checks all files of a folder against the manifests in its `ascmhl` folder and in those of
  /// folders further in, whoever wrote them.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidManifest`` where there is none, or one was changed;
  ///   others where the folder cannot be read.
  public static func verify(folder: URL) throws(MediaLibraryError) -> CopyVerification {
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    let path = LibraryLayout(folder).root
    var contents = Contents()
    try contents.add(path, prefix: "", files)
    var result = CopyVerification(folder: path)
    var entries: [[UInt8]: MHLEntry] = [:]
    for prefix in contents.homes {
      let place = prefix.isEmpty ? path : path + "/" + prefix.dropLast()
      let history = try MHLHistory(folder: place, files: files)
      result.manifestCount += history.generations.count
      for var entry in history.entries.values where result.stays(in: prefix, entry.path) {
        entry.path = prefix + entry.path
        entries[Array(entry.path.utf8), default: entry].hashes
          .merge(entry.hashes) { first, _ in first }
      }
      for reference in history.references where result.stays(in: prefix, reference.path) {
        try result.check(reference, prefix, files)
      }
    }
    guard result.manifestCount > 0 else {
      throw MediaLibraryError(
        .invalidManifest, "\(path): has no ASC MHL manifest (\(MHLManifest.folderName) folder)")
    }
    var others: [Mismatch] = []
    for entry in entries.values.sorted(by: { $0.path < $1.path }) {
      if let other = try result.check(entry, files) { others.append(other) }
    }
    result.judge(others)
    result.unlisted = contents.files.filter { entries[Array($0.utf8)] == nil }
    return result
  }

  /// A file with other bytes than it should have.
  private struct Mismatch {
    var entry: MHLEntry
    /// The hashes of what is there, by their formats' names.
    var found: [String: String]
    var message: String

    /// True where the bytes are those of a file that should be elsewhere.
    func holds(_ other: MHLEntry) -> Bool {
      let common = found.filter { other.hashes[$0.key] != nil }
      return !common.isEmpty
        && common.allSatisfy { format, hash in
          CopyVerification.folded(other.hashes[format] ?? "", format)
            == CopyVerification.folded(hash, format)
        }
    }
  }

  /// What a folder holds.
  private struct Contents {
    /// The files, without those of manifests.
    var files: [String] = []
    /// The folders that have manifests: empty, or with a slash at the end.
    var homes: [String] = []

    mutating func add(
      _ path: String, prefix: String, _ calls: LibraryFiles
    ) throws(MediaLibraryError) {
      for name in try calls.names(in: path) where name != ".DS_Store" {
        let child = path + "/" + name
        let isFolder = try calls.status(child)?.isFolder == true
        if name == MHLManifest.folderName, isFolder {
          homes.append(prefix)
        } else if isFolder {
          try add(child, prefix: prefix + name + "/", calls)
        } else {
          files.append(prefix + name)
        }
      }
    }
  }

  /// A manifest is a stranger's word: it may not lead out of the folder.
  private mutating func stays(in prefix: String, _ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if parts.allSatisfy({ !$0.isEmpty && $0 != ".." }) { return true }
    damaged.append(.init(path: prefix + path, message: "leads out of the folder"))
    return false
  }

  private mutating func check(
    _ reference: MHLReference, _ prefix: String, _ files: LibraryFiles
  ) throws(MediaLibraryError) {
    let path = prefix + reference.path
    guard try files.status(folder + "/" + path)?.isRegularFile == true else {
      missing.append(.init(path: path, message: "is missing, with what it lists"))
      return
    }
    let bytes = try files.contents(of: folder + "/" + path)
    guard C4Identifier(of: bytes).map({ "\($0)" }) == reference.c4 else {
      damaged.append(.init(path: path, message: "was changed since it was made"))
      return
    }
  }

  /// Tells files that changed names from those whose bytes are nowhere any more.
  private mutating func judge(_ mismatches: [Mismatch]) {
    for mismatch in mismatches {
      let path = mismatch.entry.path
      if let place = mismatches.first(where: { $0.holds(mismatch.entry) }) {
        renamed.append(.init(path: path, message: "is there under the name of \(place.entry.path)"))
      } else {
        damaged.append(.init(path: path, message: mismatch.message))
      }
    }
  }

  /// - Returns: What is there instead; nil where all is well, or the rest was told.
  private mutating func check(
    _ entry: MHLEntry, _ files: LibraryFiles
  ) throws(MediaLibraryError) -> Mismatch? {
    let path = folder + "/" + entry.path
    guard try files.status(path)?.isRegularFile == true else {
      missing.append(.init(path: entry.path, message: "is missing"))
      return nil
    }
    let foreign = ForeignHashes.Format.allCases.filter { entry.hashes[$0.rawValue] != nil }
    let wantsC4 = entry.hashes["c4"] != nil
    guard entry.hashes["xxh64"] != nil || wantsC4 || !foreign.isEmpty else {
      unchecked.append(entry.path)
      return nil
    }
    guard let others = ForeignHashes(foreign) else {
      throw MediaLibraryError(.ioFailed, "no memory to hash \(path)", errno: ENOMEM)
    }
    let file = try files.open(path, O_RDONLY | O_NOFOLLOW)
    file.dropCache()
    let content = try FileCopy.run(file, takesC4: wantsC4) { others.add($0) }
    var found = others.hashes().map { ($0.rawValue, $1) }
    found.append(("xxh64", "\(content.hash)"))
    if wantsC4 { found.append(("c4", content.c4.map { "\($0)" } ?? "unknown")) }
    let other = found.first { name, hash in
      entry.hashes[name].map { Self.folded($0, name) != Self.folded(hash, name) } ?? false
    }
    guard let (name, hash) = other else {
      verifiedCount += 1
      return nil
    }
    let title = ["xxh64": "xxHash64", "c4": "C4 identifier"][name] ?? name
    return Mismatch(
      entry: entry, found: Dictionary(found) { first, _ in first },
      message: "its \(title) is \(hash), not \(entry.hashes[name] ?? "")")
  }

  /// A hash for comparing: C4 identifiers tell upper from lower case, others do not.
  private static func folded(_ hash: String, _ format: String) -> String {
    format == "c4" ? hash : hash.lowercased()
  }
}
