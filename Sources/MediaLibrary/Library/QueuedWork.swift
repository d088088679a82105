import Synchronization

/// Work that a queue does once. What it captures is released before the result is delivered: a
/// caller that then closes the library and moves its files finds none of them still open.
final class QueuedWork<Value: Sendable>: Sendable {
  private let work: Mutex<(@Sendable () throws(MediaLibraryError) -> Value)?>

  init(_ work: @escaping @Sendable () throws(MediaLibraryError) -> Value) {
    self.work = Mutex(work)
  }

  /// Runs the work; returns nil if it ran before.
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
