import MediaCore
import SystemPackage

/// Everything in a folder and its subfolders.
package struct FolderListing: Sendable {
  package struct File: Sendable, Hashable {
    /// The path relative to the folder.
    package var path: String
    /// In bytes.
    package var size: Int64
    /// The modification time in nanoseconds since 1970.
    package var modified: Int64
  }

  /// Regular files, sorted by path, without those in manifest folders.
  package private(set) var files: [File] = []
  /// Subfolders, sorted by path, without manifest folders.
  package private(set) var folders: [String] = []
  /// The folders that have manifests; each path is empty or ends with a slash.
  package private(set) var homes: [String] = []
  /// The files in manifest folders, sorted by path.
  package private(set) var manifests: [File] = []
  /// Items that are neither files nor folders, cannot be read, are listed but do not exist, or have
  /// a name that is not UTF-8; in manifest folders also subfolders.
  package private(set) var others: [CopyVerification.Finding] = []

  /// Written by the Finder, and excluded from manifests.
  static let ignoredName = ".DS_Store"

  /// Lists a folder.
  ///
  /// - Throws: ``ASCMHLError`` if the folder itself cannot be listed. Subfolders that cannot be
  ///   listed are among the ``others``.
  package init(_ folder: CopyFolder) throws(ASCMHLError) {
    try add("", of: folder)
    // A work list instead of recursion: a maliciously deep folder could overflow the stack.
    var next = 0
    while next < folders.count {
      let path = folders[next]
      next += 1
      do throws(ASCMHLError) { try add(path, of: folder) } catch {
        others.append(.init(path: path, message: error.message))
      }
    }
    files.sort { $0.path.isBefore($1.path) }
    folders.sort { $0.isBefore($1) }
    homes.sort { $0.isBefore($1) }
    manifests.sort { $0.path.isBefore($1.path) }
    others.sort { $0.path.isBefore($1.path) }
  }

  private mutating func add(_ parent: String, of folder: CopyFolder) throws(ASCMHLError) {
    let prefix = parent.isEmpty ? "" : parent + "/"
    for (name, facts) in try entries(of: prefix, parent, in: folder) {
      let path = prefix + name
      if facts.isRegularFile {
        files.append(File(path: path, size: facts.size, modified: facts.modified))
      } else if facts.isFolder, name == MHLManifest.folderName {
        homes.append(prefix)
        do throws(ASCMHLError) { try addManifests(path, of: folder) } catch {
          others.append(.init(path: path, message: error.message))
        }
      } else if facts.isFolder {
        folders.append(path)
      } else {
        others.append(.init(path: path, message: Self.objection(to: facts)))
      }
    }
  }

  private mutating func addManifests(
    _ home: String, of folder: CopyFolder
  ) throws(ASCMHLError) {
    for (name, facts) in try entries(of: home + "/", home, in: folder) {
      let path = home + "/" + name
      if facts.isRegularFile {
        manifests.append(File(path: path, size: facts.size, modified: facts.modified))
      } else {
        others.append(.init(path: path, message: Self.objection(to: facts)))
      }
    }
  }

  /// The entries of a folder with their status. An entry without a status is added to the
  /// ``others``: a damaged disk must not look like one with fewer files.
  private mutating func entries(
    of prefix: String, _ parent: String, in folder: CopyFolder
  ) throws(ASCMHLError) -> [(name: String, facts: FileFacts)] {
    var entries: [(name: String, facts: FileFacts)] = []
    for bytes in try folder.rawNames(in: parent) {
      guard let name = String(validating: bytes, as: UTF8.self) else {
        let path = prefix + String(decoding: bytes, as: UTF8.self)
        others.append(.init(path: path, message: "its name is not UTF-8; rename it"))
        continue
      }
      do throws(ASCMHLError) {
        if let facts = try folder.facts(prefix + name) {
          entries.append((name, facts))
        } else {
          others.append(
            .init(
              path: prefix + name,
              message:
                "its folder lists it, but it does not exist: it was removed meanwhile, or the disk is "
                + "damaged"))
        }
      } catch {
        others.append(.init(path: prefix + name, message: error.message))
      }
    }
    return entries
  }

  private static func objection(to facts: FileFacts) -> String {
    let what =
      facts.isFolder ? "a folder" : facts.isSymbolicLink ? "a link" : "a device or a pipe"
    return "is \(what), not a file"
  }
}
