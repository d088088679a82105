import Synchronization

/// Sends each event to all listeners, without waiting for any of them.
///
/// A listener that falls behind loses its oldest events, because the newest describe the present
/// state.
final class EventBroadcaster<Event: Sendable>: Sendable {
  private let state = Mutex(State())
  private let limit: Int

  private struct State: Sendable {
    var next: UInt64 = 0
    var listeners: [UInt64: AsyncStream<Event>.Continuation] = [:]
  }

  init(limit: Int = 256) { self.limit = limit }

  /// The events from now on.
  func listen() -> AsyncStream<Event> {
    AsyncStream(bufferingPolicy: .bufferingNewest(limit)) { continuation in
      let key = state.withLock { state in
        state.next += 1
        state.listeners[state.next] = continuation
        return state.next
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.listeners.removeValue(forKey: key) }
      }
    }
  }

  func send(_ event: Event) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield(event) }
  }

  /// Ends every listener's sequence.
  func finish() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }

  deinit { finish() }
}
