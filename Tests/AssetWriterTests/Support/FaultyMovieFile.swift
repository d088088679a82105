import MediaCore
import QuickTime
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A real file whose calls fail as planned.
final class FaultyMovieFile: MovieFile {
  /// The failures.
  struct Plan: Sendable {
    /// The disk's capacity in bytes.
    var capacity = UInt64.max
    /// The number of the write, from 1, from which on all writes fail with EIO.
    var failingWrite = Int.max
    /// The number of the sync, from 1, from which on all syncs fail with EIO.
    var failingSync = Int.max
    /// The number of the one sync, from 1, that fails with EIO; the next one succeeds because the
    /// kernel has nothing left to do.
    var onlyFailingSync = Int.max
    /// True if syncing the folder, which holds the file's name, fails.
    var failsFolderSync = false
    var mode = PosixMovieFile.Mode.create
    /// Called before the file takes its name.
    var willAdoptName: @Sendable (_ path: String) -> Void = { _ in }
  }

  private let file: PosixMovieFile
  private let plan: Plan
  private var writes = 0
  private var syncs = 0

  init(path: String, plan: Plan) throws(QuickTimeError) {
    file = try PosixMovieFile(path: path, mode: plan.mode)
    self.plan = plan
  }

  var name: String { file.name }
  var hasName: Bool { file.hasName }

  func adoptName() throws(QuickTimeError) {
    plan.willAdoptName(file.path)
    try file.adoptName()
  }

  func forgoName() { file.forgoName() }

  private func full() -> QuickTimeError {
    QuickTimeError(.diskFull, "\(name): the disk is full", errno: ENOSPC)
  }

  private func broken(_ what: String) -> QuickTimeError {
    QuickTimeError(.ioFailed, "\(name): cannot \(what)", errno: EIO)
  }

  func size() throws(QuickTimeError) -> UInt64 { try file.size() }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int { try file.read(into: buffer, at: offset) }

  func write(
    _ buffers: [UnsafeRawBufferPointer], at offset: UInt64
  ) throws(QuickTimeError) {
    writes += 1
    if writes >= plan.failingWrite { throw broken("write") }
    let count = buffers.reduce(0) { $0 + UInt64($1.count) }
    guard offset + count <= plan.capacity else { throw full() }
    try file.write(buffers, at: offset)
  }

  func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool {
    guard offset + count <= plan.capacity else { throw full() }
    return true
  }

  func truncate(to size: UInt64) throws(QuickTimeError) { try file.truncate(to: size) }

  func synchronize() throws(QuickTimeError) {
    syncs += 1
    if syncs >= plan.failingSync || syncs == plan.onlyFailingSync { throw broken("sync") }
  }

  func synchronizeParentDirectory() throws(QuickTimeError) {
    if plan.failsFolderSync { throw broken("sync the folder") }
  }
  func close() throws(QuickTimeError) { try file.close() }
  func remove() throws(QuickTimeError) { try file.remove() }
}
