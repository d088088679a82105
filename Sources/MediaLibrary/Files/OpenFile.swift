import Glibc
import MediaCore
import SystemPackage

/// An open file; closed with the value's lifetime.
struct OpenFile: ~Copyable {
  let descriptor: Int32
  let path: String
  private let calls: any LibraryFileCalls

  init(descriptor: Int32, path: String, calls: any LibraryFileCalls) {
    self.descriptor = descriptor
    self.path = path
    self.calls = calls
  }

  deinit { try? calls.close(descriptor) }

  func status() throws(MediaLibraryError) -> FileStatus {
    FileStatus(try facts())
  }

  /// The file's identity.
  func identity() throws(MediaLibraryError) -> FileIdentity {
    FileIdentity(try facts())
  }

  func ownership() throws(MediaLibraryError) -> FileOwnership {
    FileOwnership(try facts())
  }

  private func facts() throws(MediaLibraryError) -> stat {
    try MediaLibraryError.attempt("look at", path) { () throws(Errno) in
      try calls.status(descriptor)
    }
  }

  /// Reads from an offset; returns 0 at the end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(MediaLibraryError) -> Int {
    try MediaLibraryError.attempt("read", path) { () throws(Errno) in
      try Errno.retrying { () throws(Errno) in
        try calls.read(descriptor, buffer, at: Int(offset))
      }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(MediaLibraryError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      done += try MediaLibraryError.attempt("write", path) { () throws(Errno) in
        let count = try Errno.retrying { () throws(Errno) in try calls.write(descriptor, rest) }
        guard count > 0 else { throw .ioError }
        return count
      }
    }
  }

  func truncate(to size: Int64) throws(MediaLibraryError) {
    try MediaLibraryError.attempt("truncate", path) { () throws(Errno) in
      try calls.truncate(descriptor, Int(size))
    }
  }

  /// Flushes the file to the disk.
  func synchronize() throws(MediaLibraryError) {
    try MediaLibraryError.attempt("sync", path) { () throws(Errno) in
      try calls.synchronize(descriptor)
    }
  }

  /// Flushes the whole file system to the disk.
  func synchronizeFileSystem() throws(MediaLibraryError) {
    try MediaLibraryError.attempt("sync", path) { () throws(Errno) in
      try calls.synchronizeFileSystem(descriptor)
    }
  }

  /// Takes the file's lock.
  ///
  /// - Returns: False if somebody else has it and `waits` is false.
  func lock(exclusively: Bool = true, waits: Bool = true) throws(MediaLibraryError) -> Bool {
    let operation = (exclusively ? LOCK_EX : LOCK_SH) | (waits ? 0 : LOCK_NB)
    do throws(Errno) {
      try Errno.retrying { () throws(Errno) in try calls.lock(descriptor, operation) }
      return true
    } catch {
      if error == .wouldBlock { return false }
      throw .system("lock", path, error)
    }
  }

  /// Takes the file's lock; false if somebody else has it, nil if the file system does not support
  /// locks.
  func tryLock() -> Bool? {
    do throws(MediaLibraryError) { return try lock(waits: false) } catch { return nil }
  }

  /// Releases the lock.
  func unlock() { try? calls.lock(descriptor, LOCK_UN) }

  /// Copies another file's modification time; failure is ignored.
  func setModified(_ status: FileStatus) {
    let second: Int64 = 1_000_000_000
    var (seconds, nanoseconds) = status.modified.quotientAndRemainder(dividingBy: second)
    if nanoseconds < 0 {
      seconds -= 1
      nanoseconds += second
    }
    try? calls.setModified(descriptor, seconds: Int(seconds), nanoseconds: Int(nanoseconds))
  }

  /// True if nobody has the file open for writing; nil if the file system cannot tell.
  func isUnwritten() -> Bool? {
    do throws(Errno) {
      try calls.checkUnwritten(descriptor)
      return true
    } catch {
      return error == .resourceTemporarilyUnavailable ? false : nil
    }
  }

  /// Up to `count` bytes from an offset; fewer only at the end of the file.
  func bytes(at offset: Int64, count: Int) throws(MediaLibraryError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = try read(into: &bytes, from: filled, at: offset + Int64(filled))
      if read == 0 { break }
      filled += read
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// True if both have the same bytes.
  func hasSameBytes(as other: borrowing OpenFile) throws(MediaLibraryError) -> Bool {
    var offset: Int64 = 0
    while true {
      let mine = try bytes(at: offset, count: 1 << 20)
      let theirs = try other.bytes(at: offset, count: 1 << 20)
      guard mine == theirs else { return false }
      if mine.isEmpty { return true }
      offset += Int64(mine.count)
    }
  }

  /// Reads into an array, from an index in it.
  private func read(
    into bytes: inout [UInt8], from start: Int, at offset: Int64
  ) throws(MediaLibraryError) -> Int {
    var failure: MediaLibraryError?
    var count = 0
    bytes.withUnsafeMutableBytes { buffer in
      do throws(MediaLibraryError) {
        count = try read(
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]), at: offset)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return count
  }

  /// Drops the file from the page cache.
  func dropCache() { calls.dropCache(descriptor) }
}

/// The facts that tell whether a file has changed.
struct FileStatus: Sendable, Hashable, Decodable {
  var device: UInt64
  var inode: UInt64
  var size: Int64
  /// Nanoseconds since 1970.
  var modified: Int64
  /// Nanoseconds since 1970; also updated when names or permissions change.
  var changed: Int64
  var mode: UInt32
  var linkCount: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    // Times beyond the year 2262 are valid, but clamped to it.
    func nanoseconds(_ time: timespec) -> Int64 {
      Int64(time.tv_sec).multipliedSaturating(by: 1_000_000_000)
        .addingSaturating(Int64(time.tv_nsec))
    }
    modified = nanoseconds(status.st_mtim)
    changed = nanoseconds(status.st_ctim)
    mode = status.st_mode
    linkCount = UInt64(status.st_nlink)
  }

  var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
  var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  var isSymbolicLink: Bool { mode & S_IFMT == S_IFLNK }

  /// True if the content cannot have changed in between.
  func isUnchanged(since other: FileStatus) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified
  }

  /// Like ``isUnchanged(since:)``, across a possible restart, which may change device numbers.
  func isUnchanged(beforeRestart other: FileStatus) -> Bool {
    inode == other.inode && size == other.size && modified == other.modified
  }

  /// Like ``isUnchanged(beforeRestart:)``, for file systems that do not keep inodes and exact times
  /// (``LibraryFiles/holds(_:at:afterRestart:)``).
  func resembles(_ other: FileStatus) -> Bool {
    let (apart, isHuge) = modified.subtractingReportingOverflow(other.modified)
    return isRegularFile && size == other.size && !isHuge && apart.magnitude < 2_000_000_000
  }

  /// When the content last changed, in seconds since 1970.
  var modifiedSeconds: Double { Double(modified) / 1e9 }
}
