import CLinux
import Glibc
import QuickTime
import SystemPackage

/// The system's calls, counted, some of which fail.
final class FailingFileCalls: FileCalls {
  /// A call made for writing a file.
  enum Call: Hashable, CaseIterable {
    case open, openDirect, openFolder
    case close, lock, status, read
    case write, writeDirect
    case reserve, truncate, synchronizeData, synchronizeFolder, rename, unlink, copy
  }

  private let system = SystemFileCalls()
  private var directDescriptors: Set<Int32> = []
  /// The number of calls so far, by kind.
  private(set) var counts: [Call: Int] = [:]
  /// The error of a call, by its number among those of its kind, from 0; nil if it succeeds.
  var failure: (Call, Int) -> Int32? = { _, _ in nil }
  /// The most bytes that one write takes.
  var longestWrite = Int.max

  /// Counts a call, and throws its planned error.
  private func count(_ call: Call) throws(Errno) {
    let number = counts[call, default: 0]
    counts[call] = number + 1
    if let code = failure(call, number) { throw Errno(rawValue: code) }
  }

  func open(_ path: String, _ flags: Int32, _ mode: UInt32) throws(Errno) -> Int32 {
    let isDirect = flags & open_direct != 0
    try count(isDirect ? .openDirect : flags & O_DIRECTORY != 0 ? .openFolder : .open)
    let descriptor = try system.open(path, flags, mode)
    if isDirect { directDescriptors.insert(descriptor) }
    return descriptor
  }

  func close(_ descriptor: Int32) throws(Errno) {
    directDescriptors.remove(descriptor)
    do throws(Errno) { try count(.close) } catch {
      // As in the kernel: the descriptor is gone even if close reports an error.
      try system.close(descriptor)
      throw error
    }
    try system.close(descriptor)
  }

  func lock(_ descriptor: Int32) throws(Errno) {
    try count(.lock)
    try system.lock(descriptor)
  }

  func unlock(_ descriptor: Int32) { system.unlock(descriptor) }

  func isLocked(_ descriptor: Int32) throws(Errno) -> Bool {
    try count(.lock)
    return try system.isLocked(descriptor)
  }

  func status(_ descriptor: Int32) throws(Errno) -> stat {
    try count(.status)
    return try system.status(descriptor)
  }

  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(Errno) -> Int {
    try count(.read)
    return try system.read(descriptor, buffer, at: offset)
  }

  func write(
    _ descriptor: Int32, _ vectors: UnsafeBufferPointer<iovec>, at offset: Int
  ) throws(Errno) -> Int {
    try count(directDescriptors.contains(descriptor) ? .writeDirect : .write)
    guard longestWrite < .max, var first = vectors.first else {
      return try system.write(descriptor, vectors, at: offset)
    }
    first.iov_len = min(first.iov_len, longestWrite)
    return try withUnsafePointer(to: first) { vector throws(Errno) in
      try system.write(descriptor, UnsafeBufferPointer(start: vector, count: 1), at: offset)
    }
  }

  func reserve(_ descriptor: Int32, _ offset: Int, _ length: Int) throws(Errno) {
    try count(.reserve)
    try system.reserve(descriptor, offset, length)
  }

  func truncate(_ descriptor: Int32, _ length: Int) throws(Errno) {
    try count(.truncate)
    try system.truncate(descriptor, length)
  }

  func synchronizeData(_ descriptor: Int32) throws(Errno) {
    try count(.synchronizeData)
    try system.synchronizeData(descriptor)
  }

  func synchronize(_ descriptor: Int32) throws(Errno) {
    try count(.synchronizeFolder)
    try system.synchronize(descriptor)
  }

  func rename(_ path: String, _ newPath: String) throws(Errno) {
    try count(.rename)
    try system.rename(path, newPath)
  }

  func unlink(_ path: String) throws(Errno) {
    try count(.unlink)
    try system.unlink(path)
  }

  func copy(
    _ source: Int32, _ target: Int32, _ offset: Int, _ count: Int
  ) throws(Errno) -> Int {
    try self.count(.copy)
    return try system.copy(source, target, offset, count)
  }
}
