import QuickTime

/// A file in memory on a disk of its own, which counts how much of it the file takes.
final class SmallDisk: MovieFile {
  private let file = TraceFile()
  let capacity: UInt64
  /// True if the disk keeps the part of a reservation that fitted, as ext4 does.
  let keepsPartOfReservation: Bool
  /// The first byte that is not allocated to the file.
  private(set) var held: UInt64 = 0
  /// Called before and after each call that changes the file's allocation, and at each sync.
  var look: () -> Void = {}

  init(capacity: UInt64, keepsPartOfReservation: Bool) {
    self.capacity = capacity
    self.keepsPartOfReservation = keepsPartOfReservation
  }

  var free: UInt64 { capacity - held }
  var written: UInt64 { UInt64(file.content.count) }
  var name: String { file.name }
  var heldSize: UInt64? { held }

  func size() throws(QuickTimeError) -> UInt64 { try file.size() }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int { try file.read(into: buffer, at: offset) }

  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(QuickTimeError) {
    let end = offset + UInt64(buffers.reduce(0) { $0 + $1.count })
    guard end <= capacity else { throw TraceFile.diskFull }
    look()
    try file.write(buffers, at: offset)
    held = max(held, end)
  }

  func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool {
    look()
    defer { look() }
    guard offset + count <= capacity else {
      if keepsPartOfReservation { held = capacity }
      throw TraceFile.diskFull
    }
    held = max(held, offset + count)
    return true
  }

  func truncate(to size: UInt64) throws(QuickTimeError) {
    look()
    try file.truncate(to: size)
    held = size
  }

  func synchronize() throws(QuickTimeError) { look() }
  func synchronizeParentDirectory() throws(QuickTimeError) { look() }
  func close() throws(QuickTimeError) {}
  func remove() throws(QuickTimeError) { held = 0 }
}
