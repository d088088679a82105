import Glibc
import MediaCore

extension PhotoFile {
  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - byteLimit: The most bytes that are read: by default all that a TIFF file can have.
  /// - Throws: ``RawPhotoError/Code/fileFailed`` where it cannot be read, is larger, or is no file:
  ///   a pipe or a device has no end that could be waited for.
  public static func read(
    _ path: String, byteLimit: Int = Int(UInt32.max)
  ) throws(RawPhotoError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw unreadable(path, errno) }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw RawPhotoError(.fileFailed, "\(path) is not a regular file; name another one")
    }
    guard Int(facts.st_size) <= byteLimit else {
      throw RawPhotoError(
        .fileFailed, "\(path) has \(facts.st_size) bytes, more than \(byteLimit) are not read")
    }
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(facts.st_size)) { target, count in
      let all = UnsafeMutableRawBufferPointer(target)
      while count < all.count {
        let part = Glibc.read(descriptor, all.baseAddress?.advanced(by: count), all.count - count)
        if part > 0 {
          count += part
        } else if part == 0 {
          break
        } else if errno != EINTR {
          failure = errno
          break
        }
      }
    }
    if let failure { throw unreadable(path, failure) }
    return bytes
  }

  private static func unreadable(_ path: String, _ number: Int32) -> RawPhotoError {
    RawPhotoError(
      .fileFailed,
      "\(path) cannot be read: \(String(cString: strerror(number))); see that it exists and is "
        + "yours to read", errno: number)
  }
}
