import Glibc
import MediaCore

/// The media of one track on their way into a fragment: copied in once, written from here, and
/// refilled with the next fragment.
///
/// Memory is reserved once and taken page by page as it is first used. It is page-aligned, as an
/// implementation of ``MovieFile`` with O_DIRECT wants it.
final class FragmentBuffer {
  private var base: UnsafeMutableRawPointer?
  private(set) var capacity = 0
  private(set) var count = 0

  /// A buffer that takes `capacity` bytes before it must grow.
  init(capacity: Int) throws(QuickTimeError) {
    let rounded = Self.rounded(capacity)
    self.base = try Self.map(rounded)
    self.capacity = rounded
  }

  deinit {
    if let base { munmap(base, capacity) }
  }

  private static func rounded(_ count: Int) -> Int { (max(count, 1) + 0xFFFF) & ~0xFFFF }

  private static func map(_ count: Int) throws(QuickTimeError) -> UnsafeMutableRawPointer {
    let memory = mmap(
      nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let memory, memory != MAP_FAILED else {
      throw QuickTimeError(
        .outOfMemory,
        "no memory for a fragment of \(count) bytes: \(String(cString: strerror(errno))); "
          + "use a lower fragment limit", errno: errno)
    }
    return memory
  }

  /// What was appended since the last ``removeAll()``. Good until the buffer changes.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  func append(_ bytes: UnsafeRawBufferPointer) throws(QuickTimeError) {
    let place = try extend(by: bytes.count)
    place.copyMemory(from: bytes)
  }

  /// Makes `added` bytes part of the content, for the caller to fill.
  func extend(by added: Int) throws(QuickTimeError) -> UnsafeMutableRawBufferPointer {
    if added > capacity - count { try grow(to: count + added) }
    let place = UnsafeMutableRawBufferPointer(start: base.map { $0 + count }, count: added)
    count += added
    return place
  }

  /// Takes back the last `removed` bytes.
  func removeLast(_ removed: Int) { count -= min(removed, count) }

  /// Forgets the content and keeps the memory.
  func removeAll() { count = 0 }

  private func grow(to needed: Int) throws(QuickTimeError) {
    let larger = Self.rounded(max(needed, capacity * 2))
    let memory = try Self.map(larger)
    if let base {
      memory.copyMemory(from: base, byteCount: count)
      munmap(base, capacity)
    }
    base = memory
    capacity = larger
  }
}
