import Foundation
import Glibc
import MediaLibrary
import Synchronization
import SystemPackage
import TestSupport

/// The system's calls, one of which fails, or all of which stop working from a point on, as when a process is
/// killed.
final class FaultyFileCalls: LibraryFileCalls {
  enum Fault: Sendable {
    /// The call with this number fails; all others work.
    case once(Int, errno: Int32)
    /// Every call from this one on fails without effect.
    case deadFrom(Int)
    /// Every call of this kind fails.
    case kind(String, errno: Int32)
    /// Every call of these kinds fails.
    case kinds(Set<String>, errno: Int32)
    /// Files whose names begin with this prefix cannot be removed.
    case unlinks(at: String, errno: Int32)
    /// The status of files and folders with this name cannot be read.
    case statuses(of: String, errno: Int32)
    /// Every write that would exceed this total number of bytes fails.
    case diskFull(after: Int)
    /// Names follow FAT's rules: no colon, and no dot at the end. `isReported` says whether the disk reports that it
    /// is FAT.
    case fatNames(isReported: Bool)
    /// Everything outside the library is at another mount of its file system.
    case mountedApart
    /// Files have new inodes, and times in steps of two seconds, as when FAT sees them anew.
    case forgottenFacts
    /// Listing the folder with this file stops with an error.
    case cutList(at: String, errno: Int32)
  }

  private let system = SystemLibraryFileCalls()
  private let type: Int

  /// - Parameter fileSystem: The type that every file system reports (linux/magic.h); ext4's by default.
  init(fileSystem: Int = 0xEF53) { type = fileSystem }

  private struct State {
    var fault: Fault?
    var count = 0
    var written = 0
    var kinds: [String] = []
    var drops: [Int] = []
    var afterRead: (size: Int, call: @Sendable () -> Void)?
    var beforeReplacement: (@Sendable () -> Void)?
    /// The number of checks for writers that will still find one.
    var looksThatFindAWriter = 0
  }
  private let state = Mutex(State())

  /// The kinds of the calls so far, except those that only read metadata.
  var trace: [String] { state.withLock { $0.kinds } }

  /// Positions in ``trace`` at which the cache of a file was dropped.
  var drops: [Int] { state.withLock { $0.drops } }

  /// Starts counting, and failing.
  func arm(_ fault: Fault?) { state.withLock { $0 = State(fault: fault) } }

  /// Calls `call` once, after a read of at least this many bytes.
  func afterRead(ofAtLeast size: Int, _ call: @escaping @Sendable () -> Void) {
    state.withLock { $0.afterRead = (size, call) }
  }

  /// Calls `call` before each file that replaces another one.
  func beforeReplacement(_ call: @escaping @Sendable () -> Void) {
    state.withLock { $0.beforeReplacement = call }
  }

  /// Lets this many checks find a writer, like a starting process that holds a file's descriptor until its exec.
  func findWriter(looks: Int) { state.withLock { $0.looksThatFindAWriter = looks } }

  /// Throws if the call is to fail.
  private func pass(_ kind: String, bytes: Int = 0) throws(Errno) {
    let number = state.withLock { state -> Int32 in
      defer { state.count += 1 }
      state.kinds.append(kind)
      switch state.fault {
      case .once(let index, let number): return index == state.count ? number : 0
      case .deadFrom(let index): return state.count >= index ? EIO : 0
      case .kind(let wanted, let number): return kind == wanted ? number : 0
      case .kinds(let wanted, let number): return wanted.contains(kind) ? number : 0
      case .diskFull(let limit):
        if state.written + bytes > limit { return ENOSPC }
        state.written += bytes
        return 0
      case .fatNames, .unlinks, .statuses, .mountedApart, .forgottenFacts, .cutList, nil: return 0
      }
    }
    if number != 0 { throw Errno(rawValue: number) }
  }

