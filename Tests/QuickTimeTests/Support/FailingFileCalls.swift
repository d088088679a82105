import CLinux
import Glibc
import QuickTime

/// The system's calls, counted, of which some fail.
final class FailingFileCalls: FileCalls {
  /// A call site of writing a file.
  enum Call: Hashable, CaseIterable {
    case open, openDirect, openFolder
    case close, lock, status, read
    case write, writeDirect
    case reserve, truncate, synchronizeData, synchronizeFolder, rename, unlink, copy
  }

  private let system = SystemFileCalls()
  private var directDescriptors: Set<Int32> = []
  /// Calls so far, of each kind.
  private(set) var counts: [Call: Int] = [:]
  /// What a call fails with, from its number among those of its kind, from 0; nil where it does not.
  var failure: (Call, Int) -> Int32? = { _, _ in nil }
  /// Bytes that a write takes at most.
  var longestWrite = Int.max

  /// True, and `errno` is set, where a call is to fail.
  private func fails(_ call: Call) -> Bool {
    let number = counts[call, default: 0]
    counts[call] = number + 1
    guard let code = failure(call, number) else { return false }
    errno = code
    return true
  }

  func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    let isDirect = flags & open_direct != 0
    if fails(isDirect ? .openDirect : flags & O_DIRECTORY != 0 ? .openFolder : .open) { return -1 }
    let descriptor = system.open(path, flags, mode)
    if isDirect, descriptor >= 0 { directDescriptors.insert(descriptor) }
    return descriptor
  }

  func close(_ descriptor: Int32) -> Int32 {
    directDescriptors.remove(descriptor)
    let fails = fails(.close)
    let code = errno
    // As the kernel does: the descriptor is gone even where close says otherwise.
    let status = system.close(descriptor)
    if fails { errno = code }
    return fails ? -1 : status
  }

  func lock(_ descriptor: Int32) -> Int32 { fails(.lock) ? -1 : system.lock(descriptor) }

  func unlock(_ descriptor: Int32) -> Int32 { system.unlock(descriptor) }

  func isLocked(_ descriptor: Int32) -> Int32 {
    fails(.lock) ? -1 : system.isLocked(descriptor)
  }

  func status(_ descriptor: Int32, _ status: inout stat) -> Int32 {
    fails(.status) ? -1 : system.status(descriptor, &status)
  }

  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int
  ) -> Int { fails(.read) ? -1 : system.read(descriptor, buffer, count, offset) }

  func write(
    _ descriptor: Int32, _ vectors: UnsafePointer<iovec>?, _ count: Int32, _ offset: Int
  ) -> Int {
    if fails(directDescriptors.contains(descriptor) ? .writeDirect : .write) { return -1 }
    guard longestWrite < .max, let vectors else {
      return system.write(descriptor, vectors, count, offset)
    }
    var first = vectors[0]
    first.iov_len = min(first.iov_len, longestWrite)
    return system.write(descriptor, &first, 1, offset)
  }

  func reserve(_ descriptor: Int32, _ offset: Int, _ length: Int) -> Int32 {
    fails(.reserve) ? -1 : system.reserve(descriptor, offset, length)
  }

  func truncate(_ descriptor: Int32, _ length: Int) -> Int32 {
    fails(.truncate) ? -1 : system.truncate(descriptor, length)
  }

  func synchronizeData(_ descriptor: Int32) -> Int32 {
    fails(.synchronizeData) ? -1 : system.synchronizeData(descriptor)
  }

  func synchronize(_ descriptor: Int32) -> Int32 {
    fails(.synchronizeFolder) ? -1 : system.synchronize(descriptor)
  }

  func rename(_ path: String, _ newPath: String) -> Int32 {
    fails(.rename) ? -1 : system.rename(path, newPath)
  }

  func unlink(_ path: String) -> Int32 { fails(.unlink) ? -1 : system.unlink(path) }

  func copy(_ source: Int32, _ target: Int32, _ offset: Int, _ count: Int) -> Int {
    fails(.copy) ? -1 : system.copy(source, target, offset, count)
  }
}
