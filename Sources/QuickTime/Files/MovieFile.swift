/// The seam under the movie writer: every system call of writing a file, and no more.
///
/// ``PosixMovieFile`` is the real one. A test puts its own in place, to record the order of writes or
/// to make any of them fail. Large frames come from memory and at places that are multiples of 4096,
/// in whole blocks of that size, so that an implementation may write them past the page cache.
///
/// A file is used from one thread at a time.
public protocol MovieFile: MovieByteSource {
  /// Writes the buffers one after another from `offset` on: all of them, or it throws. After a throw
  /// any part of the range may have been written.
  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(QuickTimeError)

  /// Reserves space for a range, and leaves the file's size as it is (`FALLOC_FL_KEEP_SIZE`).
  ///
  /// - Returns: false where the file system knows no reservation.
  func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool

  /// Cuts or extends the file, and gives back what was reserved beyond its end.
  func truncate(to size: UInt64) throws(QuickTimeError)

  /// Brings the data, and what it takes to find them again, to the disk (`fdatasync`).
  func synchronize() throws(QuickTimeError)

  /// Brings the file's name to the disk (`fsync` of its folder).
  func synchronizeParentDirectory() throws(QuickTimeError)

  /// Closes the file. Nothing else may be called afterwards, but ``remove()``.
  func close() throws(QuickTimeError)

  /// Takes the file's name away.
  func remove() throws(QuickTimeError)
}

extension MovieFile {
  /// Writes a few bytes of our own making.
  func write(_ bytes: [UInt8], at offset: UInt64) throws(QuickTimeError) {
    var failure: QuickTimeError?
    bytes.withUnsafeBytes { buffer in
      do throws(QuickTimeError) {
        try write([buffer], at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