  func openFolder(_ folder: Int32, beneath path: String) throws(Errno) -> Int32 {
    try system.openFolder(folder, beneath: path)
  }
  func open(_ location: FileLocation, _ flags: Int32, _ mode: UInt32) throws(Errno) -> Int32 {
    if flags & O_CREAT != 0 { try pass("create") }
    return try system.open(location, flags, mode)
  }
  func close(_ descriptor: Int32) throws(Errno) { try system.close(descriptor) }
  func lock(_ descriptor: Int32, _ operation: Int32) throws(Errno) {
    try system.lock(descriptor, operation)
  }
  func status(_ descriptor: Int32) throws(Errno) -> stat { try system.status(descriptor) }
  func status(of location: FileLocation) throws(Errno) -> stat {
    if case .statuses(let name, let number) = state.withLock({ $0.fault }), location.name == name {
      throw Errno(rawValue: number)
    }
    var status = try system.status(of: location)
    if case .forgottenFacts = state.withLock({ $0.fault }), status.st_mode & S_IFMT == S_IFREG {
      status.st_ino &+= 1 << 40
      status.st_mtim.tv_sec &= ~1
      status.st_mtim.tv_nsec = 0
    }
    return status
  }
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(Errno) -> Int {
    try pass("read")
    let done = try system.read(descriptor, buffer, at: offset)
    let call = state.withLock { state -> (@Sendable () -> Void)? in
      guard let after = state.afterRead, done >= after.size else { return nil }
      state.afterRead = nil
      return after.call
    }
    call?()
    return done
  }
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    try pass("write", bytes: bytes.count)
    return try system.write(descriptor, bytes)
  }
  func truncate(_ descriptor: Int32, _ length: Int) throws(Errno) {
    try pass("truncate")
    try system.truncate(descriptor, length)
  }
  func synchronize(_ descriptor: Int32) throws(Errno) {
    try pass("sync")
    try system.synchronize(descriptor)
  }
  func synchronizeFileSystem(_ descriptor: Int32) throws(Errno) {
    try pass("syncfs")
    try system.synchronizeFileSystem(descriptor)
  }
  func fileSystemType(_ path: String) -> Int? {
    if case .fatNames(true) = state.withLock({ $0.fault }) { return 0x4d44 }
    return type
  }
  func rename(_ from: FileLocation, _ to: FileLocation) throws(Errno) {
    if case .fatNames = state.withLock({ $0.fault }), to.name.contains(":") {
      throw .invalidArgument
    }
    // Paths of the library's files are relative to its open folder.
    if case .mountedApart = state.withLock({ $0.fault }),
      (from.folder == AT_FDCWD) != (to.folder == AT_FDCWD)
    {
      throw .improperLink
    }
    try pass("rename")
    try system.rename(from, to)
  }
  func replace(_ from: FileLocation, _ to: FileLocation) throws(Errno) {
    state.withLock { $0.beforeReplacement }?()
    try pass("replace")
    try system.replace(from, to)
  }
  func unlink(_ location: FileLocation) throws(Errno) {
    try pass("unlink")
    if case .unlinks(let prefix, let number) = state.withLock({ $0.fault }),
      location.name.hasPrefix(prefix)
    {
      throw Errno(rawValue: number)
    }
    try system.unlink(location)
  }
  func makeFolder(_ location: FileLocation, _ mode: UInt32) throws(Errno) {
    try pass("mkdir")
    try system.makeFolder(location, mode)
  }
  func removeFolder(_ location: FileLocation) throws(Errno) {
    try pass("rmdir")
    try system.removeFolder(location)
  }
  func entries(_ folder: Int32) throws(Errno) -> [FolderEntry] {
    let entries = try system.entries(folder)
    if case .cutList(let name, let number) = state.withLock({ $0.fault }),
      entries.contains(where: { $0.name == name })
    {
      throw Errno(rawValue: number)
    }
    return entries
  }
  func setModified(_ descriptor: Int32, seconds: Int, nanoseconds: Int) throws(Errno) {
    try system.setModified(descriptor, seconds: seconds, nanoseconds: nanoseconds)
  }
  func dropCache(_ descriptor: Int32) {
    state.withLock { $0.drops.append($0.kinds.count) }
    system.dropCache(descriptor)
  }
  func checkUnwritten(_ descriptor: Int32) throws(Errno) {
    let findsWriter = state.withLock { state in
      defer { state.looksThatFindAWriter = max(0, state.looksThatFindAWriter - 1) }
      return state.looksThatFindAWriter > 0
    }
    if findsWriter { throw .resourceTemporarilyUnavailable }
    try system.checkUnwritten(descriptor)
  }
}
