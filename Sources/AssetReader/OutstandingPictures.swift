import Synchronization

/// Counts the pictures of one reader that somebody still holds.
package final class OutstandingPictures: Sendable {
  private struct State {
    var outstanding = 0
    var onReturn: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Pictures that were handed out and have not come back.
  package var outstanding: Int { state.withLock { $0.outstanding } }

  /// Asks to be told, on any thread, each time a picture comes back.
  package func setOnReturn(_ handler: (@Sendable () -> Void)?) {
    state.withLock { $0.onReturn = handler }
  }

  func claim() { state.withLock { $0.outstanding += 1 } }

  func give() {
    let handler = state.withLock { state in
      state.outstanding -= 1
      return state.onReturn
    }
    handler?()
  }
}
