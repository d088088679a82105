import MediaCore

/// Space reserved ahead of what is written, and a ballast at its end that no fragment may use: with
/// it there is room for the index when the disk is full.
struct SpaceReservation {
  /// Bytes reserved at a time; 0 for no reservation at all.
  let step: UInt64
  /// Bytes at the end of the reserved space that are kept for the index.
  let ballast: UInt64
  /// The file's largest size: nothing is reserved beyond.
  let limit: UInt64
  /// The first byte that is not reserved.
  private(set) var end: UInt64 = 0
  /// False once the file system has said that it knows no reservation.
  private(set) var isSupported: Bool
  /// The first byte that the file does not hold on the disk: beyond `end` where there was room for
  /// the first part of a step only.
  private var held: UInt64 = 0
  /// The first byte that is not written.
  private var written: UInt64 = 0
  /// The shared account of reserved space, and what this movie added to it.
  private let space: ReservedSpace?
  private var reported: Int64 = 0

  init(step: Int, ballast: Int, limit: UInt64 = .max, reportedTo space: ReservedSpace? = nil) {
    self.space = space
    self.limit = limit
    self.step = UInt64(max(step, 0))
    self.ballast = UInt64(max(ballast, 0))
    self.isSupported = step > 0
  }

  /// Makes sure that the file can grow to `size` and still have room for an index of `indexSize`.
  ///
  /// Reserves a whole step, or, if the disk has no room for it, just what is needed.
  mutating func reserve(
    upTo size: UInt64, indexSize: UInt64, in file: any MovieFile
  ) throws(QuickTimeError) {
    guard isSupported else { return }
    let needed = min(size + max(ballast, indexSize), limit)
    guard needed > end else { return }
    let count = min(max(step, needed - end), limit - end)
    // Told before the disk knows of it: who adds both up must not miss it in between.
    tell(upTo: end + count)
    defer { tell(upTo: end) }
    do throws(QuickTimeError) {
      isSupported = try file.preallocate(offset: end, count: count)
      if isSupported { end += count }
    } catch {
      // A file system may keep the part of a step that it had room for.
      if error.code == .diskFull { held = file.heldSize ?? held }
      guard error.code == .diskFull, needed - end < step else { throw error }
      isSupported = try file.preallocate(offset: end, count: needed - end)
      if isSupported { end = needed }
    }
  }

  /// Takes note that the file is written up to `size`.
  mutating func noteWritten(upTo size: UInt64) {
    written = size
    tell(upTo: end)
  }

  /// Notes that the file has released the space beyond its end, or was given up.
  mutating func release() {
    held = 0
    written = .max
    tell(upTo: end)
  }

  private mutating func tell(upTo end: UInt64) {
    guard let space else { return }
    let last = max(end, held)
    let count = last > written ? Int64(clamping: last - written) : 0
    guard count != reported else { return }
    space.add(count - reported)
    reported = count
  }

  /// True where the reserved space, ballast included, surely takes a file of `size`.
  func holds(_ size: UInt64) -> Bool { isSupported && size <= end }
}
