import CLinux
import Glibc
import MediaCore
import SystemPackage

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
    try Self.lock(descriptor, path, calls)
  }

  deinit {
    closeDirectOutput()
    if descriptor >= 0 {
      calls.unlock(descriptor)
      try? calls.close(descriptor)
    }
  }

  /// Opens ``path`` and looks at what it is.
  private func open(_ flags: Int32) throws(QuickTimeError) {
    descriptor = try Self.open(path, flags, calls)
    do throws(QuickTimeError) {
      identity = try Self.regularFile(descriptor, path, calls)
    } catch {
      // Don't leave behind a file that was created here and cannot be used.
      if flags & O_CREAT != 0 { try? calls.unlink(path) }
      throw error
    }
  }

  /// Makes a file of a free name beside the one that it is to replace.
  private func openBeside(_ replaced: ReplacedFile) throws(QuickTimeError) {
    replacing = replaced
    for number in 1... {
      path = replaced.neighbor(number)
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
    do throws(Errno) {
      return try Errno.retrying { () throws(Errno) in
        // O_NONBLOCK: opening a FIFO must not wait; it has no meaning for regular files.
        try calls.open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o644)
      }
    } catch {
      throw failure("open", path, isFolder(path) ? .isDirectory : error)
    }
  }

  /// Locks a file that is to be written. File systems without locks are taken as they are.
  static func lock(
    _ descriptor: Int32, _ path: String, _ calls: any FileCalls
  ) throws(QuickTimeError) {
    do throws(Errno) { try calls.lock(descriptor) } catch {
      guard error == .resourceTemporarilyUnavailable || error == .permissionDenied else { return }
      throw QuickTimeError(
        .busy, "\(path): another process is writing this file; wait until it is done",
        errno: .resourceBusy)
    }
  }

  static func regularFile(
    _ descriptor: Int32, _ path: String, _ calls: any FileCalls
  ) throws(QuickTimeError) -> FileIdentity {
    let status = try attempt("stat", path) { () throws(Errno) in try calls.status(descriptor) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw QuickTimeError(.invalidArgument, "\(path): not a regular file; name another one")
    }
    return FileIdentity(status)
  }

  /// True where another recorder or recovery writes the file.
  var isBeingWritten: Bool { (try? calls.isLocked(descriptor)) ?? false }

  /// The file's size at present.
  ///
  /// - Throws: ``QuickTimeError`` where `fstat` fails.
  public func size() throws(QuickTimeError) -> UInt64 {
    let status = try Self.attempt("stat", path) { () throws(Errno) in try calls.status(descriptor) }
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
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try Self.attempt("read", path) { () throws(Errno) in
        try Errno.retrying { () throws(Errno) in
          try calls.read(descriptor, rest, at: start + off_t(done))
        }
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
      throw Self.failure("write", name, .fileTooLarge)
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
      let count: Int
      do throws(Errno) {
        count = try vectors.withUnsafeBufferPointer { vectors throws(Errno) in
          try calls.write(
            past ?? descriptor, UnsafeBufferPointer(rebasing: vectors[first..<first + batch]),
            at: position)
        }
      } catch {
        if error == .interrupted { continue }
        // The file system takes no direct output after all, or not at this alignment.
        if past != nil, error == .invalidArgument || error == .notSupported {
          closeDirectOutput()
          continue
        }
        throw Self.failure("write", name, error)
      }
      guard count > 0 else { throw Self.failure("write", name, .ioError) }
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
    let past = try? calls.open(
      "/proc/self/fd/\(descriptor)", O_WRONLY | open_direct | O_CLOEXEC, 0)
    direct = past.map { .open($0) } ?? .unavailable
  }

  private func closeDirectOutput() {
    if case .open(let past) = direct { try? calls.close(past) }
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
      throw Self.failure("reserve space", name, .fileTooLarge)
    }
    do throws(Errno) {
      try Errno.retrying { () throws(Errno) in try calls.reserve(descriptor, start, length) }
      return true
    } catch {
      if error == .notSupported || error == .noFunction { return false }
      throw Self.failure("reserve space", name, error)
    }
  }

  /// The blocks of the file, from its first byte on (`st_blocks`).
  public var heldSize: UInt64? {
    guard let status = try? calls.status(descriptor) else { return nil }
    return UInt64(max(status.st_blocks, 0)) * 512
  }

  /// Cuts or extends the file (`ftruncate`).
  ///
  /// - Throws: ``QuickTimeError`` where the call fails.
  public func truncate(to size: UInt64) throws(QuickTimeError) {
    guard let length = off_t(exactly: size) else {
      throw Self.failure("cut", path, .fileTooLarge)
    }
    try Self.attempt("cut", path) { () throws(Errno) in
      try Errno.retrying { () throws(Errno) in try calls.truncate(descriptor, length) }
    }
  }

  /// Brings data and size to the disk (`fdatasync`).
  ///
  /// - Throws: ``QuickTimeError`` where the call fails; what the disk holds is then unknown.
  public func synchronize() throws(QuickTimeError) {
    try Self.attempt("sync", path) { () throws(Errno) in
      try Errno.retrying { () throws(Errno) in try calls.synchronizeData(descriptor) }
    }
  }

  /// Brings the name to the disk. File systems that cannot sync a folder are taken at their word.
  ///
  /// - Throws: ``QuickTimeError`` where the folder cannot be opened or synced.
  public func synchronizeParentDirectory() throws(QuickTimeError) {
    try Self.synchronizeFolder(Self.parent(of: path), calls)
  }

  static func synchronizeFolder(
    _ folder: String, _ calls: any FileCalls
  ) throws(QuickTimeError) {
    let directory = try attempt("open", folder) { () throws(Errno) in
      try calls.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    }
    defer { try? calls.close(directory) }
    do throws(Errno) { try calls.synchronize(directory) } catch {
      // Some file systems (network, FUSE) cannot sync a folder and say EINVAL.
      guard error == .invalidArgument || error == .readOnlyFileSystem else {
        throw failure("sync", folder, error)
      }
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
    calls.unlock(closing)
    do throws(Errno) { try calls.close(closing) } catch {
      // The descriptor is gone all the same: once more could close another file.
      if error != .interrupted { throw Self.failure("close", path, error) }
    }
  }

  /// Unlinks the file. A missing name is not an error; a name that another file has taken is left alone.
  ///
  /// - Throws: ``QuickTimeError`` where `unlink` fails.
  public func remove() throws(QuickTimeError) {
    if let identity, let status = try? calls.status(ofPath: path),
      FileIdentity(status) != identity
    {
      return
    }
    do throws(Errno) { try calls.unlink(path) } catch {
      if error != .noSuchFileOrDirectory { throw Self.failure("remove", path, error) }
    }
  }
}
