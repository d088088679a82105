import AssetWriter
import Synchronization

@testable import VideoRecorder

/// A disk with as much free space as a test sets.
final class ImaginedDisk: Sendable {
  private let free: Mutex<@Sendable () -> Int64>

  init(free: Int64) { self.free = Mutex { free } }

  var freeSpace: FreeSpace { FreeSpace { _ in self.free.withLock { $0 }() } }

  /// Leaves this many bytes to a take, including those that its writer has reserved. As on a real
  /// disk, whatever the writer reserves later is no longer free.
  func setFree(_ bytes: Int64, with writer: AssetWriter) {
    free.withLock { $0 = { bytes - writer.reservedByteCount } }
  }
}
