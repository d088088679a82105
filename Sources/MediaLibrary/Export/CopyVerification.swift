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
  /// Files that are gone.
  public var missing: [Finding] = []
  /// Files that no manifest knows.
  public var unlisted: [String] = []
  /// Files whose hashes are of formats that are not known here.
  public var unchecked: [String] = []

  /// True where every file that is listed is there and whole.
  public var isSound: Bool { damaged.isEmpty && missing.isEmpty }

  /// Checks all files of a folder against the manifests in its `ascmhl` folder, whoever wrote them.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidManifest`` where there is none, or one was changed;
  ///   others where the folder cannot be read.
  public static func verify(folder: URL) throws(MediaLibraryError) -> CopyVerification {
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    let path = LibraryLayout(folder).root
    let history = try MHLHistory(folder: path, files: files)
    guard !history.generations.isEmpty else {
      throw MediaLibraryError(
        .invalidManifest, "\(path): has no ASC MHL manifest (\(MHLManifest.folderName) folder)")
    }
    var result = CopyVerification(folder: path, manifestCount: history.generations.count)
    for entry in history.entries.values.sorted(by: { $0.path < $1.path }) {
      try result.check(entry, files)
    }
    try result.findUnlisted(in: path, prefix: "", known: Set(history.entries.keys), files)
    return result
  }

  private mutating func check(
    _ entry: MHLEntry, _ files: LibraryFiles
  ) throws(MediaLibraryError) {
    // A manifest is a stranger's word: it may not lead out of the folder.
    let parts = entry.path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != ".." }) else {
      damaged.append(.init(path: entry.path, message: "leads out of the folder"))
      return
    }
    let path = folder + "/" + entry.path
    guard try files.status(path)?.isRegularFile == true else {
      missing.append(.init(path: entry.path, message: "is missing"))
      return
    }
    let wanted64 = entry.hashes["xxh64"]
    let wantedC4 = entry.hashes["c4"]
    guard wanted64 != nil || wantedC4 != nil else {
      unchecked.append(entry.path)
      return
    }
    let file = try files.open(path, O_RDONLY | O_NOFOLLOW)
    file.dropCache()
    let content = try FileCopy.run(file, takesC4: wantedC4 != nil)
    if let wanted64, "\(content.hash)" != wanted64.lowercased() {
      damaged.append(
        .init(path: entry.path, message: "its xxHash64 is \(content.hash), not \(wanted64)"))
    } else if let wantedC4, content.c4.map({ "\($0)" }) != wantedC4 {
      damaged.append(.init(path: entry.path, message: "its C4 identifier is another one"))
    } else {
      verifiedCount += 1
    }
  }

  private mutating func findUnlisted(
    in path: String, prefix: String, known: Set<String>, _ files: LibraryFiles
  ) throws(MediaLibraryError) {
    for name in try files.names(in: path)
    where name != ".DS_Store" && name != MHLManifest.folderName {
      let child = path + "/" + name
      if try files.status(child)?.isFolder == true {
        try findUnlisted(in: child, prefix: prefix + name + "/", known: known, files)
      } else if !known.contains(prefix + name) {
        unlisted.append(prefix + name)
      }
    }
  }
}
