import MediaCore
import QuickTime

/// What others do to the file while it is written.
extension MovieAssembler {
  /// True where the file has the name that it was made for: one that replaces another takes it with
  /// its first fragment.
  var hasName: Bool { file.hasName }

  /// True where the file was taken away or emptied.
  var isLost: Bool { fileChange != nil && fileChange != .moved }

  /// Copies that were given up since the last call.
  func takeLostCopies() -> [MovieFileCopy] { lostCopies.take(from: file) }

  /// Checks once per fragment whether another program has touched the file.
  ///
  /// - Returns: What changed since the last call; nil if nothing did.
  func noticeChange() -> SegmentFileChange? {
    guard let movie, movie.statistics.fragmentCount != fragmentsSeen else { return nil }
    fragmentsSeen = movie.statistics.fragmentCount
    if let change = nameChange(movie) { return change }
    let path = file.name
    guard let change = movie.noticeChange() else { return nil }
    fileChange = change
    return .noticed(change, by: file, formerly: path) { () throws(QuickTimeError) in
      try movie.restoreFolder()
    }
  }

  /// Reports once that the file did not get the name it was made for.
  private func nameChange(_ movie: MovieWriter) -> SegmentFileChange? {
    guard !isNameErrorReported, let error = movie.nameError else { return nil }
    isNameErrorReported = true
    fileChange = fileChange ?? .moved
    return .keptName(file.name, after: error)
  }

  /// Adopts what ``MovieWriter`` noticed of the file while finishing it.
  ///
  /// - Throws: Why a deleted file could not be restored.
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
