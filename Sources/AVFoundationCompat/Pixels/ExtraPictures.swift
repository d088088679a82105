import MediaCore
import Synchronization

/// Pictures that are made beside a pool's own ones, and counted while somebody holds them.
enum ExtraPictures {
  /// By their pool, which each of them keeps.
  private static let counts = Mutex<[ObjectIdentifier: Int]>([:])

  /// Makes a picture, its contents undefined.
  ///
  /// - Parameters:
  ///   - pool: Where all are in use.
  ///   - limit: How many pictures there may be, the pool's own among them.
  ///   - picture: Set to it.
  /// - Returns: ``kCVReturnSuccess``, ``kCVReturnWouldExceedAllocationThreshold`` or
  ///   ``kCVReturnAllocationFailed``.
  static func make(
    beside pool: PixelBufferPool, limit: Int, _ picture: inout PixelBuffer?
  ) -> CVReturn {
    let isCounted = counts.withLock { counts in
      let count = counts[ObjectIdentifier(pool), default: 0]
      guard pool.capacity + count < limit else { return false }
      counts[ObjectIdentifier(pool)] = count + 1
      return true
    }
    guard isCounted else { return kCVReturnWouldExceedAllocationThreshold }
    guard let memory = try? MutablePixelBuffer(pool.details).finish(),
      let extra = try? PixelBuffer(
        pool.details,
        planes: (0..<memory.planeCount).map { index in
          PixelBuffer.Plane(
            baseAddress: memory.unsafeAddress(ofPlane: index),
            bytesPerRow: memory.bytesPerRow(plane: index), rows: memory.plane(index).rows)
        },
        release: { withExtendedLifetime(memory) { release(of: pool) } })
    else {
      release(of: pool)
      return kCVReturnAllocationFailed
    }
    picture = extra
    return kCVReturnSuccess
  }

  private static func release(of pool: PixelBufferPool) {
    counts.withLock { counts in
      let count = counts[ObjectIdentifier(pool), default: 1] - 1
      counts[ObjectIdentifier(pool)] = count > 0 ? count : nil
    }
  }
}
