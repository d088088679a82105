import Synchronization

/// Counts what goes to the network: bytes that are done, for a progress line, and bytes that were handed
/// over, with those of attempts that failed.
package final class SendMeter: Sendable {
  private struct Counts {
    var done: Int64 = 0
    var sent: Int64 = 0
  }
  private let counts = Mutex(Counts())
  private let tell: @Sendable (Int64) -> Void

  package init(_ tell: @escaping @Sendable (Int64) -> Void = { _ in }) { self.tell = tell }

  /// Bytes that were handed to the network.
  package var sentByteCount: Int64 { counts.withLock { $0.sent } }

  func sent(_ count: Int) {
    tell(
      counts.withLock { counts in
        counts.sent += Int64(count)
        counts.done += Int64(count)
        return counts.done
      })
  }

  /// Bytes that were there already.
  func skip(_ count: Int64) {
    tell(
      counts.withLock { counts in
        counts.done += count
        return counts.done
      })
  }
}
