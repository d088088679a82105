import Synchronization

/// Counts the pixel buffers of one reader that are still in use.
package final class FrameLedger: Sendable {
  private struct State {
    var outstanding = 0
    var onReturn: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// The number of pixel buffers handed out and not yet released.
  package var outstanding: Int { state.withLock { $0.outstanding } }

  /// Sets a handler that is called, on any thread, each time a pixel buffer is released.
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
