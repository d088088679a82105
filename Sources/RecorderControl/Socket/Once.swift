import Synchronization

/// Something that may be done once, by the first caller.
final class Once: Sendable {
  private let isDone = Atomic(false)

  /// True for the first call.
  func claim() -> Bool { !isDone.exchange(true, ordering: .acquiringAndReleasing) }
}
