import MediaCore

/// Reads a track atom.
struct TrackParser {
  private(set) var track = TrackRecord(id: 0, handler: "    ", timescale: 0)
  private let movieTimescale: UInt32
  private let isFragmented: Bool

  /// Reads a `trak` atom: `reader` stands at its content.
  init(
    _ reader: AtomReader, movieTimescale: UInt32, isFragmented: Bool
  ) throws(QuickTimeError) {
    self.movieTimescale = movieTimescale
    self.isFragmented = isFragmented
    var reader = reader
    while var atom = try reader.next() {
      switch atom.type {
      case "tkhd": try readHeader(&atom)
      case "tapt": track.apertures = atom.atomBytes
      case "edts": try readEdits(atom)
      case "tref": try readReferences(&atom)
      case "mdia": try readMedia(&atom)
      case "udta": track.userData = atom.atomBytes
      default: break
      }
    }
    guard track.id > 0, track.timescale > 0, track.timescale <= UInt32(Int32.max) else {
      throw QuickTimeError(
        .damaged,
        "track \(track.id) of time scale \(track.timescale): both must be positive; the movie is "
          + "damaged")
    }
  }

  private mutating func readHeader(_ atom: inout AtomReader) throws(QuickTimeError) {
    let (version, flags) = try atom.versionAndFlags()
    let wide = version == 1
    track.isEnabled = flags & 1 != 0
    _ = try atom.unsigned(wide: wide)
    _ = try atom.unsigned(wide: wide)
    track.id = try atom.uint32()
    try atom.skip(4)
    _ = try atom.unsigned(wide: wide)
    try atom.skip(8 + 2)
    track.alternateGroup = try atom.uint16()
    track.volume = try atom.uint16()
    try atom.skip(2)
    for place in track.matrix.indices { track.matrix[place] = try atom.uint32() }
    track.displayWidth = try atom.uint32()
    track.displayHeight = try atom.uint32()
  }

  private mutating func readEdits(_ edts: AtomReader) throws(QuickTimeError) {
    guard var atom = try edts.first("elst") else { return }
    let wide = try atom.versionAndFlags().version == 1
    let count = try atom.uint32()
    guard Int(count) <= atom.remaining / (wide ? 20 : 12) else {
      throw QuickTimeError(.damaged, "an edit list is cut short: the movie is damaged")
    }
    for _ in 0..<count {
      let duration = Int64(clamping: try atom.unsigned(wide: wide))
      let time = wide ? try atom.int64() : Int64(try atom.int32())
      let rate = try atom.int32()
      track.edits.append(
        MovieEdit(
          mediaTime: time >= 0 ? time : nil,
          duration: isFragmented && duration == 0
            ? nil : MediaTime(value: duration, timescale: Int32(clamping: movieTimescale)),
          rate: Double(rate) / 65_536))
    }
  }

  private mutating func readReferences(_ reader: inout AtomReader) throws(QuickTimeError) {
    while var atom = try reader.next() {
      let tracks = try atom.table(UInt32(clamping: atom.remaining / 4))
      track.references.append(TrackRecord.TrackReference(type: atom.type, tracks: tracks))
    }
  }

  private mutating func readMedia(_ reader: inout AtomReader) throws(QuickTimeError) {
    var information: AtomReader?
    while var atom = try reader.next() {
      switch atom.type {
      case "mdhd":
        let wide = try atom.versionAndFlags().version == 1
        _ = try atom.unsigned(wide: wide)
        _ = try atom.unsigned(wide: wide)
        track.timescale = try atom.uint32()
        _ = try atom.unsigned(wide: wide)
        track.language = try atom.uint16()
      case "hdlr":
        try atom.skip(8)
        track.handler = try atom.code()
        try atom.skip(12)
        track.handlerName = try handlerName(&atom)
      case "minf": information = atom
      default: break
      }
    }
    guard var information else { return }
    while let atom = try information.next() {
      switch atom.type {
      case "vmhd", "smhd", "gmhd", "nmhd": track.mediaHeader = atom.atomBytes
      case "stbl": try readSamples(atom)
      default: break
      }
    }
  }

  /// A Pascal string in QuickTime files, a C string in ISO files.
  private func handlerName(_ atom: inout AtomReader) throws(QuickTimeError) -> String {
    let content = try atom.raw(atom.remaining)
    guard let first = content.first else { return "" }
    let isPascal = Int(first) == content.count - 1
    let text = isPascal ? content[1...] : content[...]
    return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
  }

  private mutating func readSamples(_ reader: AtomReader) throws(QuickTimeError) {
    if var description = try reader.first("stsd") {
      try description.skip(8)
      track.sampleEntry = try description.next()?.atomBytes ?? []
    }
    let table = try SampleTableParser(
      reader, bytesPerPCMFrame: PCMDescription(track)?.bytesPerFrame)
    (track.samples, track.compositionOffsets) = (table.samples, table.offsets)
  }
}
