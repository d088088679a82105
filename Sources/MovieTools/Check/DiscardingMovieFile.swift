import QuickTime

/// A movie file that only keeps its size, to measure everything except the disk.
final class DiscardingMovieFile: MovieFile {
  let name = "nowhere"
  private var byteCount: UInt64 = 0

  func size() throws(QuickTimeError) -> UInt64 { byteCount }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int { 0 }

  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(QuickTimeError) {
    byteCount = max(byteCount, offset + UInt64(buffers.reduce(0) { $0 + $1.count }))
  }

  func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool { false }
  func truncate(to size: UInt64) throws(QuickTimeError) { byteCount = size }
  func synchronize() throws(QuickTimeError) {}
  func synchronizeParentDirectory() throws(QuickTimeError) {}
  func close() throws(QuickTimeError) {}
  func remove() throws(QuickTimeError) {}
}
