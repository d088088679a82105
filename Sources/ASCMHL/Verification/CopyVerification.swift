public import FoundationEssentials
import Glibc
import MediaCore

/// What a folder of copies holds, by its ASC MHL manifests.
public struct CopyVerification: Sendable, Hashable, Codable {
  /// Something that is not as the manifests say.
  public struct Finding: Sendable, Hashable, Codable {
    /// The path from the folder on.
    public var path: String
    /// How the file differs from the manifest.
    public var message: String

    public init(path: String, message: String) {
      self.path = path
      self.message = message
    }
  }

  public var folder: String
  /// Manifests that were read.
  public var manifestCount = 0
  /// Files that have the bytes they should have.
  public var verifiedCount = 0
  /// Manifests and chains that are missing, cannot be read, or were changed. Files are checked against
  /// what can be read of them, but such a copy is not sound.
  public var invalidManifests: [Finding] = []
  /// Files with other bytes.
  public var damaged: [Finding] = []
  /// Files that are whole under the name of another one.
  public var renamed: [Finding] = []
  /// Files that are gone.
  public var missing: [Finding] = []
  /// Files that no manifest knows.
  public var unlisted: [String] = []
  /// Files whose hashes are of unknown formats, or that cannot be read.
  public var unchecked: [String] = []

  /// A report of nothing yet.
  package init(folder: String) { self.folder = folder }

  /// True where every file that is listed is there by its name, was checked, and is whole, and the
  /// manifests are those that the chain lists.
  public var isSound: Bool {
    invalidManifests.isEmpty && damaged.isEmpty && renamed.isEmpty && missing.isEmpty
      && unchecked.isEmpty
  }

  /// Checks all files of a folder against the manifests in its `ascmhl` folder and in those of
  /// nested folders, no matter which program wrote them.
  ///
  /// Manifests are a stranger's word: nothing outside of the folder is read, neither by a path that
  /// leads out of it nor by way of a link in it.
  ///
  /// - Throws: ``ASCMHLError/Code/invalidManifest`` where the folder has no manifest at all; others
  ///   where it cannot be read.
  public static func verify(folder: URL) throws(ASCMHLError) -> CopyVerification {
    var path = folder.absoluteURL.standardizedFileURL.path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return try verify(CopyFolder(path))
  }

  package static func verify(_ copy: CopyFolder) throws(ASCMHLError) -> CopyVerification {
    let listing = try FolderListing(copy)
    guard !listing.homes.isEmpty else {
      throw ASCMHLError(
        .invalidManifest,
        "\(copy.path): has no ASC MHL manifest (no folder \(MHLManifest.folderName))")
    }
    return try verify(
      copy, name: copy.path, homes: listing.homes, files: listing.files.map(\.path),
      others: listing.others.map(\.path)
    ) { FileCheck.run($0, in: copy) }
  }

  /// Checks files that may be elsewhere than their manifests.
  ///
  /// - Parameters:
  ///   - manifests: The folder with the manifests.
  ///   - name: What the report calls the copy.
  ///   - homes: The folders that have manifests: empty, or with a slash at the end.
  ///   - files: The paths of all files.
  ///   - others: What is there and is no file.
  ///   - check: Compares a file with what is listed of it.
  package static func verify(
    _ manifests: CopyFolder, name: String, homes: [String], files: [String], others: [String] = [],
    _ check: (MHLEntry) -> FileCheck.Outcome
  ) throws(ASCMHLError) -> CopyVerification {
    var result = CopyVerification(folder: name)
    var entries: [[UInt8]: MHLEntry] = [:]
    for prefix in homes {
      let history = try MHLHistory(manifests, prefix: prefix)
      result.manifestCount += history.manifestCount
      result.invalidManifests += history.problems
      for var entry in history.entries.values {
        entry.path = prefix + entry.path
        entries[Array(entry.path.utf8), default: entry].hashes
          .merge(entry.hashes) { first, _ in first }
      }
      for reference in history.references { result.check(reference, prefix, manifests) }
    }
    var mismatches: [FileCheck.Mismatch] = []
    lazy var present = Set(files.map(PathBytes.init))
    for entry in entries.values.sorted(by: { $0.path.isBefore($1.path) }) {
      switch check(entry) {
      case .whole: result.verifiedCount += 1
      case .mismatch(let mismatch): mismatches.append(mismatch)
      case .missing(let message):
        let backslashes = Self.backslashes(in: entry.path) { present.contains($0) }
        result.missing.append(.init(path: entry.path, message: message + backslashes))
      case .unknownFormats: result.unchecked.append(entry.path)
      case .refused(let message):
        result.damaged.append(.init(path: entry.path, message: message))
      }
    }
    result.judge(mismatches)
    result.unlisted = files.filter {
      entries[Array($0.utf8)] == nil && !$0.hasSuffix("/.DS_Store") && $0 != ".DS_Store"
    }
    result.unlisted += others.filter { entries[Array($0.utf8)] == nil }
    return result
  }

  /// What there is to say of a missing path that Windows may have written: here a backslash is a letter of
  /// a name as any other.
  private static func backslashes(
    in path: String, _ isPresent: (PathBytes) -> Bool
  ) -> String {
    guard path.utf8.contains(UInt8(ascii: "\\")) else { return "" }
    let file = path.replacing("\\", with: "/")
    return isPresent(PathBytes(file))
      ? "; the manifest has backslashes in place of slashes, so \(file), which is there, was not checked"
      : "; the manifest's path contains backslashes, which are not separators here"
  }

  private mutating func check(_ reference: MHLReference, _ prefix: String, _ copy: CopyFolder) {
    let path = prefix + reference.path
    do throws(ASCMHLError) {
      guard try copy.facts(path) != nil else {
        missing.append(.init(path: path, message: "is missing, with what it lists"))
        return
      }
      let file = try copy.open(path)
      guard try file.facts().isRegularFile else {
        invalidManifests.append(.init(path: path, message: "is not a file"))
        return
      }
      let c4 = C4Identifier.Stream()
      try file.forEachChunk { c4.add($0) }
      guard c4.identifier().map({ "\($0)" }) == reference.c4 else {
        invalidManifests.append(.init(path: path, message: "was changed since it was made"))
        return
      }
    } catch {
      invalidManifests.append(.init(path: path, message: error.message))
    }
  }

  /// Tells files that changed names from those whose bytes are nowhere any more.
  private mutating func judge(_ mismatches: [FileCheck.Mismatch]) {
    // By their hashes: of a hundred thousand changed files none is compared with all others.
    var places: [String: [Int]] = [:]
    for (index, mismatch) in mismatches.enumerated() {
      for hash in FileCheck.keys(mismatch.found) { places[hash, default: []].append(index) }
    }
    for mismatch in mismatches {
      let path = mismatch.entry.path
      let found = FileCheck.keys(mismatch.entry.hashes).compactMap { hash in
        places[hash]?.first { mismatches[$0].holds(mismatch.entry) }
      }
      if let place = found.min().map({ mismatches[$0] }) {
        renamed.append(.init(path: path, message: "is there under the name of \(place.entry.path)"))
      } else {
        damaged.append(.init(path: path, message: mismatch.message))
      }
    }
  }
}
