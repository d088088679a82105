import MediaCore

/// The structure of a movie file, from its top-level atoms: the reader's and recovery's view.
struct MovieScan {
  /// How the file is laid out.
  enum Layout: Hashable {
    /// A movie atom with all samples.
    case plain
    /// A movie in fragments, of some other writer.
    case fragments
    /// A take of ours that was not finished.
    case unfinishedTake
    /// A take of ours that was finished, and lost its index since: the fragments are still in it.
    case finishedTakeWithoutIndex
  }

  /// An atom at the file's top level.
  struct TopAtom {
    var type: FourCharCode
    var offset: UInt64
    var headerSize: UInt64
    /// The first byte beyond the atom; may lie beyond the file's end.
    var end: UInt64
  }

  /// The most bytes of a `moov` or `moof` that are read into memory. A day at 60 frames a second takes 62 MB, as much
  /// again for captions and for facts of each frame, and 3.5 MB for each audio track in fragments of half a
  /// second: 64 mono tracks take 221 MB.
  static let atomLimit: UInt64 = 512 << 20
  /// The most top-level atoms that are looked at: a day of one-frame fragments at 120 frames a second has 20.7
  /// million.
  static let atomCountLimit = 1 << 25

  private(set) var movie = MovieRecord()
  private(set) var layout = Layout.plain
  private(set) var fileSize: UInt64
  /// Where each whole fragment begins.
  private(set) var fragmentStarts: [UInt64] = []
  /// The end of the last whole fragment.
  private(set) var fragmentsEnd: UInt64 = 0
  /// Bytes of the `moof` atoms of whole fragments.
  private(set) var fragmentHeaderBytes: UInt64 = 0
  /// A second, full movie atom behind the fragments, which no switch has been made to yet.
  private(set) var trailingIndex: TopAtom?
  /// True if the file ends within an atom, or bytes follow that are not an atom.
  private(set) var isCutShort = false
  /// True where the file begins as a take of ours does, finished or not.
  let isOwn: Bool

  private var parser: MovieParser?
  private var pending: FragmentParser?
  private var pendingSize: UInt64 = 0
  private var pcmWidths: [UInt32: Int] = [:]

  /// Reads the structure of a file.
  init(_ source: any MovieByteSource) throws(QuickTimeError) {
    self.fileSize = try source.size()
    let beginning = try source.bytes(at: 0, count: Int(FileLayout.movieOffset))
    let isTake = Self.isUnfinishedTake(beginning)
    isOwn = isTake || Self.isFinishedTake(beginning)
    try walk(source, from: 0)
    if parser == nil, Self.isFinishedTake(beginning) {
      layout = .finishedTakeWithoutIndex
      try walk(source, from: FileLayout.movieOffset)
      isCutShort = true
      guard parser?.isFragmented == true else { throw Self.notAMovie(source) }
    }
    guard let parser else { throw Self.notAMovie(source) }
    if parser.isFragmented, layout == .plain { layout = isTake ? .unfinishedTake : .fragments }
  }

  /// Reads on where the last look ended, in a file that has grown since: whole fragments are added.
  ///
  /// - Parameter source: The same file.
  mutating func readOn(_ source: any MovieByteSource) throws(QuickTimeError) {
    fileSize = try source.size()
    pending = nil
    guard parser?.isFragmented == true, trailingIndex == nil else { return }
    try walk(source, from: fragmentsEnd)
  }

  /// Takes the last fragment out, as if the file ended before it.
  mutating func dropLastFragment() {
    guard let start = fragmentStarts.popLast() else { return }
    fragmentsEnd = start
    for index in movie.tracks.indices { movie.tracks[index].samples.removeChunks(from: start) }
  }

  private static func notAMovie(_ source: any MovieByteSource) -> QuickTimeError {
    QuickTimeError(
      .notAMovie,
      "\(source.name): no movie atom found; the file is not a QuickTime movie, or was cut off too early"
    )
  }

  /// True for the first bytes of a take that is not finished.
  static func isUnfinishedTake(_ beginning: [UInt8]) -> Bool {
    var writer = AtomWriter()
    writer.atom("free") { atom in
      atom.code(FileLayout.mark)
      atom.uint32(FileLayout.version)
    }
    return hasType(beginning)
      && beginning.dropFirst(Int(FileLayout.switchOffset)).elementsEqual(writer.bytes)
  }

  private static func isFinishedTake(_ beginning: [UInt8]) -> Bool {
    let header = FileLayout.finishedHeader(end: FileLayout.switchOffset).prefix(8)
    return hasType(beginning)
      && beginning.dropFirst(Int(FileLayout.switchOffset)).prefix(8).elementsEqual(header)
  }

  private static func hasType(_ beginning: [UInt8]) -> Bool {
    beginning.count == Int(FileLayout.movieOffset)
      && beginning.starts(with: [0, 0, 0, UInt8(FileLayout.switchOffset)])
      && beginning.dropFirst(4).starts(with: Array("ftypqt  ".utf8))
  }

