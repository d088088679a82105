import Glibc
import MediaCore
import SystemPackage

/// Finishes takes that were never finished: after a kill, a power cut, a full disk, or a cut.
///
/// The finish is the writer's own, in place. It reads the fragments' tables and not the media, so
/// it takes no longer for larger frames. Nothing that the file holds is overwritten before the
/// switch: where recovery cannot help, the file stays as it was.
public enum MovieRecovery {
  /// What recovery found and did to the file.
  public struct Outcome: Sendable, Hashable {
    /// False where the movie was finished already and nothing was changed.
    public var wasRecovered: Bool
    /// What the movie holds now.
    public var summary: MovieSummary
    /// Fragments at the end that were given up because their media had not reached the disk.
    public var droppedFragmentCount: Int
    /// Bytes at the end of the file that belong to no whole fragment. They stay in the file, unused.
    public var unusedByteCount: UInt64
  }

  /// Bytes of the index to be written that need no proof by the fragments' headers. It bounds what a damaged file of a
  /// few bytes can make of memory and disk, and is half of what `MovieScan` reads of one atom, so that a movie
  /// that was recovered can be read. A take of a day, with 64 mono tracks, has 221 MB.
  static let unprovenIndexLimit = MovieScan.atomLimit / 2

  /// Finishes a file.
  ///
  /// - Throws: ``QuickTimeError/Code/busy`` where the take is still being recorded,
  ///   ``QuickTimeError/Code/notAMovie`` or ``QuickTimeError/Code/unsupported`` where the file is no
  ///   take of ours, ``QuickTimeError/Code/nothingRecorded`` where it holds no whole fragment,
  ///   ``QuickTimeError/Code/damaged``, or errors of the disk.
  @discardableResult
  public static func recover(path: String) throws(QuickTimeError) -> Outcome {
    let file = try PosixMovieFile(path: path, mode: .update)
    let outcome = try recover(file)
    try file.close()
    return outcome
  }

  /// Finishes a movie behind the seam.
  ///
  /// - Throws: As ``recover(path:)``.
  @discardableResult
  public static func recover(_ file: any MovieFile) throws(QuickTimeError) -> Outcome {
    try recover(file, indexLimit: unprovenIndexLimit)
  }

  /// As ``recover(_:)``.
  ///
  /// - Parameter limit: Bytes of an index that no fragment has to account for.
  static func recover(
    _ file: any MovieFile, indexLimit limit: UInt64
  ) throws(QuickTimeError) -> Outcome {
    var scan = try MovieScan(file)
    switch scan.layout {
    case .plain:
      guard scan.isOwn else {
        throw QuickTimeError(
          .unsupported,
          "\(file.name): a finished movie that is not one of this recorder's takes; nothing to do")
      }
      return try finishedOutcome(scan, file)
    case .fragments:
      throw QuickTimeError(
        .unsupported,
        "\(file.name): a fragmented movie of another program, not a take of this recorder; "
          + "convert it with the program that made it")
    case .unfinishedTake, .finishedTakeWithoutIndex: break
    }
    var dropped = 0
    while let last = scan.fragmentStarts.last {
      if try FragmentCheck(scan: scan, source: file).isWhole(from: last) { break }
      scan.dropLastFragment()
      dropped += 1
    }
    guard !scan.fragmentStarts.isEmpty else {
      throw QuickTimeError(
        .nothingRecorded,
        "\(file.name): contains no complete fragment; there is nothing to recover, and the file can be removed"
      )
    }
    // A few bytes may name any number of samples, of which the index that is written has one each. Those
    // of a take of ours have a place in the fragments' headers as well, however long it is.
    let indexSize = scan.movie.tracks.reduce(0) { $0 + $1.samples.indexSize }
    guard indexSize <= max(limit, 2 * scan.fragmentHeaderBytes) else {
      throw QuickTimeError(
        .damaged,
        "\(file.name): its tables name more samples than its fragments have places for; it is damaged"
      )
    }
    let size = try finish(scan, file)
    return Outcome(
      wasRecovered: true,
      summary: MovieSummary(
        finishedMovie(scan, file), fileSize: size, fragmentCount: scan.fragmentStarts.count),
      droppedFragmentCount: dropped,
      unusedByteCount: scan.trailingIndex == nil ? scan.fileSize - scan.fragmentsEnd : 0)
  }

