import Dispatch
import MediaCore
import Synchronization

/// Independent pieces of work on all processors.
package enum ConcurrentWork {
  /// The results of `body` for 0 up to `count`, in order.
  ///
  /// - Parameters:
  ///   - makeWorker: Makes what one thread keeps from a piece to the next one.
  ///   - body: Called on any thread, each worker on one at a time.
  package static func map<Worker, Result: Sendable>(
    _ count: Int, worker makeWorker: @Sendable () -> Worker,
    _ body: @Sendable (Worker, Int) -> Result
  ) -> [Result] {
    guard count > 1, Processors.count > 1 else {
      let worker = makeWorker()
      return (0..<max(count, 0)).map { body(worker, $0) }
    }
    let next = Atomic(0)
    let finished = Mutex<[(Int, Result)]>([])
    DispatchQueue.concurrentPerform(iterations: min(Processors.count, count)) { _ in
      let worker = makeWorker()
      var mine: [(Int, Result)] = []
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { break }
        mine.append((index, body(worker, index)))
      }
      finished.withLock { $0 += mine }
    }
    return finished.withLock { $0 }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Calls `body` for each of some bands of rows that cover 0 up to `rows`.
  package static func bands(_ rows: Int, of height: Int, _ body: @Sendable (Range<Int>) -> Void) {
    let count = (rows + height - 1) / height
    _ = map(count, worker: {}) { _, index in
      body(index * height..<min((index + 1) * height, rows))
    }
  }
}
