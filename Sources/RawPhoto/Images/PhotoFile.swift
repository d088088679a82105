import CLinux
import MediaCore

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
  /// Gives a file another name, where asked in place of another file; 0, or -1 with errno set.
  func rename(_ path: String, to other: String, replacing: Bool) -> Int32
  /// Waits until the names in a folder are on the disk; 0, or -1 with errno set.
  func synchronizeFolder(_ path: String) -> Int32
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
  func rename(_ path: String, to other: String, replacing: Bool) -> Int32 {
    guard !replacing else { return Glibc.rename(path, other) }
    guard rename_where_free(path, other) != 0 else { return 0 }
    // Not every file system can tell and rename in one step.
    guard errno == EINVAL || errno == ENOSYS else { return -1 }
    guard access(other, F_OK) != 0 else {
      errno = EEXIST
      return -1
    }
    return Glibc.rename(path, other)
  }
  func synchronizeFolder(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return -1 }
    defer { _ = Glibc.close(descriptor) }
    return fsync(descriptor)
  }
  func remove(_ path: String) { unlink(path) }
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
    if problem == nil, calls.rename(unfinished, to: path, replacing: replacing) != 0 {
      problem = errno
    }
    guard let problem else {
      // A file system that cannot sync a folder keeps names in its own way: the photo is there.
      _ = calls.synchronizeFolder(folder(of: path))
      return
    }
    calls.remove(unfinished)
    throw failure(path, problem)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func failure(_ path: String, _ number: Int32) -> RawPhotoError {
    let remedy =
      switch number {
      case ENOSPC, EDQUOT: "make room on the disk"
      case EEXIST: "choose another name or allow overwriting"
      default: "see that the folder exists and is yours"
      }
    return RawPhotoError(
      .fileFailed,
      "\(path) could not be written: \(String(cString: strerror(number))); \(remedy)",
      errno: number)
  }
}
