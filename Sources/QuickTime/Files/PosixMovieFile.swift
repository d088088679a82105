import CLinux
import Glibc
import MediaCore

/// A movie file on a POSIX file system.
///
/// Large writes at aligned places from aligned memory go past the page cache (`O_DIRECT`), through a
/// second descriptor; all others through the first one. The two never share a block. Where the file
/// system knows no such thing, everything goes through the first.
///
/// The descriptors are closed when the last reference goes, at the latest. While the file is open it
/// holds an advisory lock (`F_OFD_SETLK`), so that recovery does not touch a take that is being recorded.
public final class PosixMovieFile: MovieFile {
  /// What to do with the name.
  public enum Mode: Sendable, Hashable {
    /// Makes a new file; an existing one is an error.
    case create
    /// Makes a new file. One that exists stays as it is until ``PosixMovieFile/adoptName()`` puts
    /// the new one in its place; until then the new one lies beside it (`take.new.mov`).
    case overwrite
    /// Opens an existing file to read and write.
    case update
    /// Opens an existing file to read, without a lock.
    case read
  }

  /// Where the file lies: the path that was given, unless the file is still beside one that it
  /// replaces, was moved, or had to be restored under another name.
  public internal(set) var path: String
  /// The path; the one that was given, for a file that is about to take it.
  public var name: String { replacing?.path ?? path }

  var descriptor: Int32
  private var direct: DirectOutput
  let calls: any FileCalls
  /// The file that this one is to replace.
  var replacing: ReplacedFile?
  /// What tells this file from all others; nil where the system did not say.
  private(set) var identity: FileIdentity?
  /// Memory for the system's list of buffers, used again and again.
  private var vectors: [iovec] = []

  /// The way past the page cache.
  private enum DirectOutput {
    /// To be opened with the first write that could take it.
    case untried
    case open(Int32)
    /// Not wanted, or refused.
    case unavailable
  }

  /// True where large writes have gone past the page cache so far.
  public var usesDirectOutput: Bool {
    if case .open = direct { true } else { false }
  }

  /// Opens or makes a file.
  ///
  /// - Throws: ``QuickTimeError/Code/fileExists``, ``QuickTimeError/Code/notFound``,
  ///   ``QuickTimeError/Code/permissionDenied``, ``QuickTimeError/Code/busy`` where another process
  ///   writes the file, ``QuickTimeError/Code/invalidArgument`` where the path is not a regular file,
  ///   ``QuickTimeError/Code/ioFailed``.
  public convenience init(path: String, mode: Mode) throws(QuickTimeError) {
    try self.init(path: path, mode: mode, calls: SystemFileCalls())
  }

  /// As ``init(path:mode:)``, over system calls of the caller's.
  package init(
    path: String, mode: Mode, calls: any FileCalls
  ) throws(QuickTimeError) {
    self.path = path
    self.calls = calls
    self.direct = mode == .create || mode == .overwrite ? .untried : .unavailable
    self.descriptor = -1
    switch mode {
    case .create: try open(O_RDWR | O_CREAT | O_EXCL)
    case .update: try open(O_RDWR)
    case .read: try open(O_RDONLY)
    case .overwrite:
      do throws(QuickTimeError) {
        try open(O_RDWR | O_CREAT | O_EXCL)
      } catch {
        guard error.code == .fileExists || error.code == .invalidArgument else { throw error }
        try openBeside(try ReplacedFile(path: path, calls: calls))
      }
    }
    guard mode != .read else { return }
    // File systems without locks are taken as they are.
    guard calls.lock(descriptor) == 0 || errno != EAGAIN && errno != EACCES else {
      throw QuickTimeError(
        .busy, "\(path): another process is writing this file; wait until it is done", errno: EBUSY)
    }
  }

  deinit {
    closeDirectOutput()
    if descriptor >= 0 {
      _ = calls.unlock(descriptor)
      _ = calls.close(descriptor)
    }
  }

  /// Opens ``path`` and looks at what it is.
  private func open(_ flags: Int32) throws(QuickTimeError) {
    descriptor = try Self.open(path, flags, calls)
    do throws(QuickTimeError) {
      identity = try Self.regularFile(descriptor, path, calls)
    } catch {
      // Don't leave behind a file that was created here and cannot be used.
      if flags & O_CREAT != 0 { _ = calls.unlink(path) }
      throw error
    }
  }

  /// Makes a file of a free name beside the one that it is to replace.
  private func openBeside(_ replaced: ReplacedFile) throws(QuickTimeError) {
    replacing = replaced
    for number in 1... {
      path = replaced.neighbour(number)
      do throws(QuickTimeError) {
        return try open(O_RDWR | O_CREAT | O_EXCL)
      } catch {
        guard error.code == .fileExists, number < 1000 else { throw error }
      }
    }
  }

