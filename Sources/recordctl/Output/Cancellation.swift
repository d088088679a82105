import Synchronization

/// A wish to come to an end, which work asks for between two pieces.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  /// True once the end was asked for.
  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Asks for the end.
  func cancel() { flag.store(true, ordering: .relaxed) }
}
