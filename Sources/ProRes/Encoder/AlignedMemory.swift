import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Uninitialized, page-aligned memory that lives as long as its owner.
///
/// Pages that are never written cost nothing.
struct AlignedMemory: ~Copyable {
  let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) throws(ProResError) {
    var memory: UnsafeMutableRawPointer?
    let error = posix_memalign(&memory, 4096, max(byteCount, 1))
    guard error == 0, let memory else {
      throw ProResError(
        .outOfMemory, "no memory for \(byteCount) bytes of encoder state", errno: error)
    }
    bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
  }

  deinit { free(bytes.baseAddress) }
}
