import Glibc
import MediaCore

/// Files in the staging folder that belong to journaled changes which could not be completed,
/// because another file or asset has taken their place. They may be the only copies, so they are
/// moved to where the user can find them. The caller holds the library's lock.
struct DecidedFiles {
  let layout: LibraryLayout
  let files: LibraryFiles

  /// Moves files that are in the journal, but still in the staging folder, into a separate folder.
  ///
  /// - Parameter time: Seconds since 1970.
  /// - Returns: A message for each file, with its new place.
  func keep(at time: Double) throws(MediaLibraryError) -> [String] {
    guard try hasLeftovers() else { return [] }
    var folder: String?
    var problems: [String] = []
    _ = try Journal(path: layout.journal, files: files).read {
      entry, _ throws(MediaLibraryError) in
      for move in entry.moves where !move.from.isAbsolutePath {
        guard let from = try? layout.path(of: move.from, files: files),
          try files.status(from)?.isRegularFile == true
        else { continue }
        if folder == nil {
          folder = try files.freePath(layout.hidden + "/uncompleted", at: time)
        }
        guard let folder else { continue }
        let path = try keep(from, as: move.to, in: folder)
        problems.append(
          "\(move.to): change \(entry.sequence) could not move it into place; it is kept as \(path)"
        )
      }
      return true
    }
    return problems
  }

  /// True if a process that has ended left files in the staging folder. Files of a running change
  /// do not count, so that nobody searches the journal for them during a long import.
  private func hasLeftovers() throws(MediaLibraryError) -> Bool {
    // The target of a symbolic link does not belong to the library.
    guard try files.status(layout.staging)?.isFolder == true else { return false }
    for name in try files.names(in: layout.staging) {
      let path = layout.staging + "/" + name
      guard let folder = try? files.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
        try folder.lock(waits: false)
      else { continue }
      if try files.holdsFiles(path) { return true }
    }
    return false
  }

  /// - Returns: The file's new path.
  private func keep(
    _ from: String, as place: String, in folder: String
  ) throws(MediaLibraryError) -> String {
    let first = folder + "/" + place
    let parent = LibraryFiles.parent(first)
    try makeFolders(to: parent)
    let name = FileName(LibraryFiles.name(first))
    var number = 1
    var path = first
    while try !files.rename(from, to: path) {
      number += 1
      path = parent + "/" + name.numbered(number, beside: name).text
    }
    try files.synchronizeFolder(parent)
    return path
  }

  private func makeFolders(to path: String) throws(MediaLibraryError) {
    guard path != layout.hidden else { return }
    try makeFolders(to: LibraryFiles.parent(path))
    if try files.makeFolder(path) { try files.synchronizeFolder(LibraryFiles.parent(path)) }
  }
}
