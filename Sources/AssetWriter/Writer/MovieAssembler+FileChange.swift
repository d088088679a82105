import MediaCore
import QuickTime

/// What others do to the file while it is written.
extension MovieAssembler {
  /// True where the file has the name that it was made for: one that replaces another takes it with
  /// its first fragment.
  var hasName: Bool { file.hasName }

  /// True where the file was taken away or emptied.
  var isLost: Bool { fileChange != nil && fileChange != .moved }

  /// Copies that were given up since the last look.
  func takeLostCopies() -> [MovieFileCopy] { lostCopies.take(from: file) }

  /// Looks once for each fragment whether others have touched the file.
  ///
  /// - Returns: What is new; nil for nothing.
  func noticeChange() -> SegmentFileChange? {
    guard let movie, movie.statistics.fragmentCount != fragmentsSeen else { return nil }
    fragmentsSeen = movie.statistics.fragmentCount
    if let change = nameChange(movie) { return change }
    let path = file.name
    guard let change = movie.noticeChange() else { return nil }
    fileChange = change
    var error: QuickTimeError?
    if change == .deleted || change == .replaced {
      do throws(QuickTimeError) { try movie.restoreFolder() } catch let failure { error = failure }
    }
    return SegmentFileChange(
      change: change, path: path, newPath: change == .moved ? file.name : nil, error: error)
  }

  /// A movie that could not take the place of the one that it was to replace has a name of its own.
  private func nameChange(_ movie: MovieWriter) -> SegmentFileChange? {
    guard !isNameErrorTold, let error = movie.nameError else { return nil }
    isNameErrorTold = true
    fileChange = fileChange ?? .moved
    return SegmentFileChange(change: .moved, path: file.name, newPath: file.name, error: error)
  }

  /// Takes up what the finish saw of the file.
  ///
  /// - Throws: Why a file that was deleted is nowhere.
  func settleFile(_ movie: MovieWriter, path: String) throws(QuickTimeError) {
    lastChange = nameChange(movie)
    if let change = movie.fileChange, change != fileChange || movie.restoreError != nil {
      fileChange = change
      lastChange = SegmentFileChange(
        change: change, path: path, newPath: change == .moved ? file.name : nil,
        error: movie.restoreError)
    }
    if let error = movie.restoreError { throw error }
  }
}
