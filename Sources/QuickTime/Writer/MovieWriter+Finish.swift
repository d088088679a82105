import MediaCore

extension MovieWriter {
  /// Makes a plain movie of the file, in place: the last fragment, the full index, and the switch.
  /// The media are not moved, so it takes no longer for a long take.
  ///
  /// - Returns: What the movie holds.
  /// - Throws: ``QuickTimeError/Code/nothingRecorded`` where no sample was appended, or errors of the
  ///   disk; the file stays what it was, and ``finishAfterFailure()`` may try again.
  public func finish() throws(QuickTimeError) -> MovieSummary {
    guard state == .writing else { throw invalidState("finish()") }
    try guarding { () throws(QuickTimeError) in
      try writeFragment()
      guard !fragmentStarts.isEmpty else { throw nothingRecorded }
      try synchronize()
      try complete()
    }
    return summary
  }

  /// Finishes what is intact after an error: truncates the file to the last complete fragment that the disk has
  /// confirmed, and finishes it. If the disk has no room for the index, fragments are given up for it from the
  /// end, as long as that may help.
  ///
  /// - Returns: What the movie holds.
  /// - Throws: ``QuickTimeError/Code/invalidState`` if no call has failed,
  ///   ``QuickTimeError/Code/nothingRecorded`` if nothing can be saved, or the error that makes
  ///   it impossible, including that of a sync before which none succeeded. The file is unchanged then: a
  ///   fragmented movie, or a plain one if only its last sync failed.
  public func finishAfterFailure() throws(QuickTimeError) -> MovieSummary {
    guard case .failed(let cause) = state else { throw invalidState("finishAfterFailure()") }
    // An error of start() leaves nothing to finish.
    guard position > 0 else { throw nothingRecorded }
    if !isSwitched { rescueWaiting(after: cause) }
    let room = indexSize + Self.leastRoom
    let end = position
    var last = cause
    while true {
      guard !fragmentStarts.isEmpty else { throw nothingRecorded }
      do throws(QuickTimeError) {
        if !isSwitched { try confirm(after: last) }
        try complete()
        return summary
      } catch {
        last = error
        // What was confirmed before stays so; the index is written anew.
        if position <= confirmedEnd { isInDoubt = false }
        // Only a lack of room goes away by giving up fragments, and not where a snapshot has them still,
        // or others take what becomes free.
        guard error.code == .diskFull || error.code == .fileTooLarge, fragmentStarts.count > 1,
          !isSwitched, !isInDoubt, end - position < room
        else {
          state = .failed(error)
          throw error
        }
        dropLastFragment()
      }
    }
  }

  /// True if the switch to an index that is on the disk was made, or may have been. The file is then a plain movie,
  /// which cannot be opened without its index, and must not be truncated any more.
  private var isSwitched: Bool {
    guard syncedIndex != nil, position <= confirmedEnd else { return false }
    let beginning = try? file.bytes(at: 0, count: Int(FileLayout.movieOffset))
    return beginning.map { !MovieScan.isUnfinishedTake($0) } ?? true
  }

  /// Bytes beyond those of the index that are given up for it before that is known not to help.
  private static let leastRoom: UInt64 = 1 << 20

  /// Stops writing and removes the file. Nothing is left behind.
  public func cancel() {
    switch state {
    case .finished, .cancelled: return
    case .configuring, .writing, .failed:
      state = .cancelled
      try? file.remove()
      try? file.close()
      reservation.release()
    }
  }

  /// Writes the samples that were waiting when the disk ran full, where the ballast takes them;
  /// forgets them otherwise.
  private func rescueWaiting(after cause: QuickTimeError) {
    let media = UInt64(pendingBytes + waitingDataBytes)
    let needed = position + media + 2 * indexSize + 65_536
    if cause.code == .diskFull, !isInDoubt, pendingBytes > 0, reservation.holds(needed) {
      try? writeFragment()
    }
    for track in tracks { track.discard() }
    checksum?.discard()
    placed = nil
    placingTime = 0
  }

  /// Gives up the fragments that no sync has confirmed, after a failure that leaves them in doubt.
  ///
  /// - Throws: `cause` where that would be all of them, or where none is synced before the end: a
  ///   take of hours that may be whole is worth more than its first half second. It stays as it is.
  private func giveUpUnconfirmed(after cause: QuickTimeError) throws(QuickTimeError) {
    if let first = fragmentStarts.first, position > confirmedEnd {
      guard configuration.syncPolicy != .off, confirmedEnd > first else { throw cause }
      while position > confirmedEnd { dropLastFragment() }
    }
    isInDoubt = false
  }

  /// Cuts the file to its whole fragments, and makes sure that the disk has them.
  private func confirm(after cause: QuickTimeError) throws(QuickTimeError) {
    syncedIndex = nil
    if isInDoubt || configuration.syncPolicy != .off && cause.code == .ioFailed {
      try giveUpUnconfirmed(after: cause)
    }
    try? file.truncate(to: position)
    do throws(QuickTimeError) { try synchronize() } catch {
      try giveUpUnconfirmed(after: error)
      try? file.truncate(to: position)
      try synchronize()
    }
  }

