import Dispatch
import Synchronization

/// Independent pieces of work on all processors; the caller waits for the last of them.
package enum ConcurrentMap {
  /// How many threads work on what is asked for here; nil for one for each processor.
  @TaskLocal package static var threadLimit: Int?

  /// What `body` makes of the numbers below `count`, in their order.
  package static func map<Output: Sendable>(
    _ count: Int, _ body: @Sendable (Int) -> Output
  ) -> [Output] {
    map(count, worker: {}) { _, index in body(index) }
  }

  /// What `body` makes of the numbers below `count`, in their order.
  ///
  /// - Parameters:
  ///   - makeWorker: Makes what one thread keeps from a piece to the next one.
  ///   - body: Called on any thread, each worker on one at a time.
  package static func map<Worker, Output: Sendable>(
    _ count: Int, worker makeWorker: @Sendable () -> Worker,
    _ body: @Sendable (Worker, Int) -> Output
  ) -> [Output] {
    // One piece needs no counting of processors.
    let threads = count < 2 ? 1 : threadLimit.map { max($0, 1) } ?? Processors.count
    return collect(count, threads: threads, run: 1, worker: makeWorker, body) { _ in false }
  }

  /// The results or errors of `body` for the numbers below `count`, in order.
  ///
  /// For work that waits for a disk: uses at least two threads.
  ///
  /// - Parameters:
  ///   - run: How many consecutive numbers a thread takes at a time; at least 1.
  ///   - stopsAtFailure: True to start nothing more after a failure. Numbers that were not tried are omitted; all
  ///     before the first failure were.
  package static func results<Output: Sendable, Failure: Error>(
    _ count: Int, run: Int = 1, stopsAtFailure: Bool = false,
    _ body: @Sendable (Int) throws(Failure) -> Output
  ) -> [Result<Output, Failure>] {
    collect(
      count, threads: max(Processors.count, 2), run: max(run, 1), worker: {},
      { _, index in Result { () throws(Failure) -> Output in try body(index) } },
      isLast: { result in
        if stopsAtFailure, case .failure = result { true } else { false }
      })
  }

  /// Calls `body` for each of some bands of rows that cover 0 up to `rows`.
  package static func bands(_ rows: Int, of height: Int, _ body: @Sendable (Range<Int>) -> Void) {
    _ = map((rows + height - 1) / height) { index in
      body(index * height..<min((index + 1) * height, rows))
    }
  }

  /// Fills rows of memory in bands, each by one thread, which gets the part that is its own.
  ///
  /// - Parameters:
  ///   - rowLength: Elements from one row to the next.
  ///   - height: Rows of a band; the last one may have fewer.
  package static func bands<Element>(
    filling target: UnsafeMutableBufferPointer<Element>, rowLength: Int, of height: Int,
    _ body: @Sendable (_ rows: Range<Int>, _ band: UnsafeMutableBufferPointer<Element>) -> Void
  ) {
    guard rowLength > 0 else { return }
    // Bands do not overlap: each thread writes its own.
    nonisolated(unsafe) let target = target
    bands(target.count / rowLength, of: height) { rows in
      let part = rows.lowerBound * rowLength..<rows.upperBound * rowLength
      body(rows, UnsafeMutableBufferPointer(rebasing: target[part]))
    }
  }

  private static func collect<Worker, Output: Sendable>(
    _ count: Int, threads: Int, run: Int, worker makeWorker: @Sendable () -> Worker,
    _ body: @Sendable (Worker, Int) -> Output, isLast: @Sendable (Output) -> Bool
  ) -> [Output] {
    let next = Atomic(0)
    let finished = Mutex<[(index: Int, output: Output)]>([])
    let lanes = min(threads, (max(count, 0) + run - 1) / run)
    DispatchQueue.concurrentPerform(iterations: lanes) { _ in
      let worker = makeWorker()
      var mine: [(Int, Output)] = []
      pieces: while true {
        let start = next.wrappingAdd(run, ordering: .relaxed).oldValue
        guard start < count else { break }
        for index in start..<min(start + run, count) {
          let output = body(worker, index)
          mine.append((index, output))
          if isLast(output) {
            next.store(count, ordering: .relaxed)
            break pieces
          }
        }
      }
      finished.withLock { $0 += mine }
    }
    return finished.withLock { $0.sorted { $0.index < $1.index }.map(\.output) }
  }
}
