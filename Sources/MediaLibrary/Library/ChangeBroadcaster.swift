import Synchronization

/// Wakes the observers of a library.
final class ChangeBroadcaster: Sendable {
  private let watchers = Mutex<[Int: AsyncStream<Void>.Continuation]>([:])
  private let next = Atomic(0)

  /// A deallocated library does not change any more.
  deinit {
    for watcher in watchers.withLock({ Array($0.values) }) { watcher.finish() }
  }

  /// Wake-ups; several in a row may count as one.
  func wakeUps() -> AsyncStream<Void> {
    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { [weak self] _ in
      _ = self?.watchers.withLock { $0.removeValue(forKey: number) }
    }
    watchers.withLock { $0[number] = continuation }
    return stream
  }

  func poke() {
    for watcher in watchers.withLock({ Array($0.values) }) { watcher.yield() }
  }
}
