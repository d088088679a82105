import Synchronization

/// Frames requested from compositors, which any thread may cancel.
final class OutstandingFrames: Sendable {
  private struct Entry: Sendable {
    let frame: FramePromise
    let compositor: any FrameCompositor
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Requests a frame. After cancellation, it fails immediately.
  func start(_ request: CompositionRequest, by compositor: any FrameCompositor) {
    let isOpen = state.withLock { state in
      guard !state.isCancelled else { return false }
      state.entries.append(Entry(frame: request.frame, compositor: compositor))
      return true
    }
    guard isOpen else {
      request.frame.keep(.failure(CancellationError()))
      return
    }
    compositor.start(request)
  }

  /// Removes a frame that was delivered.
  func remove(_ frame: FramePromise) {
    state.withLock { state in state.entries.removeAll { $0.frame === frame } }
  }

  /// Cancels all frames: anyone waiting for one gets a `CancellationError`.
  func cancel() {
    let entries = state.withLock { state in
      state.isCancelled = true
      defer { state.entries = [] }
      return state.entries
    }
    for entry in entries {
      entry.frame.keep(.failure(CancellationError()))
      entry.compositor.cancel()
    }
  }
}
