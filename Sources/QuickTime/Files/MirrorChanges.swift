import Synchronization

/// Changes to the files of a ``MirroredMovieFile`` by other programs, from their discovery by a file's thread until
/// they are reported. A slow disk may answer a check after the caller has stopped waiting.
final class MirrorChanges: Sendable {
  private struct State {
    /// Changes that are yet to be reported, by the files' indices.
    var unreported: [Int: MovieFileChange] = [:]
    /// The file of which was told that its name is gone.
    var reportedLoss: Int?
  }

  private let state = Mutex(State())

  /// Notes a change of a file.
  func note(_ change: MovieFileChange, of index: Int) {
    state.withLock { state in
      // What is gone stays gone, wherever it was moved before.
      if change == .moved, state.unreported[index] != nil { return }
      state.unreported[index] = change
    }
  }

  /// The change of a file to report, once; nil for none.
  func tell(of index: Int) -> MovieFileChange? {
    state.withLock { state in
      let change = state.unreported.removeValue(forKey: index)
      if let change, change != .moved { state.reportedLoss = index }
      return change
    }
  }

  /// How a file was lost, if that was not reported yet; nil if it was not lost.
  func unreportedLoss(of index: Int) -> MovieFileChange? {
    state.withLock { $0.unreported[index].flatMap { $0 == .moved ? nil : $0 } }
  }

  /// The index of the file whose lost name was reported; nil for none.
  var reportedLoss: Int? { state.withLock { $0.reportedLoss } }
}
