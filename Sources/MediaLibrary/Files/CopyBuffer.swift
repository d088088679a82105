import Synchronization

/// A copy buffer. Buffers are reused, because allocating one anew for each of many small files
/// takes time.
final class CopyBuffer: Sendable {
  static let size = 1 << 20
  private static let spare = Mutex<[CopyBuffer]>([])
  private static let mostSpare = 4

  /// Unsafe, but used by one owner at a time: `take` removes the buffer from `spare` under the mutex,
  /// and only its taker uses the bytes until `give` puts it back.
  nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

  private init() { bytes = .allocate(byteCount: Self.size, alignment: 4096) }

  deinit { bytes.deallocate() }

  /// A buffer for exclusive use by the caller.
  static func take() -> CopyBuffer { spare.withLock { $0.popLast() } ?? CopyBuffer() }

  /// Returns a buffer.
  static func give(_ buffer: CopyBuffer) {
    spare.withLock { if $0.count < mostSpare { $0.append(buffer) } }
  }
}
