import ASCMHL
import FoundationEssentials
import MediaCore

/// The files that a user named, with their sidecars and the names that they get.
struct LocalFiles {
  struct File {
    /// The path as the user would write it.
    var path: String
    var item: RemoteCopy.Item
  }

  /// Other files first, then documents, so that a sidecar or record exists in the store only after
  /// what it describes.
  private(set) var files: [File] = []
  /// Files that cannot be sent.
  private(set) var failures: [TransferFailure] = []
  /// The number of files skipped because a name begins with a dot.
  private(set) var hiddenCount = 0

  /// Finds the files.
  ///
  /// - Throws: ``ObjectStorageError/Code/sourceFailed`` for a path that does not exist, and
  ///   ``ObjectStorageError/Code/invalidArgument`` for two files that would get the same name.
  init(_ paths: [String]) throws(ObjectStorageError) {
    for path in paths {
      var full = URL(filePath: path).absoluteURL.standardizedFileURL.path
      while full.count > 1, full.hasSuffix("/") { full.removeLast() }
      let (parent, name) = CopyFolder.split(full)
      guard !name.isEmpty else {
        throw ObjectStorageError(.invalidArgument, "\(path): has no name; name a folder in it")
      }
      do throws(ASCMHLError) {
        let folder = try CopyFolder(parent.count > 1 ? String(parent.dropLast()) : parent)
        guard let facts = try folder.facts(name) else {
          throw ASCMHLError(.fileNotFound, "\(path): no such file or folder")
        }
        if facts.isFolder {
          try add(folder: full, as: name, shown: path)
        } else if facts.isRegularFile {
          add(name, in: folder, facts, shown: path)
          try addSidecar(of: name, in: folder, shown: path)
        } else {
          failures.append(
            TransferFailure(
              path: path, ObjectStorageError(.sourceFailed, "\(path): is neither file nor folder")))
        }
      } catch { throw ObjectStorageError(error) }
    }
    try arrange()
  }

  private mutating func add(
    _ name: String, in folder: CopyFolder, _ facts: FileFacts, shown: String
  ) {
    files.append(
      File(
        path: shown,
        item: .init(
          path: name,
          source: .init(name, in: folder, size: facts.size, modified: facts.modified),
          isListed: false)))
  }

  private mutating func addSidecar(
    of name: String, in folder: CopyFolder, shown: String
  ) throws(ASCMHLError) {
    let sidecar = name + SidecarDigest.suffix
    guard let facts = try folder.facts(sidecar), facts.isRegularFile,
      (try? SidecarDigest(of: name, in: folder)) != nil
    else { return }
    add(sidecar, in: folder, facts, shown: shown + SidecarDigest.suffix)
  }

  private mutating func add(
    folder path: String, as name: String, shown: String
  ) throws(ASCMHLError) {
    let folder = try CopyFolder(path)
    let listing = try FolderListing(folder)
    let prefix = shown.hasSuffix("/") ? shown : shown + "/"
    for file in listing.files + listing.manifests {
      // Incomplete files, such as parts and fetched files, have names that begin with a dot.
      guard !Self.isHidden(file.path) else {
        hiddenCount += 1
        continue
      }
      files.append(
        File(
          path: prefix + file.path,
          item: .init(
            path: name + "/" + file.path, source: .init(file, in: folder), isListed: false)))
    }
    failures += listing.others.filter { !Self.isHidden($0.path) }.map {
      TransferFailure(
        path: prefix + $0.path,
        ObjectStorageError(.sourceFailed, "\(prefix)\($0.path): \($0.message)"))
    }
  }

  private static func isHidden(_ path: String) -> Bool {
    path.pathParts().contains { $0.utf8.first == UInt8(ascii: ".") }
  }

  /// Puts documents last, and removes duplicates.
  private mutating func arrange() throws(ObjectStorageError) {
    var places: [[UInt8]: String] = [:]
    var kept: [File] = []
    for file in files {
      let place = file.item.source.folder.path(of: file.item.source.path)
      if let other = places.updateValue(place, forKey: Array(file.item.path.utf8)) {
        if other == place { continue }
        throw ObjectStorageError(
          .invalidArgument,
          "\(other) and \(place) would get the same name, \(file.item.path); send them separately")
      }
      kept.append(file)
    }
    let isDocument = { (file: File) in file.item.path.hasSuffix(SidecarDigest.suffix) }
    files = kept.filter { !isDocument($0) } + kept.filter(isDocument)
  }
}
