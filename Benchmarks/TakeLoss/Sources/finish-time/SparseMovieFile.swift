import QuickTime

/// A real file that omits the inside of large frames: a take of fifty gigabytes needs a few megabytes of disk.
final class SparseMovieFile: MovieFile {
  private let file: PosixMovieFile
  /// False if frames are to be whole: recovery reads those of the last fragment.
  var isSparse = true

  init(path: String) throws(QuickTimeError) {
    file = try PosixMovieFile(path: path, mode: .overwrite)
  }

  var name: String { file.name }

  func size() throws(QuickTimeError) -> UInt64 { try file.size() }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int { try file.read(into: buffer, at: offset) }

  func write(
    _ buffers: [UnsafeRawBufferPointer], at offset: UInt64
  ) throws(QuickTimeError) {
    let count = buffers.reduce(0) { $0 + $1.count }
    guard isSparse, count > 1 << 20, let first = buffers.first else {
      return try file.write(buffers, at: offset)
    }
    try file.write([UnsafeRawBufferPointer(rebasing: first[..<4096])], at: offset)
    try file.truncate(to: max(try file.size(), offset + UInt64(count)))
  }

  func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool { false }
  func truncate(to size: UInt64) throws(QuickTimeError) { try file.truncate(to: size) }
  func synchronize() throws(QuickTimeError) { try file.synchronize() }

  func synchronizeParentDirectory() throws(QuickTimeError) {
    try file.synchronizeParentDirectory()
  }

  func close() throws(QuickTimeError) { try file.close() }
  func remove() throws(QuickTimeError) { try file.remove() }
  var hasName: Bool { file.hasName }
  func adoptName() throws(QuickTimeError) { try file.adoptName() }
}
