import Dispatch
import Foundation
import Synchronization

/// Work on many files, as many at a time as there are processors, and two at least.
enum Lanes {
  /// What `work` makes of the numbers below `count`, in their order.
  ///
  /// - Parameters:
  ///   - run: How many numbers, one after the other, one lane takes at a time.
  ///   - stopsAtFailure: True to begin nothing more after a failure; what was not tried is left out.
  ///     All before the first failure was tried.
  static func map<Output: Sendable>(
    _ count: Int, run: Int = 1, stopsAtFailure: Bool = false,
    _ work: @Sendable (Int) throws(MediaLibraryError) -> Output
  ) -> [Result<Output, MediaLibraryError>] {
    let results = Mutex([Result<Output, MediaLibraryError>?](repeating: nil, count: count))
    let next = Atomic(0)
    let runs = (count + run - 1) / run
    let lanes = min(runs, max(ProcessInfo.processInfo.activeProcessorCount, 2))
    DispatchQueue.concurrentPerform(iterations: lanes) { _ in
      while true {
        let start = next.wrappingAdd(run, ordering: .relaxed).oldValue
        guard start < count else { return }
        for index in start..<min(start + run, count) {
          let result = Result { () throws(MediaLibraryError) -> Output in try work(index) }
          results.withLock { $0[index] = result }
          guard stopsAtFailure, case .failure = result else { continue }
          next.store(count, ordering: .relaxed)
          return
        }
      }
    }
    return results.withLock { $0 }.compactMap { $0 }
  }
}
