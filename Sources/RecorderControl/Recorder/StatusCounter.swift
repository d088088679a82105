import Synchronization

/// Numbers the statuses of a recorder in the order in which they are read.
final class StatusCounter: Sendable {
  /// The number of the last status. The lock is held while a status is read, so that a higher number never
  /// belongs to an older state.
  private let reading = Mutex(0)

  /// Reads a status, and gives it the next number.
  func status(_ read: () -> RecorderStatus) -> RecorderStatus {
    reading.withLock { number in
      number += 1
      var status = read()
      status.number = number
      return status
    }
  }
}
