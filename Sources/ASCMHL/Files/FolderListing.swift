import MediaCore
import SystemPackage

/// All that a folder holds, and the folders in it.
package struct FolderListing: Sendable {
  package struct File: Sendable, Hashable {
    /// The path from the folder on.
    package var path: String
    /// Bytes.
    package var size: Int64
    /// When the content changed last, in nanoseconds since 1970.
    package var modified: Int64
  }

  /// Regular files, by path; without those in folders of manifests.
  package private(set) var files: [File] = []
  /// Folders, by path; without folders of manifests.
  package private(set) var folders: [String] = []
  /// The folders that have manifests: empty, or with a slash at the end.
  package private(set) var homes: [String] = []
  /// The files in folders of manifests, by path.
  package private(set) var manifests: [File] = []
  /// What is neither a file nor a folder, cannot be read, is listed and not there, or has a name that is
  /// not UTF-8; in folders of manifests also folders.
  package private(set) var others: [CopyVerification.Finding] = []

  /// What the manifests of everybody leave out: what the Finder leaves behind.
  static let ignoredName = ".DS_Store"

  /// Lists a folder.
  ///
  /// - Throws: ``ASCMHLError`` where the folder itself cannot be listed; folders in it that cannot be
  ///   listed are among the ``others``.
  package init(_ folder: CopyFolder) throws(ASCMHLError) {
    try add("", of: folder)
    // A list and not recursion: a hostile folder may be deeper than the stack.
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

  /// What a folder lists and the system knows; what it lists and the system does not is among the
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
                "its folder lists it, and it is not there: it went meanwhile, or the disk is "
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
