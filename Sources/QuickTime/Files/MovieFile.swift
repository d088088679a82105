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

  /// The first byte that the file does not hold on the disk, as far as it is one piece: beyond its
  /// size where space is reserved. Nil where that cannot be told.
  var heldSize: UInt64? { get }

  /// Truncates or extends the file, and releases space reserved beyond its end.
  func truncate(to size: UInt64) throws(QuickTimeError)

  /// Brings the data, and what it takes to find them again, to the disk (`fdatasync`).
  func synchronize() throws(QuickTimeError)

  /// Bytes from the file's beginning that are on the disk, where ``synchronize()`` returns before all
  /// disks have what it was called for: those that each disk that is left has confirmed. Nil where
  /// it waits for all.
  var confirmedSize: UInt64? { get }

  /// Brings the file's name to the disk (`fsync` of its folder).
  func synchronizeParentDirectory() throws(QuickTimeError)

  /// Closes the file. Nothing else may be called afterwards, but ``remove()``.
  func close() throws(QuickTimeError)

  /// Unlinks the file, unless its name belongs to another file by now.
  func remove() throws(QuickTimeError)

  /// False while another file, which this one is to replace, still has the name: see
  /// ``adoptName()``.
  var hasName: Bool { get }

  /// Atomically replaces the file whose name this one is to take. Called once the first fragment is on the disk, so
  /// that nothing of value is replaced by an empty file.
  ///
  /// - Throws: Errors of the disk. Both files exist then, and ``MovieByteSource/name`` is the
  ///   present name of this one.
  func adoptName() throws(QuickTimeError)

  /// Gives up replacing the other file: this one keeps its present ``MovieByteSource/name`` beside it. Called if the
  /// contents of this one are in doubt.
  func forgoName()

  /// Checks whether another program has moved, replaced, deleted or truncated the file since the last check. If it was
  /// moved, ``MovieByteSource/name`` is the new name from here on.
  ///
  /// - Parameters:
  ///   - size: Bytes that the file has at least.
  ///   - marks: Places of four-character codes that must still be there.
  /// - Returns: What happened; nil for nothing.
  func noticeChange(
    size: UInt64, marks: [(offset: UInt64, code: String)]
  ) -> MovieFileChange?

  /// Recreates the file's folder on the same disk. Does nothing if it exists.
  func restoreFolder() throws(QuickTimeError)

  /// The other files that get the same bytes, as they are now: those of a file that is written in two
  /// places at once.
  var copies: [MovieFileCopy] { get }

  /// Copies a file whose name was taken away to that name, or to a free one like it.
  /// ``MovieByteSource/name`` is the copy's afterwards.
  ///
  /// - Throws: Errors of the disk; no copy is left then.
  func restore() throws(QuickTimeError)
}

/// What another program did to a movie file while it was written.
public enum MovieFileChange: String, Sendable, Hashable, Codable, CaseIterable {
  /// It was moved or renamed, and is whole.
  case moved
  /// It was unlinked, alone or with its folder.
  case deleted
  /// Another file was put in its place.
  case replaced
  /// It was emptied or truncated: its contents are lost.
  case emptied
}

/// Defaults for a file that has no name in a folder, such as one in memory.
extension MovieFile {
  public var hasName: Bool { true }
  /// None.
  public var copies: [MovieFileCopy] { [] }
  /// Nil.
  public var heldSize: UInt64? { nil }
  /// Nil.
  public var confirmedSize: UInt64? { nil }
  /// Does nothing.
  ///
  /// - Throws: Never.
  public func adoptName() throws(QuickTimeError) {}
  /// Does nothing.
  public func forgoName() {}
  /// Nil.
  public func noticeChange(
    size: UInt64, marks: [(offset: UInt64, code: String)]
  ) -> MovieFileChange? { nil }
  /// Does nothing.
  ///
  /// - Throws: Never.
  public func restoreFolder() throws(QuickTimeError) {}
  /// Does nothing.
  ///
  /// - Throws: Never.
  public func restore() throws(QuickTimeError) {}
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
