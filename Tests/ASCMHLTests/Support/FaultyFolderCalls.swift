import Glibc
import Synchronization
import SystemPackage

@testable import ASCMHL

/// The system's calls, with a failing disk.
final class FaultyFolderCalls: FolderCalls {
  enum Fault: Sendable {
    /// Every write that would exceed this total number of bytes fails.
    case diskFull(after: Int)
    /// One bit of the data written to files with this suffix is flipped.
    case flipsBits(suffix: String)
    /// Nothing can be synced.
    case synchronizeFails
    /// Folders list this name, but it cannot be found: a directory with a damaged entry.
    case forgets(String)
    /// Another process does something, once, right before a call.
    case meanwhile(before: Call, @Sendable () -> Void)
  }

  enum Call: Sendable, CaseIterable { case lock, readBack, rename }

  private let system = SystemFolderCalls()
  private let fault: Fault?
  private let fileSystem: Int?
  private let knowsLocks: Bool
  /// The calls so far, in order: `create NAME`, `fsync`, `syncfs`, `rename NAME`, `drop`.
  let events = Mutex<[String]>([])
  private struct State {
    var written = 0
    var flipped: Set<Int32> = []
    var isDone = false
  }
  private let state = Mutex(State())

  /// - Parameter fileSystem: The type that the disk reports; nil for its real type.
  init(_ fault: Fault?, fileSystem: Int? = nil, knowsLocks: Bool = true) {
    self.fault = fault
    self.fileSystem = fileSystem
    self.knowsLocks = knowsLocks
  }

  private func come(to call: Call) {
    guard case .meanwhile(call, let act) = fault else { return }
    let isDone = state.withLock { state in
      defer { state.isDone = true }
      return state.isDone
    }
    if !isDone { act() }
  }

  private func note(_ event: String) { events.withLock { $0.append(event) } }

  func open(path: String, _ flags: Int32) throws(Errno) -> Int32 {
    try system.open(path: path, flags)
  }

  func open(
    _ name: String, in folder: Int32, _ flags: Int32, _ mode: UInt32
  ) throws(Errno) -> Int32 {
    let descriptor = try system.open(name, in: folder, flags, mode)
    if flags & O_CREAT != 0 { note("create \(name)") }
    if case .flipsBits(let suffix) = fault, name.hasSuffix(suffix), flags & O_CREAT != 0 {
      state.withLock { _ = $0.flipped.insert(descriptor) }
    }
    return descriptor
  }

  func close(_ descriptor: Int32) {
    state.withLock { _ = $0.flipped.remove(descriptor) }
    system.close(descriptor)
  }

  func lock(_ descriptor: Int32) throws(Errno) {
    come(to: .lock)
    guard knowsLocks else { throw .notSupportedOnSocket }
    try system.lock(descriptor)
  }

  func unlock(_ descriptor: Int32) { system.unlock(descriptor) }

  func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) throws(Errno) -> Int {
    if case .diskFull(let limit) = fault {
      let isFull = state.withLock { state in
        state.written += buffer.count
        return state.written > limit
      }
      if isFull { throw .noSpace }
    }
    guard state.withLock({ $0.flipped.contains(descriptor) }), !buffer.isEmpty else {
      return try system.write(descriptor, buffer)
    }
    var bytes = Array(buffer)
    bytes[bytes.count / 2] ^= 1
    return try bytes.span.bytes.withUnsafeBytes { other throws(Errno) in
      try system.write(descriptor, other)
    }
  }

  func synchronize(_ descriptor: Int32) throws(Errno) {
    note("fsync")
    if case .synchronizeFails = fault { throw .ioError }
    try system.synchronize(descriptor)
  }

  func synchronizeFileSystem(_ descriptor: Int32) throws(Errno) {
    note("syncfs")
    if case .synchronizeFails = fault { throw .ioError }
    try system.synchronizeFileSystem(descriptor)
  }

  func fileSystemType(_ path: String) -> Int { fileSystem ?? system.fileSystemType(path) }

  func status(_ descriptor: Int32) throws(Errno) -> stat { try system.status(descriptor) }
  func status(_ name: String, in folder: Int32) throws(Errno) -> stat {
    if case .forgets(name) = fault { throw .noSuchFileOrDirectory }
    return try system.status(name, in: folder)
  }
  func names(_ folder: Int32) throws(Errno) -> [[UInt8]] { try system.names(folder) }
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(Errno) -> Int { try system.read(descriptor, buffer, at: offset) }
  func rename(_ from: String, to name: String, in folder: Int32) throws(Errno) {
    come(to: .rename)
    try system.rename(from, to: name, in: folder)
    note("rename \(name)")
  }
  func replace(_ name: String, with other: String, in folder: Int32) throws(Errno) {
    try system.replace(name, with: other, in: folder)
  }
  func remove(_ name: String, in folder: Int32) throws(Errno) {
    try system.remove(name, in: folder)
  }
  func makeFolder(_ name: String, in folder: Int32) throws(Errno) {
    try system.makeFolder(name, in: folder)
  }
  func setModified(_ descriptor: Int32, seconds: Int, nanoseconds: Int) {
    system.setModified(descriptor, seconds: seconds, nanoseconds: nanoseconds)
  }
  func dropCache(_ descriptor: Int32) {
    note("drop")
    come(to: .readBack)
    system.dropCache(descriptor)
  }
}
