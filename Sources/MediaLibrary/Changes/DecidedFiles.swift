import Glibc
import MediaCore

/// Files in the staging folder of changes that were decided and could not be completed: another file was
/// put in their place, or an asset has it. Nobody else may have what is in them, so they are kept where
/// the user finds them. For the holder of the library's lock.
struct DecidedFiles {
  let layout: LibraryLayout
  let files: LibraryFiles

  /// Moves what the journal has added, and what is still in the staging folder, into a separate folder.
  ///
  /// - Parameter time: Seconds since 1970.
  /// - Returns: What was kept, and where.
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
          "\(move.to): change \(entry.sequence) could not bring it to its place; it is kept as \(path)"
        )
      }
      return true
    }
    return problems
  }

  /// True if a process that has ended left files in the staging folder. Files of a change under way don't count, so
  /// that nobody has to search the journal for them during hours of an import.
  private func hasLeftovers() throws(MediaLibraryError) -> Bool {
    // Whatever a link leads to is not the library's.
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

  /// - Returns: Where the file is now.
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
