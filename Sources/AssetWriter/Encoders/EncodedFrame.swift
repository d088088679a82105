package import QuickTime
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The bytes of one encoded frame and what they cost.
///
/// Filled by one thread, then only read. The pool reuses the frame and its memory once nothing else refers
/// to them.
package final class EncodedFrame: @unchecked Sendable {
  // Sendable: fields are written by the encoder's thread before the frame is delivered, which
  // happens under a lock; afterwards nobody writes until the pool has the last reference.

  /// The number that the frame was submitted with.
  package private(set) var index: Int64 = 0
  /// Nanoseconds from when a thread takes the frame until it is encoded.
  package internal(set) var encodeTime: Int64 = 0
  /// Times that the frame was encoded until it was within its target size.
  package internal(set) var attempts = 1
  /// Bytes of the frame.
  package private(set) var byteCount = 0
  /// The checksum that was known before; nil if the writer takes it.
  package internal(set) var checksum: FrameChecksum?
  /// True where it is decoded without others.
  package internal(set) var isSync = true
  /// Bytes of memory that the frame occupies.
  var memorySize: Int { capacity }
  private var address: UnsafeMutableRawPointer?
  private var capacity = 0

  private init() {}

  deinit { free(address) }

  /// Reads the frame; the pointer is valid during the call only.
  package func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: address, count: byteCount))
  }

  /// Writes the frame: `body` gets room for `capacity` bytes and returns how many it used.
  func fill<Failure: Error>(
    capacity needed: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    if capacity < needed { grow(to: needed) }
    let used = try body(UnsafeMutableRawBufferPointer(start: address, count: capacity))
    byteCount = min(max(used, 0), capacity)
  }

  private func begin(_ index: Int64) {
    self.index = index
    encodeTime = 0
    attempts = 1
    byteCount = 0
    checksum = nil
    isSync = true
  }

  /// The large pages of x86 and, with pages of 4 KiB, of arm64.
  private static let largePage = 2 << 20

  private func grow(to needed: Int) {
    free(address)
    address = nil
    capacity = 0
    // A quarter more, so that growth ends after few frames. Whole pages, for direct output; large
    // ones where they fit, for which it costs the kernel half as much.
    let wanted = needed + needed / 4
    let page = wanted < Self.largePage ? 4096 : Self.largePage
    let rounded = (wanted + page - 1) / page * page
    guard posix_memalign(&address, page, rounded) == 0 else { return }
    capacity = rounded
    if page == Self.largePage { madvise(address, rounded, MADV_HUGEPAGE) }
  }

  /// Frames with their memory, to be used in turn. Holds as many as were ever in flight at once,
  /// which the writer bounds.
  final class Pool: Sendable {
    private let frames = Mutex<[EncodedFrame]>([])

    /// A frame without bytes.
    func makeFrame(index: Int64) -> EncodedFrame {
      let frame = frames.withLock { frames in
        for place in frames.indices where isKnownUniquelyReferenced(&frames[place]) {
          // Its last reader's accesses come before the new writer's.
          atomicMemoryFence(ordering: .acquiring)
          return frames[place]
        }
        let made = EncodedFrame()
        frames.append(made)
        return made
      }
      frame.begin(index)
      return frame
    }
  }
}
