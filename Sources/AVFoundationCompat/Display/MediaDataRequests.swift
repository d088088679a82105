import Dispatch
import Synchronization

/// A program's request to be called for samples, and the calls, one at a time while there is room.
final class MediaDataRequests: Sendable {
  private struct Request: Sendable {
    let queue: DispatchQueue
    let block: @Sendable () -> Void
    let number: Int
  }

  private struct State: Sendable {
    var request: Request?
    /// Requests that there were, for their numbers.
    var count = 0
    var isAsking = false

    mutating func begin() -> Request? {
      guard !isAsking, let request else { return nil }
      isAsking = true
      return request
    }
  }

  private let state = Mutex(State())

  /// Calls `block` on a queue from the next ``ask(again:ifRoom:)`` on, in place of the block before.
  func begin(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
    _ = state.withLock { state in
      defer {
        state.count += 1
        state.request = Request(queue: queue, block: block, number: state.count)
      }
      return state.request
    }
  }

  /// Ends the calls.
  func end() {
    // The end of what a block holds may call the renderer: it comes outside of the lock.
    _ = state.withLock { $0.request.take() }
  }

  /// Calls the block if there is room, and, a few milliseconds after it has returned, again.
  ///
  /// - Parameters:
  ///   - queue: Where room is looked for again.
  ///   - hasRoom: True if samples should come.
  func ask(again queue: DispatchQueue, ifRoom hasRoom: @escaping @Sendable () -> Bool) {
    guard hasRoom(), let request = state.withLock({ $0.begin() }) else { return }
    request.queue.async { [weak self] in
      if self?.isCurrent(request) == true { request.block() }
      queue.asyncAfter(deadline: .now() + .milliseconds(5)) { [weak self] in
        self?.state.withLock { $0.isAsking = false }
        self?.ask(again: queue, ifRoom: hasRoom)
      }
    }
  }

  private func isCurrent(_ request: Request) -> Bool {
    state.withLock { $0.request?.number == request.number }
  }
}
