import Synchronization

/// A wish to come to an end, which work asks for between two pieces.
package final class Cancellation: Sendable {
  private let flag = Atomic(false)

  package init() {}

  /// True once the end was asked for.
  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Asks for the end.
  package func cancel() { flag.store(true, ordering: .relaxed) }
}
