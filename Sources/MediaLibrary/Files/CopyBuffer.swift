import Synchronization

/// Memory that a file goes through: small files one after the other would else each get theirs from the
/// system anew.
final class CopyBuffer: Sendable {
  static let size = 1 << 20
  private static let spare = Mutex<[CopyBuffer]>([])
  private static let mostSpare = 4

  /// Who took the buffer is alone with it.
  nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

  private init() { bytes = .allocate(byteCount: Self.size, alignment: 4096) }

  deinit { bytes.deallocate() }

  /// A buffer for the caller alone.
  static func take() -> CopyBuffer { spare.withLock { $0.popLast() } ?? CopyBuffer() }

  /// Gives a buffer back.
  static func give(_ buffer: CopyBuffer) {
    spare.withLock { if $0.count < mostSpare { $0.append(buffer) } }
  }
}
