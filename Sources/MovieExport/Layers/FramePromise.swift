package import MediaCore

/// A frame that is being made, on any thread. The first outcome counts. Only one caller may wait
/// for it.
package final class FramePromise: Sendable {
  /// The frame, or the error.
  package typealias Outcome = Result<PixelBuffer, any Error>

  private struct State {
    var outcome: Outcome?
    var continuation: CheckedContinuation<PixelBuffer, any Error>?
  }

  private let state = WaitableMutex(State())

  /// Creates a promise without an outcome.
  package init() {}

  /// Sets the outcome.
  ///
  /// - Returns: False if the outcome was already set; it then stays unchanged.
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

  /// Waits for the frame.
  func frame() async throws -> PixelBuffer {
    try await withCheckedThrowingContinuation { continuation in
      let known = state.withLock { state in
        if state.outcome == nil { state.continuation = continuation }
        return state.outcome
      }
      if let known { continuation.resume(with: known) }
    }
  }

  /// Blocks until the frame is ready.
  func waitForFrame() throws -> PixelBuffer { try state.wait { $0.outcome }.get() }
}
