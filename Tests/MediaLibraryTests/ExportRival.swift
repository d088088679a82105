import Foundation
import Glibc
import MediaLibrary
import Synchronization
import SystemPackage

/// The system's calls, between which another program replaces a file being written with a shorter one.
final class ExportRival: LibraryFileCalls {
  /// When the file is replaced, once.
  enum Moment: Sendable, CaseIterable {
    /// Before the new file is locked.
    case locking
    /// Before the new file is read back.
    case readingBack
    /// After it was read back, before its name is checked.
    case naming
    /// After that, before it gets its final name.
    case renaming
  }

  static let bytes: [UInt8] = [1, 2, 3]

  private struct State {
    var moment: Moment?
    var knowsLocks = true
    /// The open files that are being written.
    var parts: [Int32: String] = [:]
    var wasReadAgain = false
  }

  private let system = SystemLibraryFileCalls()
  private let type: Int
  private let state = Mutex(State())

  /// - Parameter fileSystem: The type that every file system reports (linux/magic.h).
  init(fileSystem: Int) { type = fileSystem }

  /// Replaces the file at that moment; nil for never.
  func arm(_ moment: Moment?, knowsLocks: Bool = true) {
    state.withLock { ($0.moment, $0.knowsLocks, $0.wasReadAgain) = (moment, knowsLocks, false) }
  }

  private func strike(_ moment: Moment, _ path: String?) {
    let path = state.withLock { state -> String? in
      guard state.moment == moment, let path, path.hasSuffix(".part") else { return nil }
      guard moment != .naming || state.wasReadAgain else { return nil }
      state.moment = nil
      return path
    }
    guard let path else { return }
    try? FileManager.default.removeItem(atPath: path)
    _ = FileManager.default.createFile(atPath: path, contents: Data(Self.bytes))
  }

  private func part(_ descriptor: Int32) -> String? { state.withLock { $0.parts[descriptor] } }

  func openFolder(_ folder: Int32, beneath path: String) throws(Errno) -> Int32 {
    try system.openFolder(folder, beneath: path)
  }
  func open(_ location: FileLocation, _ flags: Int32, _ mode: UInt32) throws(Errno) -> Int32 {
    let descriptor = try system.open(location, flags, mode)
    if location.name.hasSuffix(".part") {
      state.withLock { $0.parts[descriptor] = location.name }
    }
    return descriptor
  }
  func close(_ descriptor: Int32) throws(Errno) {
    state.withLock { $0.parts[descriptor] = nil }
    try system.close(descriptor)
  }
  func lock(_ descriptor: Int32, _ operation: Int32) throws(Errno) {
    if let path = part(descriptor) {
      if operation & LOCK_EX != 0 { strike(.locking, path) }
      guard state.withLock({ $0.knowsLocks }) else { throw .notSupported }
    }
    try system.lock(descriptor, operation)
  }
  func status(_ descriptor: Int32) throws(Errno) -> stat { try system.status(descriptor) }
  func status(of location: FileLocation) throws(Errno) -> stat {
    strike(.naming, location.name)
    return try system.status(of: location)
  }
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(Errno) -> Int {
    try system.read(descriptor, buffer, at: offset)
  }
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    try system.write(descriptor, bytes)
  }
  func truncate(_ descriptor: Int32, _ length: Int) throws(Errno) {
    try system.truncate(descriptor, length)
  }
  func synchronize(_ descriptor: Int32) throws(Errno) { try system.synchronize(descriptor) }
  func synchronizeFileSystem(_ descriptor: Int32) throws(Errno) {
    try system.synchronizeFileSystem(descriptor)
  }
  func rename(_ from: FileLocation, _ to: FileLocation) throws(Errno) {
    strike(.renaming, from.name)
    try system.rename(from, to)
  }
  func replace(_ from: FileLocation, _ to: FileLocation) throws(Errno) {
    try system.replace(from, to)
  }
  func unlink(_ location: FileLocation) throws(Errno) { try system.unlink(location) }
  func makeFolder(_ location: FileLocation, _ mode: UInt32) throws(Errno) {
    try system.makeFolder(location, mode)
  }
  func removeFolder(_ location: FileLocation) throws(Errno) { try system.removeFolder(location) }
  func entries(_ folder: Int32) throws(Errno) -> [FolderEntry] { try system.entries(folder) }
  func setModified(_ descriptor: Int32, seconds: Int, nanoseconds: Int) throws(Errno) {
    try system.setModified(descriptor, seconds: seconds, nanoseconds: nanoseconds)
  }
  func dropCache(_ descriptor: Int32) {
    strike(.readingBack, part(descriptor))
    system.dropCache(descriptor)
    state.withLock { if $0.parts[descriptor] != nil { $0.wasReadAgain = true } }
  }
  func checkUnwritten(_ descriptor: Int32) throws(Errno) { try system.checkUnwritten(descriptor) }
  func fileSystemType(_ path: String) -> Int? { type }
}
