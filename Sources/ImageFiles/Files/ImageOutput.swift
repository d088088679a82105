import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The destination of a file's bytes: memory or a file descriptor.
///
/// Used by one thread at a time.
package final class ImageOutput {
  private(set) var bytes: [UInt8] = []
  /// The farthest offset written so far.
  private(set) var count = 0
  private let descriptor: Int32?
  private let path: String

  /// An output to memory.
  init() {
    descriptor = nil
    path = ""
  }

  /// An output to a file that is open for writing.
  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Appends bytes.
  ///
  /// - Throws: ``ImageFileError/Code/fileFailed``.
  func append(_ more: UnsafeRawBufferPointer) throws(ImageFileError) {
    try write(more, at: count)
  }

  package func append(_ more: [UInt8]) throws(ImageFileError) {
    try write(more, at: count)
  }

  func write(_ more: [UInt8], at offset: Int) throws(ImageFileError) {
    let result = more.withUnsafeBytes { buffer in
      Result { () throws(ImageFileError) in try write(buffer, at: offset) }
    }
    try result.get()
  }

  /// Writes bytes at an offset, which may leave a gap before them to be filled later.
  ///
  /// - Throws: ``ImageFileError/Code/fileFailed``.
  func write(_ more: UnsafeRawBufferPointer, at offset: Int) throws(ImageFileError) {
    defer { count = max(count, offset + more.count) }
    guard let descriptor else {
      if offset > bytes.count {
        bytes += [UInt8](repeating: 0, count: offset - bytes.count)
      }
      let overlap = min(bytes.count - offset, more.count)
      for index in 0..<overlap { bytes[offset + index] = more[index] }
      bytes += more[overlap...]
      return
    }
    var done = 0
    while done < more.count {
      let part = UnsafeRawBufferPointer(rebasing: more[done...])
      let written = pwrite(descriptor, part.baseAddress, part.count, off_t(offset + done))
      if written > 0 {
        done += written
      } else if written == 0 || errno != EINTR {
        throw WholeFile.failure(path, written == 0 ? ENOSPC : errno)
      }
    }
  }
}
