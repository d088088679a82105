import MediaCore

/// Reads a sample table atom.
struct SampleTableParser {
  private(set) var samples = SampleTable()
  private(set) var offsets = CompositionOffsets()
  private var runs: [UInt32] = []
  private var constantSize: UInt32 = 0
  private var sampleCount = 0
  private var sizes: [UInt32] = []

  /// Reads an `stbl` atom: `reader` stands at its content.
  init(_ reader: AtomReader, bytesPerPCMFrame: Int?) throws(QuickTimeError) {
    var reader = reader
    var places: AtomReader?
    var times: AtomReader?
    while var atom = try reader.next() {
      switch atom.type {
      case "stts": times = atom
      case "stco", "co64": places = atom
      // Only reordered frames need these offsets: a damaged list is no reason to refuse the track.
      case "ctts": try? readOffsets(&atom)
      case "stsc":
        try atom.skip(4)
        let count = try atom.uint32()
        guard Int(count) <= atom.remaining / 12 else { throw Self.damaged("stsc") }
        runs = try atom.table(count * 3)
      case "stsz":
        try atom.skip(4)
        constantSize = try atom.uint32()
        let count = try atom.uint32()
        sampleCount = Int(count)
        if constantSize == 0 { sizes = try atom.table(count) }
      default: break
      }
    }
    // QuickTime's old sound tables say 1 byte where they mean one PCM frame.
    if constantSize == 1, let bytesPerPCMFrame {
      constantSize = UInt32(clamping: bytesPerPCMFrame)
    }
    if var places { try readPlaces(&places) }
    if var times { try readTimes(&times) }
    samples.makeConsistent()
  }

  private static func damaged(_ type: String) -> QuickTimeError {
    QuickTimeError(.damaged, "sample table '\(type)' is invalid; the movie is damaged")
  }

  private mutating func readPlaces(_ atom: inout AtomReader) throws(QuickTimeError) {
    let wide = atom.type == "co64"
    try atom.skip(4)
    let count = try atom.uint32()
    guard Int(count) <= atom.remaining / (wide ? 8 : 4) else {
      throw Self.damaged(atom.type.description)
    }
    var run = 0
    var placed = 0
    for chunk in 1...(UInt64(count) + 1) {
      guard chunk <= count, placed < sampleCount, runs.count >= 3 else { break }
      let offset = try atom.unsigned(wide: wide)
      while run + 3 < runs.count, chunk >= UInt64(runs[run + 3]) { run += 3 }
      let added = min(Int(runs[run + 1]), sampleCount - placed)
      let taken =
        constantSize > 0
        ? samples.appendChunk(offset: offset, count: added, size: constantSize)
        : samples.appendChunk(offset: offset, sizes: sizes[placed..<(placed + added)])
      guard taken else { throw Self.damaged(atom.type.description) }
      placed += added
    }
  }

  private mutating func readTimes(_ atom: inout AtomReader) throws(QuickTimeError) {
    try atom.skip(4)
    let count = try atom.uint32()
    guard Int(count) <= atom.remaining / 8 else { throw Self.damaged("stts") }
    for _ in 0..<count {
      let samplesOfRun = Int(try atom.uint32())
      let duration = try atom.uint32()
      guard samples.appendTimes(count: samplesOfRun, duration: duration) else {
        throw Self.damaged("stts")
      }
    }
  }

  /// Offsets are signed in both versions of the atom: QuickTime has no other, and writers of MPEG-4 follow it.
  private mutating func readOffsets(_ atom: inout AtomReader) throws(QuickTimeError) {
    try atom.skip(4)
    let count = try atom.uint32()
    guard Int(count) <= atom.remaining / 8 else { throw Self.damaged("ctts") }
    for _ in 0..<count {
      let samplesOfRun = Int(try atom.uint32())
      offsets.append(count: samplesOfRun, offset: try atom.int32())
    }
  }
}