  // MARK: The walk

  private mutating func walk(
    _ source: any MovieByteSource, from start: UInt64
  ) throws(QuickTimeError) {
    var offset = start
    var count = 0
    isCutShort = false
    while offset < fileSize {
      guard count < Self.atomCountLimit, let atom = try topAtom(source, at: offset) else {
        isCutShort = true
        return
      }
      count += 1
      guard atom.end <= fileSize else {
        isCutShort = true
        return
      }
      guard try take(atom, of: source) else {
        isCutShort = true
        return
      }
      offset = atom.end
    }
  }

  /// The atom at an offset; nil where there is none that makes sense.
  private func topAtom(
    _ source: any MovieByteSource, at offset: UInt64
  ) throws(QuickTimeError) -> TopAtom? {
    let header = try source.bytes(at: offset, count: 16)
    var reader = AtomReader(header, type: "file")
    guard header.count >= 8 else { return nil }
    var size = UInt64(try reader.uint32())
    let type = try reader.code()
    guard type.rawValue != 0 else { return nil }
    var headerSize: UInt64 = 8
    if size == 1 {
      guard header.count == 16 else { return nil }
      size = try reader.uint64()
      headerSize = 16
    } else if size == 0 {
      size = fileSize - offset
    }
    let (end, overflow) = offset.addingReportingOverflow(size)
    guard size >= headerSize, !overflow else { return nil }
    return TopAtom(type: type, offset: offset, headerSize: headerSize, end: end)
  }

  /// Looks into an atom. False where the walk must end: what follows is not to be trusted.
  private mutating func take(
    _ atom: TopAtom, of source: any MovieByteSource
  ) throws(QuickTimeError) -> Bool {
    switch atom.type {
    case "moov" where parser == nil:
      let parsed = try MovieParser(try Self.content(of: atom, in: source))
      parser = parsed
      movie = parsed.movie
      fragmentsEnd = atom.end
      // Of such tracks only the timecode that comes with its video may have edits here.
      for index in movie.tracks.indices where isOwn && parsed.isFragmented {
        movie.tracks[index].isShownByTime =
          movie.tracks[index].isData && movie.tracks[index].edits.isEmpty
      }
      for index in movie.tracks.indices {
        movie.tracks[index].fragments.listedDuration = movie.tracks[index].samples.duration
      }
      for track in movie.tracks {
        if let pcm = PCMDescription(track) { pcmWidths[track.id] = pcm.bytesPerFrame }
      }
    case "moov":
      trailingIndex = atom
    case "moof":
      guard let parser, parser.isFragmented else { return true }
      let size = atom.end - atom.offset
      guard size <= Self.atomLimit else { return false }
      guard let content = try? Self.content(of: atom, in: source) else { return false }
      pending = try? FragmentParser(content, at: atom.offset, defaults: parser.fragmentDefaults)
      pendingSize = size
      return pending != nil
    case "mdat":
      guard let fragment = pending else { return true }
      pending = nil
      return commit(fragment, upTo: atom)
    default: break
    }
    return true
  }

  private static func content(
    of atom: TopAtom, in source: any MovieByteSource
  ) throws(QuickTimeError) -> AtomReader {
    let size = atom.end - atom.offset
    guard size <= atomLimit else {
      throw QuickTimeError(
        .unsupported,
        "\(source.name): an index of \(size) bytes; the limit is \(atomLimit)")
    }
    let bytes = try source.bytes(at: atom.offset, count: Int(size))
    var reader = AtomReader(bytes, type: "file")
    guard bytes.count == Int(size), let inner = try reader.next() else {
      throw QuickTimeError(.damaged, "\(source.name): atom '\(atom.type)' is cut short")
    }
    return inner
  }

  /// Takes the samples of a fragment in, where all of them lie in its media data.
  private mutating func commit(_ fragment: FragmentParser, upTo media: TopAtom) -> Bool {
    let first = media.offset + media.headerSize
    guard fragment.runs.allSatisfy({ $0.offset >= first && $0.end <= media.end }) else {
      return false
    }
    for var run in fragment.runs {
      guard let index = movie.tracks.firstIndex(where: { $0.id == run.trackID }) else { continue }
      movie.tracks[index].fragments.add(run)
      if movie.tracks[index].isShownByTime {
        if !run.sampleEntry.isEmpty { movie.tracks[index].sampleEntry = run.sampleEntry }
        if let time = run.baseTime { movie.tracks[index].beginData(at: time) }
        run.baseTime = nil
      }
      guard movie.tracks[index].samples.append(run, bytesPerPCMFrame: pcmWidths[run.trackID])
      else {
        for track in movie.tracks.indices {
          movie.tracks[track].samples.removeChunks(from: media.offset)
          movie.tracks[track].samples.makeConsistent()
        }
        return false
      }
    }
    fragmentStarts.append(fragment.start)
    fragmentHeaderBytes += pendingSize
    fragmentsEnd = media.end
    return true
  }
}
