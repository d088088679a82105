#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The system calls of writing a photo, which tests replace.
protocol PhotoFileCalls {
  /// Creates a file that was not there; a descriptor, or -1 with errno set.
  func create(_ path: String) -> Int32
  /// Writes some bytes; how many, or -1 with errno set.
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
  /// Waits until the bytes are on the disk; 0, or -1 with errno set.
  func synchronize(_ descriptor: Int32) -> Int32
  /// Closes; 0, or -1 with errno set.
  func close(_ descriptor: Int32) -> Int32
  /// Gives a file another name; 0, or -1 with errno set.
  func rename(_ path: String, to other: String) -> Int32
  /// Takes a file away.
  func remove(_ path: String)
}

/// The calls themselves.
struct PosixPhotoFileCalls: PhotoFileCalls {
  func create(_ path: String) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
  }
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    Glibc.write(descriptor, bytes.baseAddress, bytes.count)
  }
  func synchronize(_ descriptor: Int32) -> Int32 { fsync(descriptor) }
  func close(_ descriptor: Int32) -> Int32 { Glibc.close(descriptor) }
  func rename(_ path: String, to other: String) -> Int32 { Glibc.rename(path, other) }
  func remove(_ path: String) { unlink(path) }
}

/// Puts photos on a disk: whole, or not at all.
public enum PhotoFile {
  /// Writes a file next to its place, waits for the disk, and then gives it its name, in place of an
  /// older file.
  ///
  /// - Throws: ``RawPhotoError/Code/fileFailed`` with the system's error number; then nothing is
  ///   left behind.
  public static func write(_ bytes: [UInt8], to path: String) throws(RawPhotoError) {
    try write(bytes, to: path, calls: PosixPhotoFileCalls())
  }

  static func write(
    _ bytes: [UInt8], to path: String, calls: some PhotoFileCalls
  ) throws(RawPhotoError) {
    let unfinished = "\(path).\(getpid()).unfinished"
    let descriptor = calls.create(unfinished)
    guard descriptor >= 0 else { throw failure(path, errno) }
    var problem: Int32?
    var done = 0
    bytes.withUnsafeBytes { all in
      while done < all.count, problem == nil {
        let count = calls.write(
          descriptor, UnsafeRawBufferPointer(rebasing: all[done...]))
        if count > 0 {
          done += count
        } else if count == 0 || errno != EINTR {
          problem = count == 0 ? ENOSPC : errno
        }
      }
    }
    if problem == nil, calls.synchronize(descriptor) != 0 { problem = errno }
    if calls.close(descriptor) != 0, problem == nil { problem = errno }
    if problem == nil, calls.rename(unfinished, to: path) != 0 { problem = errno }
    guard let problem else { return }
    calls.remove(unfinished)
    throw failure(path, problem)
  }

  private static func failure(_ path: String, _ number: Int32) -> RawPhotoError {
    RawPhotoError(
      .fileFailed,
      "\(path) could not be written: \(String(cString: strerror(number))); "
        + (number == ENOSPC ? "make room on the disk" : "see that the folder exists and is yours"),
      errno: number)
  }
}
