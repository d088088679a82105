import Synchronization

/// A counter shared by several threads.
package final class Counter: Sendable {
  private let count = Mutex(0)
  package init() {}
  package var value: Int { count.withLock { $0 } }
  package func add(_ number: Int = 1) { count.withLock { $0 += number } }
}
