import ASCMHL
import MediaCore

/// A destination folder for copies.
struct CopyDestination: Sendable {
  let path: String
  /// The disk that holds the folder, or would hold it.
  let disk: Disk?

  init(_ path: String) {
    self.path = path
    disk = Disk(holding: path)
  }

  /// Makes sure that the folder exists.
  ///
  /// - Parameter creates: True to create a missing folder.
  /// - Throws: ``MediaLibraryError/Code/fileNotFound`` if it is missing,
  ///   ``MediaLibraryError/Code/invalidPath`` if the path is not a folder, and system errors.
  func prepare(creates: Bool, _ files: LibraryFiles) throws(MediaLibraryError) {
    if let status = try files.status(files.resolved(path)) {
      guard status.isFolder else {
        throw MediaLibraryError(.invalidPath, "\(path): is not a folder; name a folder")
      }
      return
    }
    guard creates else {
      let place = disk.map { " on \($0.description)" } ?? ""
      throw MediaLibraryError(
        .fileNotFound,
        "\(path): no such folder; mount its disk, or allow it to be created\(place)")
    }
    do throws(MediaLibraryError) { try files.makeFolders(path) } catch {
      throw error.naming(folder: path)
    }
  }

  /// Checks that no two destinations are the same folder.
  ///
  /// - Parameter areLastCopies: True if the originals are deleted afterwards: two copies on one
  ///   disk then count as one, because they are lost together.
  /// - Throws: ``MediaLibraryError/Code/invalidPath``.
  static func checkApart(
    _ destinations: [CopyDestination], areLastCopies: Bool, _ files: LibraryFiles
  ) throws(MediaLibraryError) {
    for (index, one) in destinations.enumerated() {
      for other in destinations[..<index] {
        let isOneFolder = isOne(try folder(one.path, files), try folder(other.path, files))
        if isOneFolder || files.resolved(one.path) == files.resolved(other.path) {
          throw MediaLibraryError(
            .invalidPath,
            "\(one.path) and \(other.path) are the same folder, which would hold one copy; name each "
              + "folder once")
        }
        guard areLastCopies, let disk = one.disk, let second = other.disk, disk.isSame(as: second)
        else { continue }
        throw MediaLibraryError(
          .invalidPath,
          "\(one.path) and \(other.path) are on the same disk (\(disk.description)) and count as one "
            + "copy, so nothing is deleted; name a folder on another disk, or keep the originals")
      }
    }
  }

  private static func isOne(_ one: FileStatus?, _ other: FileStatus?) -> Bool {
    guard let one, let other else { return false }
    return (one.device, one.inode) == (other.device, other.inode)
  }

  private static func folder(
    _ path: String, _ files: LibraryFiles
  ) throws(MediaLibraryError) -> FileStatus? { try files.status(files.resolved(path)) }
}
