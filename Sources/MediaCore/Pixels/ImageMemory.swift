#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Memory for frames and images, in large pages if the system provides them.
///
/// An encoder reads sixteen rows at a time, each on a small page of its own or on two: with large
/// pages the processor need not look them up, which is worth a twentieth of the encoding.
package enum ImageMemory {
  /// The large pages of x86 and, with pages of 4 KiB, of arm64.
  private static let largePage = 2 << 20

  /// Uninitialized memory that begins at a page, to be given to `free`; nil where there is none.
  package static func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
    var memory: UnsafeMutableRawPointer?
    let error = posix_memalign(&memory, alignment(ofByteCount: byteCount), byteCount)
    guard error == 0, let memory else { return nil }
    preferLargePages(UnsafeMutableRawBufferPointer(start: memory, count: byteCount))
    return memory
  }

  /// The preferred alignment of an allocation of this size.
  package static func alignment(ofByteCount byteCount: Int) -> Int {
    // Small images would waste more than half of their last page.
    byteCount >= 2 * largePage ? largePage : 4096
  }

  /// Requests large pages for memory that was not written to yet: the first write then faults once per 2 MiB instead
  /// of once per 4 KiB.
  package static func preferLargePages(_ memory: UnsafeMutableRawBufferPointer) {
    guard memory.count >= 2 * largePage, let start = memory.baseAddress else { return }
    // The first and the last page belong to others, too.
    let before = -Int(bitPattern: start) & (largePage - 1)
    madvise(start + before, (memory.count - before) / largePage * largePage, MADV_HUGEPAGE)
  }
}
