import MediaCore

/// Reads a movie atom.
struct MovieParser {
  /// What fragments take where they do not say otherwise (`trex`).
  struct FragmentDefaults {
    var duration: UInt32 = 0
    var size: UInt32 = 0
  }

  /// The most tracks of a movie.
  static let trackLimit = 1024

  private(set) var movie = MovieRecord()
  /// True where the movie says that fragments may follow.
  private(set) var isFragmented = false
  private(set) var fragmentDefaults: [UInt32: FragmentDefaults] = [:]

  /// Reads a `moov` atom: `reader` stands at its content.
  init(_ reader: AtomReader) throws(QuickTimeError) {
    var reader = reader
    var tracks: [AtomReader] = []
    while var atom = try reader.next() {
      switch atom.type {
      case "mvhd": try readHeader(&atom)
      case "trak": tracks.append(atom)
      case "meta": movie.metadata = atom.atomBytes
      case "udta": movie.userData = atom.atomBytes
      case "mvex": try readExtends(&atom)
      default: break
      }
    }
    guard movie.timescale > 0, movie.timescale <= UInt32(Int32.max) else {
      throw QuickTimeError(.damaged, "the movie's time scale is \(movie.timescale): it is damaged")
    }
    guard tracks.count <= Self.trackLimit else {
      throw QuickTimeError(
        .unsupported,
        "a movie of \(tracks.count) tracks; the limit is \(Self.trackLimit)")
    }
    for track in tracks {
      let record = try TrackParser(
        track, movieTimescale: movie.timescale, isFragmented: isFragmented
      ).track
      guard !movie.tracks.contains(where: { $0.id == record.id }) else {
        throw QuickTimeError(.damaged, "track \(record.id) occurs twice: the movie is damaged")
      }
      movie.tracks.append(record)
    }
  }

  private mutating func readHeader(_ atom: inout AtomReader) throws(QuickTimeError) {
    let wide = try atom.versionAndFlags().version == 1
    movie.creationTime = try atom.unsigned(wide: wide)
    _ = try atom.unsigned(wide: wide)
    movie.timescale = try atom.uint32()
    guard atom.remaining >= (wide ? 8 : 4) + 6 else { return }
    _ = try atom.unsigned(wide: wide)
    movie.preferredRate = try atom.uint32()
    movie.preferredVolume = try atom.uint16()
  }

  private mutating func readExtends(_ reader: inout AtomReader) throws(QuickTimeError) {
    isFragmented = true
    while var atom = try reader.next() {
      guard atom.type == "trex" else { continue }
      try atom.skip(4)
      let track = try atom.uint32()
      try atom.skip(4)
      var defaults = FragmentDefaults()
      defaults.duration = try atom.uint32()
      defaults.size = try atom.uint32()
      fragmentDefaults[track] = defaults
    }
  }
}
