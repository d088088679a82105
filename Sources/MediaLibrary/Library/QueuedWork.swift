import Synchronization

/// Work that a queue does once. It is let go of before its result is there for others: whoever closes the
/// library then, and moves its files, finds none of them open for the sake of work that is done.
final class QueuedWork<Value: Sendable>: Sendable {
  private let work: Mutex<(@Sendable () throws(MediaLibraryError) -> Value)?>

  init(_ work: @escaping @Sendable () throws(MediaLibraryError) -> Value) {
    self.work = Mutex(work)
  }

  /// Does it; nil where that was done before.
  func run() -> Result<Value, MediaLibraryError>? {
    guard let work = take() else { return nil }
    do throws(MediaLibraryError) { return .success(try work()) } catch { return .failure(error) }
  }

  private func take() -> (@Sendable () throws(MediaLibraryError) -> Value)? {
    work.withLock { work in
      defer { work = nil }
      return work
    }
  }
}
