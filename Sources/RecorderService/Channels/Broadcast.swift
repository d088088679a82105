import Synchronization

/// One source, any number of listeners. A listener that falls behind loses the oldest elements.
final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var next = 0
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
  }

  private let state = Mutex(State())
  private let depth: Int

  /// - Parameter depth: Elements that wait for a listener at most.
  init(depth: Int) { self.depth = depth }

  /// A sequence of the elements from now on.
  ///
  /// - Parameter first: The listener's first elements. It is called under the lock, so that later changes
  ///   arrive after them. It must not send.
  func listen(first: () -> [Element] = { [] }) -> AsyncStream<Element> {
    AsyncStream(bufferingPolicy: .bufferingNewest(depth)) { continuation in
      let number = state.withLock { state in
        for element in first() { continuation.yield(element) }
        state.next += 1
        state.listeners[state.next] = continuation
        return state.next
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
      }
    }
  }

  func send(_ element: Element) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield(element) }
  }
}