  private func dropLastFragment() {
    guard let start = fragmentStarts.popLast() else { return }
    for track in tracks { track.record.samples.removeChunks(from: start) }
    position = start
    if checksum?.dropLastFragment() == false { checksum = nil }
    statistics.fragmentCount = fragmentStarts.count
  }

  /// Appends the full index and switches to it. The fragments are on the disk.
  private func complete() throws(QuickTimeError) {
    _ = noticeChange()
    guard fileChange != .emptied else {
      throw QuickTimeError(
        .damaged, "\(file.name): another program emptied or cut the file while it was recorded")
    }
    let index: SyncedIndex
    if let syncedIndex { index = syncedIndex } else { index = try appendIndex() }
    try MovieFinish.makeSwitch(index.header, in: file) { () throws(QuickTimeError) in
      try synchronize()
    }
    // A file that could not be cut to its end is another one than was summed up.
    let isWhole = (try? file.size()) == index.end
    checksums = (isWhole ? index.sums : nil).map { sums in
      MovieChecksums(
        file: sums.file, head: sums.head, index: sums.index, rest: sums.rest,
        tracks: tracks.compactMap(\.committedChecksums))
    }
    statistics.bytesWritten = index.end
    reservation.release()
    state = .finished
    restoreFile()
    // All is on the disk: an error of close() would tell nothing.
    try? file.close()
  }

  /// Appends the full index, and brings it to the disk.
  private func appendIndex() throws(QuickTimeError) -> SyncedIndex {
    movie.tracks = tracks.map(\.record)
    movie.extendTimecodes()
    movie.settleData(in: file)
    let bytes = try MovieFinish.appendIndex(of: movie, at: position, in: file) {
      () throws(QuickTimeError) in try synchronize()
    }
    let sums = checksum?.finish(index: bytes, at: position)
    let index = SyncedIndex(
      end: position + UInt64(bytes.count),
      header: sums?.header ?? FileLayout.finishedHeader(end: position), sums: sums)
    syncedIndex = index
    return index
  }

  /// Brings a file back whose name is gone, while it can still be read.
  private func restoreFile() {
    guard fileChange == .deleted || fileChange == .replaced else { return }
    do throws(QuickTimeError) { try file.restore() } catch { restoreError = error }
  }

  /// What the whole fragments hold, in the file of a movie that is not finished: what
  /// ``MovieRecovery`` would find in it.
  public var fragmentSummary: MovieSummary {
    var movie = movie
    movie.tracks = tracks.map(\.record)
    movie.settleData(in: file)
    return MovieSummary(movie, fileSize: position, fragmentCount: fragmentStarts.count)
  }

  private var summary: MovieSummary {
    var summary = MovieSummary(
      movie, fileSize: statistics.bytesWritten, fragmentCount: fragmentStarts.count)
    summary.checksums = checksums
    return summary
  }

  private var nothingRecorded: QuickTimeError {
    QuickTimeError(
      .nothingRecorded, "\(file.name): no sample was recorded; the file can be removed")
  }
}

/// The in-place finish, which the writer and recovery share.
enum MovieFinish {
  /// Appends the full index at `position`, syncs it, switches to it with one write of a few bytes, and
  /// syncs that.
  ///
  /// Before the switch the file is the movie in fragments that it was, after it a plain movie; no
  /// state in between is any worse, whatever the order in which the disk takes what lies between
  /// two syncs.
  ///
  /// - Parameter synchronize: Brings the file to the disk.
  /// - Returns: The size of the finished file.
  static func finish(
    _ movie: MovieRecord, at position: UInt64, in file: any MovieFile,
    synchronize: () throws(QuickTimeError) -> Void
  ) throws(QuickTimeError) -> UInt64 {
    let index = try appendIndex(of: movie, at: position, in: file, synchronize: synchronize)
    try makeSwitch(
      FileLayout.finishedHeader(end: position), in: file, synchronize: synchronize)
    return position + UInt64(index.count)
  }

  /// The first half: the file has the index, and is still a movie in fragments.
  ///
  /// - Returns: The index.
  static func appendIndex(
    of movie: MovieRecord, at position: UInt64, in file: any MovieFile,
    synchronize: () throws(QuickTimeError) -> Void
  ) throws(QuickTimeError) -> [UInt8] {
    var index = AtomWriter()
    index.movie(movie, isFragmented: false)
    try file.write(index.bytes, at: position)
    // Whatever lay beyond (part of a fragment, reserved space) goes; no harm where it cannot.
    try? file.truncate(to: position + UInt64(index.bytes.count))
    try synchronize()
    return index.bytes
  }

  /// The second half. From its write on the index is what the file is read by, also where the sync fails.
  static func makeSwitch(
    _ header: [UInt8], in file: any MovieFile, synchronize: () throws(QuickTimeError) -> Void
  ) throws(QuickTimeError) {
    try file.write(header, at: FileLayout.switchOffset)
    try synchronize()
  }
}

/// An index that is on the disk, behind the fragments.
struct SyncedIndex {
  /// The size of the file that ends with it.
  let end: UInt64
  /// What is written over the file's beginning to switch to it.
  let header: [UInt8]
  /// The checksums of that file, where they are known.
  let sums: FileChecksum.Outcome?
}