  static func open(
    _ path: String, _ flags: Int32, _ calls: any FileCalls
  ) throws(QuickTimeError) -> Int32 {
    // O_NONBLOCK: opening a FIFO must not wait; it has no meaning for regular files.
    var opened: Int32
    repeat {
      opened = calls.open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o644)
    } while opened < 0 && errno == EINTR
    guard opened >= 0 else {
      let number = errno
      throw failure("open", path, isFolder(path) ? EISDIR : number)
    }
    return opened
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func regularFile(
    _ descriptor: Int32, _ path: String, _ calls: any FileCalls
  ) throws(QuickTimeError) -> FileIdentity {
    var status = stat()
    guard calls.status(descriptor, &status) == 0 else { throw failure("stat", path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw QuickTimeError(.invalidArgument, "\(path): not a regular file; name another one")
    }
    return FileIdentity(status)
  }

  /// True where another recorder or recovery writes the file.
  var isBeingWritten: Bool { calls.isLocked(descriptor) == 1 }

  /// The file's size at present.
  ///
  /// - Throws: ``QuickTimeError`` where `fstat` fails.
  public func size() throws(QuickTimeError) -> UInt64 {
    var status = stat()
    guard calls.status(descriptor, &status) == 0 else { throw Self.failure("stat", path, errno) }
    return UInt64(max(status.st_size, 0))
  }

  /// Reads from an offset on (`pread`); fewer bytes than wanted only at the file's end.
  ///
  /// - Throws: ``QuickTimeError`` where the call fails.
  public func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int {
    guard let start = off_t(exactly: offset) else { return 0 }
    var done = 0
    while done < buffer.count {
      let count = calls.read(
        descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, start + off_t(done))
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure("read", path, errno)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Writes buffers one after another (`pwritev`), and goes on after short writes.
  ///
  /// - Throws: ``QuickTimeError`` where a call fails; any part may have been written.
  public func write(
    _ buffers: [UnsafeRawBufferPointer], at offset: UInt64
  ) throws(QuickTimeError) {
    guard var position = off_t(exactly: offset) else {
      throw Self.failure("write", name, EFBIG)
    }
    vectors.removeAll(keepingCapacity: true)
    for buffer in buffers where !buffer.isEmpty {
      vectors.append(
        iovec(
          iov_base: UnsafeMutableRawPointer(mutating: buffer.baseAddress), iov_len: buffer.count))
    }
    var first = 0
    while first < vectors.count {
      let batch = min(vectors.count - first, Int(Self.vectorLimit))
      let past = directDescriptor(from: first, batch, at: position)
      let count = vectors.withUnsafeBufferPointer {
        calls.write(
          past ?? descriptor, $0.baseAddress.map { $0 + first }, Int32(batch), position)
      }
      if count < 0 {
        if errno == EINTR { continue }
        // The file system takes no direct output after all, or not at this alignment.
        if past != nil, errno == EINVAL || errno == EOPNOTSUPP {
          closeDirectOutput()
          continue
        }
        throw Self.failure("write", name, errno)
      }
      guard count > 0 else { throw Self.failure("write", name, EIO) }
      position += off_t(count)
      Self.consume(count, of: &vectors, from: &first)
    }
  }

  // MARK: Past the page cache

  /// The least that is written directly: below it the way through the page cache costs less.
  private static let directMinimum = 64 << 10

  /// The descriptor to write past the page cache with; nil where that cannot be, or does not pay.
  private func directDescriptor(from first: Int, _ count: Int, at position: off_t) -> Int32? {
    if case .unavailable = direct { return nil }
    let alignment = Int(FileLayout.blockSize)
    guard Int(position) % alignment == 0 else { return nil }
    var total = 0
    for index in first..<(first + count) {
      let vector = vectors[index]
      guard Int(bitPattern: vector.iov_base) % alignment == 0, vector.iov_len % alignment == 0
      else { return nil }
      total += vector.iov_len
    }
    guard total >= Self.directMinimum else { return nil }
    if case .untried = direct { openDirectOutput() }
    if case .open(let past) = direct { return past }
    return nil
  }

  /// Opens the file once more, by its descriptor: the name may be another file's by now.
  private func openDirectOutput() {
    let past = calls.open("/proc/self/fd/\(descriptor)", O_WRONLY | open_direct | O_CLOEXEC, 0)
    direct = past >= 0 ? .open(past) : .unavailable
  }

  private func closeDirectOutput() {
    if case .open(let past) = direct { _ = calls.close(past) }
    direct = .unavailable
  }

  /// IOV_MAX on Linux.
  private static let vectorLimit: Int32 = 1024

  /// Moves past bytes that a short write has taken.
  static func consume(_ count: Int, of vectors: inout [iovec], from first: inout Int) {
    var left = count
    while first < vectors.count, left >= vectors[first].iov_len {
      left -= vectors[first].iov_len
      first += 1
    }
    guard left > 0, first < vectors.count else { return }
    vectors[first].iov_base = vectors[first].iov_base.map { $0 + left }
    vectors[first].iov_len -= left
  }

  /// Reserves space (`fallocate`); false where the file system cannot.
  ///
  /// - Throws: ``QuickTimeError`` where the disk is full or the call fails.
  public func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool {
    guard let start = off_t(exactly: offset), let length = off_t(exactly: count) else {
      throw Self.failure("reserve space", name, EFBIG)
    }
    while calls.reserve(descriptor, start, length) != 0 {
      switch errno {
      case EINTR: continue
      case EOPNOTSUPP, ENOSYS: return false
      default: throw Self.failure("reserve space", name, errno)
      }
    }
    return true
  }

  /// Cuts or extends the file (`ftruncate`).
  ///
  /// - Throws: ``QuickTimeError`` where the call fails.
  public func truncate(to size: UInt64) throws(QuickTimeError) {
    guard let length = off_t(exactly: size) else { throw Self.failure("cut", path, EFBIG) }
    while calls.truncate(descriptor, length) != 0 {
      guard errno == EINTR else { throw Self.failure("cut", path, errno) }
    }
  }

  /// Brings data and size to the disk (`fdatasync`).
  ///
  /// - Throws: ``QuickTimeError`` where the call fails; what the disk holds is then unknown.
  public func synchronize() throws(QuickTimeError) {
    while calls.synchronizeData(descriptor) != 0 {
      guard errno == EINTR else { throw Self.failure("sync", path, errno) }
    }
  }

  /// Brings the name to the disk. File systems that cannot sync a folder are taken at their word.
  ///
  /// - Throws: ``QuickTimeError`` where the folder cannot be opened or synced.
  public func synchronizeParentDirectory() throws(QuickTimeError) {
    let folder = Self.parent(of: path)
    let directory = calls.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard directory >= 0 else { throw Self.failure("open", folder, errno) }
    defer { _ = calls.close(directory) }
    // Some file systems (network, FUSE) cannot sync a folder and say EINVAL.
    guard calls.synchronize(directory) == 0 || errno == EINVAL || errno == EROFS else {
      throw Self.failure("sync", folder, errno)
    }
  }

  /// Closes the descriptors and gives up the lock; a second call does nothing.
  ///
  /// - Throws: ``QuickTimeError`` where `close` fails; the descriptor is gone all the same.
  public func close() throws(QuickTimeError) {
    guard descriptor >= 0 else { return }
    let closing = descriptor
    descriptor = -1
    closeDirectOutput()
    _ = calls.unlock(closing)
    guard calls.close(closing) == 0 || errno == EINTR else {
      throw Self.failure("close", path, errno)
    }
  }

  /// Unlinks the file. A missing name is not an error; a name that another file has taken is left alone.
  ///
  /// - Throws: ``QuickTimeError`` where `unlink` fails.
  public func remove() throws(QuickTimeError) {
    var status = stat()
    if let identity, calls.status(ofPath: path, &status) == 0, FileIdentity(status) != identity {
      return
    }
    guard calls.unlink(path) == 0 || errno == ENOENT else {
      throw Self.failure("remove", path, errno)
    }
  }

  /// The folder that holds a path.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// An error from a failed call, with the remedy that fits its number.
  static func failure(_ verb: String, _ path: String, _ number: Int32) -> QuickTimeError {
    let reason = String(cString: strerror(number))
    let (code, remedy): (QuickTimeError.Code, String) =
      switch number {
      case EEXIST: (.fileExists, "choose another name or allow overwriting")
      case ENOENT, ENOTDIR: (.notFound, "check the path")
      case EACCES, EPERM, EROFS: (.permissionDenied, "choose a folder that can be written")
      case EISDIR: (.invalidArgument, "name a file in it")
      case ENOSPC: (.diskFull, "free space or choose another disk")
      case EDQUOT: (.diskFull, "raise the quota or choose another disk")
      case EFBIG: (.fileTooLarge, "record in segments or choose another file system")
      default: (.ioFailed, "check the disk")
      }
    return QuickTimeError(code, "\(path): cannot \(verb): \(reason); \(remedy)", errno: number)
  }
}
