package import MediaCore

/// A frame that somebody makes, on whatever thread. The first outcome counts; one waits for it.
package final class FramePromise: Sendable {
  /// The frame, or why there is none.
  package typealias Outcome = Result<PixelBuffer, any Error>

  private struct State {
    var outcome: Outcome?
    var continuation: CheckedContinuation<PixelBuffer, any Error>?
  }

  private let state = WaitableMutex(State())

  /// A frame that is yet to be made.
  package init() {}

  /// Says how it went.
  ///
  /// - Returns: False where that was said before: nothing has changed then.
  @discardableResult
  package func keep(_ outcome: Outcome) -> Bool {
    let (isFirst, continuation) = state.update { state in
      guard state.outcome == nil else {
        return (false, nil as CheckedContinuation<PixelBuffer, any Error>?)
      }
      state.outcome = outcome
      return (true, state.continuation.take())
    }
    continuation?.resume(with: outcome)
    return isFirst
  }

  /// The frame, once it is there.
  func frame() async throws -> PixelBuffer {
    try await withCheckedThrowingContinuation { continuation in
      let known = state.withLock { state in
        if state.outcome == nil { state.continuation = continuation }
        return state.outcome
      }
      if let known { continuation.resume(with: known) }
    }
  }

  /// The frame; blocks until it is there.
  func waitForFrame() throws -> PixelBuffer { try state.wait { $0.outcome }.get() }
}
