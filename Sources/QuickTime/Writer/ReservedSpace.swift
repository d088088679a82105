import Synchronization

/// Bytes of the disk that movies have reserved and not written yet. The disk does not count them as
/// free, and gets them back at the end of each movie: what may still be written is both together.
///
/// Several movies may share one. It never misses what a movie has reserved; while a reservation is
/// under way it may count bytes that the disk still has as free. To be read from any thread.
public final class ReservedSpace: Sendable {
  private let bytes = Atomic<Int64>(0)

  /// No bytes.
  public init() {}

  /// The bytes as of now.
  public var byteCount: Int64 { max(0, bytes.load(ordering: .relaxed)) }

  func add(_ count: Int64) { bytes.wrappingAdd(count, ordering: .relaxed) }
}
