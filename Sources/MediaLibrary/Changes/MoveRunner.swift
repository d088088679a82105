import Glibc
import MediaCore
import SystemPackage

/// Brings the files of a journal entry to their places, all of them or none.
struct MoveRunner {
  let layout: LibraryLayout
  let files: LibraryFiles

  /// Runs moves. Where one fails, those that were run before it are taken back. One that was found done
  /// stays done: it may be of a change that was complete long ago, and its file the only one.
  ///
  /// - Parameter isReplay: True where some of them may have been done before.
  /// - Throws: The failure; ``Failure/isUndone`` says whether all is as it was.
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

  /// Takes moves back that were run.
  ///
  /// - Returns: false where that failed.
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

  /// Why moves did not come about, and whether those that did were taken back.
  struct Failure: Error {
    var error: MediaLibraryError
    var isUndone: Bool
  }

  /// - Returns: False where it was done before.
  private func run(
    _ move: JournalEntry.Move, from: String, to: String, isReplay: Bool
  ) throws(MediaLibraryError) -> Bool {
    // What was staged a moment ago nobody else has touched.
    var isUnchanged = !isReplay && !move.from.isAbsolutePath
    if !isUnchanged {
      isUnchanged = try files.holds(move.status, at: from, afterRestart: isReplay)
    }
    guard isUnchanged else {
      if isReplay, try files.holds(move.status, at: to, afterRestart: true) { return false }
      throw MediaLibraryError(
        .fileChanged, "\(from): changed or went while it was taken in; try again")
    }
    let isRenamed: Bool
    do throws(MediaLibraryError) { isRenamed = try files.rename(from, to: to) } catch {
      // Disks of other systems, which do not say which names they take.
      guard error.errno == .invalidArgument || error.errno == .illegalByteSequence else {
        throw error
      }
      throw NameRules.refusal(of: LibraryFiles.name(to))
    }
    guard isRenamed else {
      throw MediaLibraryError(.ioFailed, "\(to): somebody put a file there; try again")
    }
    return true
  }

  /// Makes `2026/11`, as far as it is missing.
  private func makeFolder(_ relative: String) throws(MediaLibraryError) {
    var path = layout.root
    for part in relative.pathParts() {
      let parent = path
      path += "/" + part
      if try files.makeFolder(path) { try files.synchronizeFolder(parent) }
    }
  }
}
