import Glibc
import MediaCore
import SystemPackage

/// Moves the files of a journal entry to their places: all of them or none.
struct MoveRunner {
  let layout: LibraryLayout
  let files: LibraryFiles

  /// Runs moves. If one fails, earlier ones are undone. A move that was found already done is not:
  /// its change may have been complete long ago, and its file may be the only copy.
  ///
  /// - Parameter isReplay: True if some moves may already have been done.
  /// - Throws: The failure; ``Failure/isUndone`` tells whether everything is as it was.
  func run(_ moves: [JournalEntry.Move], isReplay: Bool) throws(Failure) {
    var done: [JournalEntry.Move] = []
    var places = CheckedPlaces(layout: layout, files: files)
    do throws(MediaLibraryError) {
      var folders: Set<String> = []
      for move in moves {
        let to = try places.path(of: move.to)
        let folder = LibraryFiles.parent(move.to)
        if folders.insert(folder).inserted { try makeFolder(folder) }
        if try run(move, from: places.place(move.from), to: to, isReplay: isReplay) {
          done.append(move)
        }
      }
      for folder in folders.sorted() {
        try files.synchronizeFolder(layout.root + "/" + folder)
      }
    } catch {
      throw Failure(error: error, isUndone: takeBack(done))
    }
  }

  /// Undoes moves.
  ///
  /// - Returns: False if that failed.
  func takeBack(_ moves: [JournalEntry.Move]) -> Bool {
    var isUndone = true
    for move in moves.reversed() {
      do throws(MediaLibraryError) {
        let from = try layout.place(move.from, files)
        let to = try layout.path(of: move.to, files: files)
        isUndone = try files.rename(to, to: from) && isUndone
      } catch { isUndone = false }
    }
    return isUndone
  }

  /// Why moves failed, and whether the completed ones were undone.
  struct Failure: Error {
    var error: MediaLibraryError
    var isUndone: Bool
  }

  /// - Returns: False if it had already been done.
  private func run(
    _ move: JournalEntry.Move, from: String, to: String, isReplay: Bool
  ) throws(MediaLibraryError) -> Bool {
    // Nobody else has touched what was staged just now.
    var isUnchanged = !isReplay && !move.from.isAbsolutePath
    if !isUnchanged {
      isUnchanged = try files.holds(move.status, at: from, afterRestart: isReplay)
    }
    guard isUnchanged else {
      if isReplay, try files.holds(move.status, at: to, afterRestart: true) { return false }
      throw MediaLibraryError(
        .fileChanged, "\(from): changed or disappeared while it was being added; try again")
    }
    let isRenamed: Bool
    do throws(MediaLibraryError) { isRenamed = try files.rename(from, to: to) } catch {
      // File systems of other operating systems do not report which names they accept.
      guard error.errno == .invalidArgument || error.errno == .illegalByteSequence else {
        throw error
      }
      throw NameRules.refusal(of: LibraryFiles.name(to))
    }
    guard isRenamed else {
      throw MediaLibraryError(.ioFailed, "\(to): another process created this file; try again")
    }
    return true
  }

  /// Creates the missing parts of a folder such as `2026/11`.
  private func makeFolder(_ relative: String) throws(MediaLibraryError) {
    var path = layout.root
    for part in relative.pathParts() {
      let parent = path
      path += "/" + part
      if try files.makeFolder(path) { try files.synchronizeFolder(parent) }
    }
  }
}
