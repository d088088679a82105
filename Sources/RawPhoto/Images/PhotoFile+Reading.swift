import Glibc
import MediaCore
import SystemPackage

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
    let file = try attempt(path) { () throws(Errno) in
      try Errno.check(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    }
    defer { close(file) }
    var facts = stat()
    try attempt(path) { () throws(Errno) in _ = try Errno.check(fstat(file, &facts)) }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw RawPhotoError(.fileFailed, "\(path) is not a regular file; name another one")
    }
    guard Int(facts.st_size) <= byteLimit else {
      throw RawPhotoError(
        .fileFailed, "\(path) has \(facts.st_size) bytes, more than \(byteLimit) are not read")
    }
    return try attempt(path) { () throws(Errno) in try bytes(of: file, count: Int(facts.st_size)) }
  }

  /// Up to `count` bytes; fewer only where the file ends.
  private static func bytes(of descriptor: Int32, count: Int) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
      let all = UnsafeMutableRawBufferPointer(target)
      do throws(Errno) {
        while filled < all.count {
          let part = try Errno.retrying { () throws(Errno) in
            try Errno.check(
              Glibc.read(descriptor, all.baseAddress?.advanced(by: filled), all.count - filled))
          }
          if part == 0 { break }
          filled += part
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  private static func attempt<Result>(
    _ path: String, _ call: () throws(Errno) -> Result
  ) throws(RawPhotoError) -> Result {
    do throws(Errno) { return try call() } catch {
      throw RawPhotoError(
        .fileFailed, "\(path) cannot be read: \(error); see that it exists and is yours to read",
        errno: error)
    }
  }
}
