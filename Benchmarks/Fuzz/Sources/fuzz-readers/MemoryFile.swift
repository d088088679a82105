import QuickTime

/// A movie file in memory.
final class MemoryFile: MovieFile {
  let name = "memory.mov"
  var content: [UInt8]

  init(_ content: [UInt8] = []) { self.content = content }

  func size() throws(QuickTimeError) -> UInt64 { UInt64(content.count) }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int {
    guard offset < UInt64(content.count) else { return 0 }
    let count = min(buffer.count, content.count - Int(offset))
    content.withUnsafeBytes {
      buffer.copyMemory(from: .init(rebasing: $0[Int(offset)..<Int(offset) + count]))
    }
    return count
  }

  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(QuickTimeError) {
    var place = Int(offset)
    for buffer in buffers {
      let end = place + buffer.count
      if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
      content.withUnsafeMutableBytes {
        UnsafeMutableRawBufferPointer(rebasing: $0[place..<end]).copyMemory(from: buffer)
      }
      place = end
    }
  }

  func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool { false }

  func truncate(to size: UInt64) throws(QuickTimeError) {
    if content.count > Int(size) {
      content.removeLast(content.count - Int(size))
    } else {
      content += [UInt8](repeating: 0, count: Int(size) - content.count)
    }
  }

  func synchronize() throws(QuickTimeError) {}
  func synchronizeParentDirectory() throws(QuickTimeError) {}
  func close() throws(QuickTimeError) {}
  func remove() throws(QuickTimeError) {}
}
