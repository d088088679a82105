import FoundationEssentials
import Glibc
import MediaCore
import SystemPackage

/// What a change takes from outside the library: files that are moved into it, and files that are
/// removed once their copies are in it.
struct OutsideFiles: Decodable, Sendable, Hashable, JSONObject {
  /// The library's folder, without links.
  var library: String
  var moves: [JournalEntry.Move]
  var unlinks: [JournalEntry.Unlink]

  func write(to json: inout JSONText) {
    json.add("library", library)
    json.add("moves", moves)
    json.add("unlinks", unlinks)
  }

  /// True if this lists everything that an entry takes from outside.
  func cover(_ entry: JournalEntry) -> Bool {
    Set(moves).isSuperset(of: entry.outsideMoves)
      && Set(unlinks).isSuperset(of: entry.outsideUnlinks)
  }
}

/// The user's private notes of pending changes that take files from outside a library.
///
/// A library can come from a stranger, and so can every line of its journal. So after a crash, a
/// line that names files outside the library is only completed if this user's own process had noted
/// the same files beforehand, in a private place: a file in `~/.local/state/recordctl/moves`, whose
/// random name is in the line. The note is removed when the change is complete, so that an old line
/// has no effect. It also names the library's folder, so that the line has no effect in a copy of
/// the library elsewhere, on another machine or for another user.
struct OutsideNotes: Sendable {
  private let user: LibraryUser
  private let files: LibraryFiles
  private var folder: String { user.state + "/moves" }
  private static let sizeLimit = Journal.longestLine

  init(user: LibraryUser, calls: any LibraryFileCalls) {
    self.user = user
    files = LibraryFiles(calls: calls)
  }

  /// Writes a note and flushes it to the disk.
  ///
  /// - Returns: Its name.
  /// - Throws: ``MediaLibraryError`` if it cannot be written; nothing may be taken then.
  func write(_ note: OutsideFiles) throws(MediaLibraryError) -> String {
    try makeFolder()
    let name = AssetIdentifier.random()
    do throws(MediaLibraryError) {
      try files.write(JSONText.bytes(note), to: path(name), mode: 0o600, synchronizes: true)
      try files.synchronizeFolder(folder)
    } catch {
      remove(name)
      throw error
    }
    return name
  }

  /// Checks that notes can be written.
  ///
  /// - Throws: ``MediaLibraryError`` with the remedy.
  func checkWriting() throws(MediaLibraryError) {
    try makeFolder()
    guard access(folder, W_OK | X_OK) == 0 else {
      throw .system("write notes of moved files into", folder, Errno(rawValue: errno))
    }
  }

  /// The note with a name; nil if it does not exist, or is not this user's own.
  func note(_ name: String) throws(MediaLibraryError) -> OutsideFiles? {
    guard AssetIdentifier.isValid(name), let status = try files.ownership(path(name)),
      status.isRegularFile, user.stranger(status) == nil
    else { return nil }
    let bytes = try files.contents(of: path(name), limit: Self.sizeLimit)
    return try? JSONDecoder().decode(OutsideFiles.self, from: Data(bytes))
  }

  /// True if this user's own note lists everything that an entry takes from outside.
  ///
  /// - Parameter library: The library's folder, without links.
  func cover(_ entry: JournalEntry, of library: String) throws(MediaLibraryError) -> Bool {
    guard let name = entry.note, let note = try note(name) else { return false }
    return note.library == library && note.cover(entry)
  }

  /// True if there are notes for a library: a change to it is in progress, or was interrupted.
  func hasAny(of library: String) -> Bool { !names(of: library).isEmpty }

  /// Removes a note. A note that remains is harmless.
  func remove(_ name: String) {
    guard AssetIdentifier.isValid(name) else { return }
    try? files.remove(path(name))
  }

  /// Removes a library's obsolete notes. The caller holds its lock.
  func removeAll(of library: String, except needed: Set<String>) {
    for name in names(of: library) where !needed.contains(name) { remove(name) }
  }

  private func names(of library: String) -> [String] {
    ((try? files.names(in: folder)) ?? []).filter { $0.hasSuffix(".json") }
      .map { String($0.dropLast(5)) }
      .filter { name in (try? note(name))??.library == library }
  }

  private func path(_ name: String) -> String { folder + "/" + name + ".json" }

  private func makeFolder() throws(MediaLibraryError) {
    if let status = try files.ownership(folder) {
      if let reason = user.stranger(status) {
        throw MediaLibraryError(
          .accessDenied,
          "\(folder): \(reason), so no file can be moved into a library; take ownership of it "
            + "(mode 0700), or copy the file")
      }
      return
    }
    do throws(MediaLibraryError) {
      try files.makeFolders(user.state)
      try files.makeFolder(folder, mode: 0o700)
      try files.synchronizeFolder(user.state)
    } catch {
      throw MediaLibraryError(
        error.code,
        "\(error.message); to move files into a library, name another folder with XDG_STATE_HOME",
        from: error)
    }
  }
}