  private static func finishedOutcome(
    _ scan: MovieScan, _ file: any MovieFile
  ) throws(QuickTimeError) -> Outcome {
    guard !scan.movie.tracks.contains(where: { $0.samples.endOffset > scan.fileSize }) else {
      throw QuickTimeError(
        .damaged,
        "\(file.name): the index exists, but media that it refers to are missing; copy the file again"
      )
    }
    return Outcome(
      wasRecovered: false,
      summary: MovieSummary(scan.movie, fileSize: scan.fileSize, fragmentCount: 0),
      droppedFragmentCount: 0, unusedByteCount: 0)
  }

  private static func finishedMovie(
    _ scan: MovieScan, _ source: any MovieByteSource
  ) -> MovieRecord {
    var movie = scan.movie
    movie.extendTimecodes()
    movie.settleData(in: source)
    return movie
  }

  /// Appends the index behind everything that is there, and switches to it; on a full disk once more,
  /// in the space that the file itself held beyond its end.
  private static func finish(
    _ scan: MovieScan, _ file: any MovieFile
  ) throws(QuickTimeError) -> UInt64 {
    let movie = finishedMovie(scan, file)
    if let trailing = scan.trailingIndex, trailing.end == scan.fileSize,
      try isIndex(movie, at: trailing, in: file)
    {
      // The writer was stopped between the index and the switch: nothing has to be written that
      // might not find room.
      try file.synchronize()
      try file.write(
        FileLayout.finishedHeader(end: trailing.offset), at: FileLayout.switchOffset)
      try file.synchronize()
      return scan.fileSize
    }
    // What a killed recorder wrote may still be in the page cache. If the disk fails to write it, only the first sync
    // says so.
    try file.synchronize()
    do throws(QuickTimeError) { return try append(movie, scan, file) } catch {
      // Truncating the partial index also released what the killed recorder had reserved after the file's end, which
      // may be enough. It was not released earlier because the index may need just that space.
      guard error.code == .diskFull else { throw error }
      return try append(movie, scan, file)
    }
  }

  private static func append(
    _ movie: MovieRecord, _ scan: MovieScan, _ file: any MovieFile
  ) throws(QuickTimeError) -> UInt64 {
    do throws(QuickTimeError) {
      return try MovieFinish.finish(movie, at: scan.fileSize, in: file) {
        () throws(QuickTimeError) in try file.synchronize()
      }
    } catch {
      // Takes the part of the index that was written away. After the switch the file is finished,
      // and a failed sync takes nothing back.
      let switched = (try? file.bytes(at: FileLayout.switchOffset, count: 16)) ?? []
      if switched != FileLayout.finishedHeader(end: scan.fileSize) {
        try? file.truncate(to: scan.fileSize)
      }
      throw error
    }
  }

  private static func isIndex(
    _ movie: MovieRecord, at atom: MovieScan.TopAtom, in file: any MovieFile
  ) throws(QuickTimeError) -> Bool {
    var writer = AtomWriter()
    writer.movie(movie, isFragmented: false)
    guard atom.end - atom.offset == UInt64(writer.bytes.count) else { return false }
    return try file.bytes(at: atom.offset, count: writer.bytes.count) == writer.bytes
  }

  /// The takes of ours in a folder that were not finished and that nobody is writing, by name.
  ///
  /// - Throws: ``QuickTimeError/Code/notFound`` or ``QuickTimeError/Code/permissionDenied`` where
  ///   the folder cannot be read.
  public static func unfinishedMovies(inFolder folder: String) throws(QuickTimeError) -> [String] {
    let names: [String]
    do throws(Errno) { names = try ListedFolder.names(in: folder) } catch {
      throw PosixMovieFile.failure("open", folder, error)
    }
    var found: [String] = []
    for name in names {
      guard name.lowercased().hasSuffix(".mov") else { continue }
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      // Looks only: a lock, however short, would be in the way of a recorder that begins.
      guard access(path, W_OK) == 0, let file = try? PosixMovieFile(path: path, mode: .read),
        !file.isBeingWritten,
        let beginning = try? file.bytes(at: 0, count: Int(FileLayout.movieOffset)),
        MovieScan.isUnfinishedTake(beginning)
      else { continue }
      found.append(path)
    }
    return found.sorted()
  }
}
