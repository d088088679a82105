import Dispatch
import Foundation
import Synchronization

/// Work on many files, as many at a time as there are processors, and two at least.
enum Lanes {
  /// What `work` makes of the numbers below `count`, in their order.
  ///
  /// - Parameter stopsAtFailure: True to begin nothing more after a failure; what was not tried is
  ///   left out. All before the first failure was tried.
  static func map<Output: Sendable>(
    _ count: Int, stopsAtFailure: Bool = false,
    _ work: @Sendable (Int) throws(MediaLibraryError) -> Output
  ) -> [Result<Output, MediaLibraryError>] {
    let results = Mutex([Result<Output, MediaLibraryError>?](repeating: nil, count: count))
    let next = Atomic(0)
    let lanes = min(count, max(ProcessInfo.processInfo.activeProcessorCount, 2))
    DispatchQueue.concurrentPerform(iterations: lanes) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let result = Result { () throws(MediaLibraryError) -> Output in try work(index) }
        results.withLock { $0[index] = result }
        if stopsAtFailure, case .failure = result { next.store(count, ordering: .relaxed) }
      }
    }
    return results.withLock { $0 }.compactMap { $0 }
  }
}
