import Synchronization

/// Numbers a recorder's statuses in the order in which they are read.
final class StatusCounter: Sendable {
  /// The number of the status that was read last. Held while one is read: a later number says no older state.
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
