import AssetWriter
import Synchronization

@testable import VideoRecorder

/// A disk that has as much room as a test says.
final class ImaginedDisk: Sendable {
  private let free: Mutex<@Sendable () -> Int64>

  init(free: Int64) { self.free = Mutex { free } }

  var freeSpace: FreeSpace { FreeSpace { _ in self.free.withLock { $0 }() } }

  /// Leaves so many bytes to a take, of which its writer has reserved some: as on a real disk, what
  /// the writer reserves later is no longer free.
  func setFree(_ bytes: Int64, with writer: AssetWriter) {
    free.withLock { $0 = { bytes - writer.reservedByteCount } }
  }
}
