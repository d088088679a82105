package import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Files that are read whole.
package enum RegularFile {
  /// The bytes of a file: no more than its size says when it is opened.
  ///
  /// - Parameters:
  ///   - path: The file. A pipe or a device has no end that could be waited for.
  ///   - byteLimit: The most bytes that are read; of a larger file none is.
  ///   - followsLinks: False to refuse a symbolic link, with `ELOOP`.
  ///   - failure: Makes an error of what failed, in one line, and of the system's number.
  package static func bytes<Failure: Error>(
    of path: String, byteLimit: Int, followsLinks: Bool = true,
    or failure: (String, Errno?) -> Failure
  ) throws(Failure) -> [UInt8] {
    do throws(Refusal) {
      return try bytes(of: path, byteLimit: byteLimit, followsLinks ? 0 : O_NOFOLLOW)
    } catch {
      throw failure("\(path) \(error.reason)", error.errno)
    }
  }

  private struct Refusal: Error {
    var reason: String
    var errno: Errno?

    init(_ reason: String) { self.reason = reason }

    init(_ errno: Errno) {
      reason = "cannot be read: \(errno); check that it exists and that you may read it"
      self.errno = errno
    }
  }

  private static func bytes(
    of path: String, byteLimit: Int, _ flags: Int32
  ) throws(Refusal) -> [UInt8] {
    let file = try attempt { () throws(Errno) in
      try Errno.check(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags))
    }
    defer { close(file) }
    var facts = stat()
    try attempt { () throws(Errno) in _ = try Errno.check(fstat(file, &facts)) }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw Refusal("is not a regular file; name another one")
    }
    guard Int(facts.st_size) <= byteLimit else {
      throw Refusal("has \(facts.st_size) bytes, more than \(byteLimit) are not read")
    }
    return try attempt { () throws(Errno) in try bytes(of: file, count: Int(facts.st_size)) }
  }

  /// Up to `count` bytes; fewer only where the file ends.
  private static func bytes(of descriptor: Int32, count: Int) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
      let all = UnsafeMutableRawBufferPointer(target)
      ImageMemory.preferLargePages(all)
      do throws(Errno) {
        while filled < all.count {
          let part = try Errno.retrying { () throws(Errno) in
            try Errno.check(
              read(descriptor, all.baseAddress?.advanced(by: filled), all.count - filled))
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
    _ call: () throws(Errno) -> Result
  ) throws(Refusal) -> Result {
    do throws(Errno) { return try call() } catch { throw Refusal(error) }
  }
}
