import Dispatch
import Synchronization

/// A program's request for calls when samples can be enqueued. Calls are made one at a time while there is room.
final class MediaDataRequests: Sendable {
  private struct Request: Sendable {
    let queue: DispatchQueue
    let block: @Sendable () -> Void
    let number: Int
  }

  private struct State: Sendable {
    var request: Request?
    /// The number of requests so far, which numbers the next one.
    var count = 0
    var isAsking = false

    mutating func begin() -> Request? {
      guard !isAsking, let request else { return nil }
      isAsking = true
      return request
    }
  }

  private let state = Mutex(State())

  /// Makes ``ask(again:ifRoom:)`` call `block` on a queue from now on, replacing the previous block.
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
    // Released outside the lock because deinitializers of captured objects may call the renderer.
    _ = state.withLock { $0.request.take() }
  }

  /// Calls the block if there is room, and checks again a few milliseconds after it has returned.
  ///
  /// - Parameters:
  ///   - queue: The queue for the next check.
  ///   - hasRoom: True if there is room for samples.
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
