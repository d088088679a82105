import CLinux
import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The system calls of writing a photo, which tests replace: what fails throws its number.
protocol PhotoFileCalls {
  /// Creates a file that was not there.
  func create(_ path: String) throws(Errno) -> Int32
  /// Writes some bytes; how many.
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int
  /// Waits until the bytes are on the disk.
  func synchronize(_ descriptor: Int32) throws(Errno)
  /// The descriptor is gone, also where this throws.
  func close(_ descriptor: Int32) throws(Errno)
  /// Gives a file another name, where asked in place of another file; else throws EEXIST.
  func rename(_ path: String, to other: String, replacing: Bool) throws(Errno)
  /// Waits until the names in a folder are on the disk.
  func synchronizeFolder(_ path: String) throws(Errno)
  func remove(_ path: String) throws(Errno)
}

/// The calls themselves.
struct PosixPhotoFileCalls: PhotoFileCalls {
  func create(_ path: String) throws(Errno) -> Int32 {
    try Errno.check(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644))
  }
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    try Errno.check(Glibc.write(descriptor, bytes.baseAddress, bytes.count))
  }
  func synchronize(_ descriptor: Int32) throws(Errno) { try Errno.check(fsync(descriptor)) }
  func close(_ descriptor: Int32) throws(Errno) { try Errno.check(Glibc.close(descriptor)) }
  func rename(_ path: String, to other: String, replacing: Bool) throws(Errno) {
    if !replacing {
      do throws(Errno) {
        try Errno.check(rename_where_free(path, other))
        return
      } catch {
        // Not every file system can tell and rename in one step.
        guard error == .invalidArgument || error == .noFunction else { throw error }
        guard access(other, F_OK) != 0 else { throw .fileExists }
      }
    }
    try Errno.check(Glibc.rename(path, other))
  }
  func synchronizeFolder(_ path: String) throws(Errno) {
    let descriptor = try Errno.check(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    defer { _ = Glibc.close(descriptor) }
    try Errno.check(fsync(descriptor))
  }
  func remove(_ path: String) throws(Errno) { try Errno.check(unlink(path)) }
}

/// Puts photos on a disk: whole, or not at all.
public enum PhotoFile {
  /// Writes a file next to its place, waits for the disk, and then gives it its name.
  ///
  /// - Parameters:
  ///   - bytes: All of the file.
  ///   - path: Where it goes.
  ///   - replacing: True to take the place of an older file.
  /// - Throws: ``RawPhotoError/Code/fileFailed`` with the system's error number, EEXIST for an older
  ///   file that is not to be replaced; then nothing is left behind.
  public static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool = true
  ) throws(RawPhotoError) {
    try write(bytes, to: path, replacing: replacing, calls: PosixPhotoFileCalls())
  }

  static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool = true, calls: some PhotoFileCalls
  ) throws(RawPhotoError) {
    let unfinished = "\(path).\(getpid()).unfinished"
    do throws(Errno) {
      let descriptor = try calls.create(unfinished)
      do throws(Errno) {
        try fill(descriptor, bytes, calls)
        try calls.rename(unfinished, to: path, replacing: replacing)
      } catch {
        try? calls.remove(unfinished)
        throw error
      }
    } catch {
      throw failure(path, error)
    }
    // A file system that cannot sync a folder keeps names in its own way: the photo is there.
    try? calls.synchronizeFolder(folder(of: path))
  }

  /// Writes all bytes, waits for the disk, and closes.
  private static func fill(
    _ descriptor: Int32, _ bytes: [UInt8], _ calls: some PhotoFileCalls
  ) throws(Errno) {
    do throws(Errno) {
      try bytes.span.bytes.withUnsafeBytes { all throws(Errno) in
        var done = 0
        while done < all.count {
          let count = try Errno.retrying { () throws(Errno) in
            try calls.write(descriptor, UnsafeRawBufferPointer(rebasing: all[done...]))
          }
          guard count > 0 else { throw .noSpace }
          done += count
        }
      }
      try calls.synchronize(descriptor)
    } catch {
      try? calls.close(descriptor)
      throw error
    }
    try calls.close(descriptor)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func failure(_ path: String, _ number: Errno) -> RawPhotoError {
    let remedy =
      switch number {
      case .noSpace, .diskQuotaExceeded: "make room on the disk"
      case .fileExists: "choose another name or allow overwriting"
      default: "see that the folder exists and is yours"
      }
    return RawPhotoError(
      .fileFailed,
      "\(path) could not be written: \(number); \(remedy)",
      errno: number)
  }
}
