import Foundation
import Glibc
import MediaLibrary
import Synchronization
import TestSupport

/// The system's calls, of which one fails, or after which nothing happens any more: what a killed
/// process leaves behind.
final class FaultyFileCalls: LibraryFileCalls {
  enum Fault: Sendable {
    /// The call with this number fails, all others work.
    case once(Int, errno: Int32)
    /// From this call on nothing happens any more.
    case deadFrom(Int)
    /// Each call of a kind fails.
    case kind(String, errno: Int32)
    /// Every write that would bring the total over a number of bytes fails.
    case diskFull(after: Int)
    /// Names are those of FAT: no colon, and no dot at the end. The disk says that it is one, or not.
    case fatNames(isTold: Bool)
  }

  private let system = SystemLibraryFileCalls()
  private let type: Int

  /// - Parameter fileSystem: The type that every file system says it has (linux/magic.h); ext4's.
  init(fileSystem: Int = 0xEF53) { type = fileSystem }

  private struct State {
    var fault: Fault?
    var count = 0
    var written = 0
    var kinds: [String] = []
    var afterRead: (size: Int, call: @Sendable () -> Void)?
  }
  private let state = Mutex(State())

  /// The kinds of the calls so far, but for those that only look.
  var trace: [String] { state.withLock { $0.kinds } }

  /// Begins to count, and to fail.
  func arm(_ fault: Fault?) { state.withLock { $0 = State(fault: fault) } }

  /// Calls `call` once, after a read of that many bytes.
  func afterRead(ofAtLeast size: Int, _ call: @escaping @Sendable () -> Void) {
    state.withLock { $0.afterRead = (size, call) }
  }

  /// False where the call is to fail, and `errno` says why.
  private func passes(_ kind: String, bytes: Int = 0) -> Bool {
    let number = state.withLock { state -> Int32 in
      defer { state.count += 1 }
      state.kinds.append(kind)
      switch state.fault {
      case .once(let index, let number): return index == state.count ? number : 0
      case .deadFrom(let index): return state.count >= index ? EIO : 0
      case .kind(let wanted, let number): return kind == wanted ? number : 0
      case .diskFull(let limit):
        if state.written + bytes > limit { return ENOSPC }
        state.written += bytes
        return 0
      case .fatNames, nil: return 0
      }
    }
    if number != 0 { errno = number }
    return number == 0
  }

  func openFolder(_ folder: Int32, beneath path: String) -> Int32 {
    system.openFolder(folder, beneath: path)
  }
  func open(_ location: FileLocation, _ flags: Int32, _ mode: UInt32) -> Int32 {
    guard flags & O_CREAT == 0 || passes("create") else { return -1 }
    return system.open(location, flags, mode)
  }
  func close(_ descriptor: Int32) -> Int32 { system.close(descriptor) }
  func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
    system.lock(descriptor, operation)
  }
  func status(_ descriptor: Int32, _ status: inout stat) -> Int32 {
    system.status(descriptor, &status)
  }
  func status(of location: FileLocation, _ status: inout stat) -> Int32 {
    system.status(of: location, &status)
  }
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int
  ) -> Int {
    guard passes("read") else { return -1 }
    let done = system.read(descriptor, buffer, count, offset)
    let call = state.withLock { state -> (@Sendable () -> Void)? in
      guard let after = state.afterRead, done >= after.size else { return nil }
      state.afterRead = nil
      return after.call
    }
    call?()
    return done
  }
  func write(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    passes("write", bytes: count) ? system.write(descriptor, buffer, count) : -1
  }
  func truncate(_ descriptor: Int32, _ length: Int) -> Int32 {
    passes("truncate") ? system.truncate(descriptor, length) : -1
  }
  func synchronize(_ descriptor: Int32) -> Int32 {
    passes("sync") ? system.synchronize(descriptor) : -1
  }
  func synchronizeFileSystem(_ descriptor: Int32) -> Int32 {
    passes("syncfs") ? system.synchronizeFileSystem(descriptor) : -1
  }
  func fileSystemType(_ path: String) -> Int {
    if case .fatNames(true) = state.withLock({ $0.fault }) { return 0x4d44 }
    return type
  }
  func rename(_ from: FileLocation, _ to: FileLocation) -> Int32 {
    if case .fatNames = state.withLock({ $0.fault }), to.name.contains(":") {
      errno = EINVAL
      return -1
    }
    return passes("rename") ? system.rename(from, to) : -1
  }
  func replace(_ from: FileLocation, _ to: FileLocation) -> Int32 {
    passes("replace") ? system.replace(from, to) : -1
  }
  func unlink(_ location: FileLocation) -> Int32 {
    passes("unlink") ? system.unlink(location) : -1
  }
  func makeFolder(_ location: FileLocation, _ mode: UInt32) -> Int32 {
    passes("mkdir") ? system.makeFolder(location, mode) : -1
  }
  func removeFolder(_ location: FileLocation) -> Int32 {
    passes("rmdir") ? system.removeFolder(location) : -1
  }
  func setModified(_ descriptor: Int32, seconds: Int, nanoseconds: Int) -> Int32 {
    system.setModified(descriptor, seconds: seconds, nanoseconds: nanoseconds)
  }
  func dropCache(_ descriptor: Int32) { system.dropCache(descriptor) }
  func checkUnwritten(_ descriptor: Int32) -> Int32 { system.checkUnwritten(descriptor) }
}
