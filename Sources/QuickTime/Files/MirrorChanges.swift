import Synchronization

/// What others did to the first file of a ``MirroredMovieFile``, from when its thread has seen it until it is
/// told: a disk that is behind answers a look when nobody waits for the answer any more.
final class MirrorChanges: Sendable {
  private struct State {
    /// What nobody was told of yet, by the files' places.
    var untold: [Int: MovieFileChange] = [:]
    /// The file of which was told that its name is gone.
    var toldLost: Int?
  }

  private let state = Mutex(State())

  /// Takes note of what was seen of a file.
  func note(_ change: MovieFileChange, of index: Int) {
    state.withLock { state in
      // What is gone stays gone, wherever it was moved before.
      if change == .moved, state.untold[index] != nil { return }
      state.untold[index] = change
    }
  }

  /// What is to be told of a file, once; nil for nothing.
  func tell(of index: Int) -> MovieFileChange? {
    state.withLock { state in
      let change = state.untold.removeValue(forKey: index)
      if let change, change != .moved { state.toldLost = index }
      return change
    }
  }

  /// How a file was lost of which nobody was told that; nil where it was not.
  func untoldLoss(of index: Int) -> MovieFileChange? {
    state.withLock { $0.untold[index].flatMap { $0 == .moved ? nil : $0 } }
  }

  /// The place of the file of which was told that its name is gone; nil where there is none.
  var toldLost: Int? { state.withLock { $0.toldLost } }
}
