import Synchronization

/// Counts bytes for a progress line, and all bytes handed to the network, including those of failed
/// attempts.
package final class SendMeter: Sendable {
  private struct Counts {
    var done: Int64 = 0
    var sent: Int64 = 0
  }
  private let counts = Mutex(Counts())
  private let tell: @Sendable (Int64) -> Void

  package init(_ tell: @escaping @Sendable (Int64) -> Void = { _ in }) { self.tell = tell }

  /// Bytes handed to the network, including those of failed attempts.
  package var sentByteCount: Int64 { counts.withLock { $0.sent } }

  func sent(_ count: Int) {
    tell(
      counts.withLock { counts in
        counts.sent += Int64(count)
        counts.done += Int64(count)
        return counts.done
      })
  }

  /// Counts bytes that the server already has.
  func skip(_ count: Int64) {
    tell(
      counts.withLock { counts in
        counts.done += count
        return counts.done
      })
  }
}
