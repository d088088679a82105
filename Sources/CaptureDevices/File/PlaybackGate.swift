import MediaCore

/// Where a playing thread waits: for a monotonic time, for a buffer to come back, for the end.
final class PlaybackGate: Sendable {
  private struct State {
    var isStopped = false
    var isSignalled = false
  }

  private let shared = WaitableMutex(State())

  /// True once ``stop()`` was called.
  var isStopped: Bool { shared.withLock { $0.isStopped } }

  /// Ends all waiting for good.
  func stop() { shared.update { $0.isStopped = true } }

  /// Ends the present or the next ``waitForSignal(until:)``.
  func signal() { shared.update { $0.isSignalled = true } }

  /// Waits for a time, or the end.
  func wait(until deadline: Int64) {
    _ = shared.wait(deadline: deadline) { $0.isStopped ? true : nil }
  }

  /// Waits for a signal, a time, or the end.
  func waitForSignal(until deadline: Int64) {
    _ = shared.wait(deadline: deadline) { $0.isStopped || $0.isSignalled ? true : nil }
    shared.withLock { $0.isSignalled = false }
  }
}
