import MediaCore
import QuickTime

/// A movie file in memory that remembers each call and can fail any of them on request.
final class TraceFile: MovieFile {
  /// A call that changes the file.
  enum Call: Equatable {
    case write(offset: UInt64, bytes: [UInt8])
    case preallocate
    case truncate(UInt64)
    case synchronize
    case synchronizeParentDirectory
    case close
    case remove
  }

  let name = "memory.mov"
  var content: [UInt8] = []
  private(set) var calls: [Call] = []
  private(set) var isRemoved = false
  /// The number of the call that fails, from 0, and its error; a failing write leaves half of its
  /// bytes.
  var failure: (call: Int, error: QuickTimeError)?
  /// True for a disk that does not recover: all later calls fail as well.
  var failsForGood = false
  /// The disk's capacity in bytes; writes and reservations past it fail with ENOSPC.
  var capacity = UInt64.max
  /// The error of a write past the capacity.
  var capacityError = TraceFile.diskFull
  var reservationIsSupported = true
  /// False saves memory if only the content matters.
  var keepsCalls = true
  private var callCount = 0

  init(_ content: [UInt8] = []) { self.content = content }

  private func count(_ call: @autoclosure () -> Call) throws(QuickTimeError) {
    defer { callCount += 1 }
    if keepsCalls { calls.append(call()) }
    guard let failure else { return }
    if failsForGood ? callCount >= failure.call : callCount == failure.call { throw failure.error }
  }

  func size() throws(QuickTimeError) -> UInt64 { UInt64(content.count) }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int {
    guard offset < content.count else { return 0 }
    let count = min(buffer.count, content.count - Int(offset))
    content.withUnsafeBytes {
      buffer.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + count]))
    }
    return count
  }

  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(QuickTimeError) {
    let total = buffers.reduce(0) { $0 + $1.count }
    let bytes = [UInt8](unsafeUninitializedCapacity: total) { target, filled in
      for buffer in buffers {
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[filled...])
          .copyMemory(from: buffer)
        filled += buffer.count
      }
    }
    do throws(QuickTimeError) {
      try count(.write(offset: offset, bytes: bytes))
    } catch {
      Self.apply(bytes.prefix(bytes.count / 2), at: offset, to: &content)
      throw error
    }
    let room = capacity > offset ? Int(min(capacity - offset, UInt64(bytes.count))) : 0
    Self.apply(bytes.prefix(room), at: offset, to: &content)
    if room < bytes.count { throw capacityError }
  }

  static let diskFull = QuickTimeError(.diskFull, "memory.mov: full", errno: 28)

  static func apply(_ bytes: some Collection<UInt8>, at offset: UInt64, to content: inout [UInt8]) {
    let start = Int(offset)
    let end = start + bytes.count
    if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
    content.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[start..<end]).copyBytes(from: bytes)
    }
  }

  func preallocate(offset: UInt64, count length: UInt64) throws(QuickTimeError) -> Bool {
    try count(.preallocate)
    guard reservationIsSupported else { return false }
    if offset + length > capacity { throw capacityError }
    return true
  }

  func truncate(to size: UInt64) throws(QuickTimeError) {
    try count(.truncate(size))
    if content.count > Int(size) {
      content.removeLast(content.count - Int(size))
    } else {
      content += repeatElement(0, count: Int(size) - content.count)
    }
  }

  func synchronize() throws(QuickTimeError) { try count(.synchronize) }
  func synchronizeParentDirectory() throws(QuickTimeError) {
    try count(.synchronizeParentDirectory)
  }
  func close() throws(QuickTimeError) { try count(.close) }
  func remove() throws(QuickTimeError) {
    try count(.remove)
    isRemoved = true
  }
}
