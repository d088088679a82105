public import FoundationEssentials
import Glibc
import MediaCore

/// The result of checking a copy against its ASC MHL manifests.
public struct CopyVerification: Sendable, Hashable, Codable {
  /// A difference from the manifests.
  public struct Finding: Sendable, Hashable, Codable {
    /// The path relative to the folder.
    public var path: String
    /// What is wrong.
    public var message: String

    public init(path: String, message: String) {
      self.path = path
      self.message = message
    }
  }

  public var folder: String
  /// The number of manifests that were read.
  public var manifestCount = 0
  /// The number of files with the listed bytes.
  public var verifiedCount = 0
  /// Manifests and chains that are missing, unreadable or altered. Files are still checked against
  /// what can be read of them, but such a copy is not sound.
  public var invalidManifests: [Finding] = []
  /// Files with other bytes than listed, or that cannot be read.
  public var damaged: [Finding] = []
  /// Files that exist intact, but under the name of another one.
  public var renamed: [Finding] = []
  /// Listed files that do not exist.
  public var missing: [Finding] = []
  /// Files that no manifest lists.
  public var unlisted: [String] = []
  /// Files that could not be compared, such as those whose hashes have unknown formats.
  public var unchecked: [String] = []

  /// Creates a report without findings.
  package init(folder: String) { self.folder = folder }

  /// True if every listed file exists under its name, was checked and is intact, and the manifests
  /// are those that the chain lists.
  public var isSound: Bool {
    invalidManifests.isEmpty && damaged.isEmpty && renamed.isEmpty && missing.isEmpty
      && unchecked.isEmpty
  }

  /// Checks all files of a folder against the manifests in its `ascmhl` folder and in those of
  /// nested folders, whichever program wrote them.
  ///
  /// Manifests are untrusted input: nothing outside the folder is read, neither through a path that
  /// leads out of it nor through a symbolic link.
  ///
  /// - Throws: ``ASCMHLError/Code/invalidManifest`` if the folder has no manifest at all; other
  ///   errors if it cannot be read.
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

  /// Checks files that may be stored elsewhere than their manifests.
  ///
  /// - Parameters:
  ///   - manifests: The folder with the manifests.
  ///   - name: The copy's name in the report.
  ///   - homes: The folders that have manifests; each path is empty or ends with a slash.
  ///   - files: The paths of all files.
  ///   - others: The paths of items that are not files.
  ///   - check: Compares a file with its entry.
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

  /// An addition to the message about a missing path that was probably written on Windows; on
  /// Linux, a backslash is an ordinary character.
  private static func backslashes(
    in path: String, _ isPresent: (PathBytes) -> Bool
  ) -> String {
    guard path.utf8.contains(UInt8(ascii: "\\")) else { return "" }
    let file = path.replacing("\\", with: "/")
    return isPresent(PathBytes(file))
      ? "; the manifest has backslashes instead of slashes, so \(file), which exists, was not checked"
      : "; the manifest's path contains backslashes, which are not separators here"
  }

  private mutating func check(_ reference: MHLReference, _ prefix: String, _ copy: CopyFolder) {
    let path = prefix + reference.path
    do throws(ASCMHLError) {
      guard try copy.facts(path) != nil else {
        missing.append(
          .init(path: path, message: "is missing, so the files that it lists are not checked"))
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
        invalidManifests.append(.init(path: path, message: "has changed since it was created"))
        return
      }
    } catch {
      invalidManifests.append(.init(path: path, message: error.message))
    }
  }

  /// Separates renamed files from those whose bytes no longer exist anywhere.
  private mutating func judge(_ mismatches: [FileCheck.Mismatch]) {
    // Looked up by hash, so that a hundred thousand changed files are not each compared with all
    // others.
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
        renamed.append(.init(path: path, message: "exists under the name of \(place.entry.path)"))
      } else {
        damaged.append(.init(path: path, message: mismatch.message))
      }
    }
  }
}
