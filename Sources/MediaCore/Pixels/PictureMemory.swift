#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Memory for pictures, in large pages where the system gives them.
///
/// An encoder reads sixteen rows at a time, each on a small page of its own or on two: with large
/// pages the processor need not look them up, which is worth a twentieth of the encoding.
package enum PictureMemory {
  /// The large pages of x86 and, with pages of 4 KiB, of arm64.
  private static let largePage = 2 << 20

  /// Uninitialized memory that begins at a page, to be given to `free`; nil where there is none.
  package static func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
    // Small pictures would waste more than half of their last page.
    let isLarge = byteCount >= 2 * largePage
    var memory: UnsafeMutableRawPointer?
    let error = posix_memalign(&memory, isLarge ? largePage : 4096, byteCount)
    guard error == 0, let memory else { return nil }
    // The end of the last page belongs to others.
    if isLarge { madvise(memory, byteCount / largePage * largePage, MADV_HUGEPAGE) }
    return memory
  }
}
