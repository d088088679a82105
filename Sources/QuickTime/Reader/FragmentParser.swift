import MediaCore

/// Reads a movie fragment atom.
struct FragmentParser {
  /// Samples of a track that lie one after another.
  struct Run {
    var trackID: UInt32
    var offset: UInt64
    /// How many samples there are; `sizes` and `durations` are empty where all are alike.
    var count: Int
    var size: UInt32
    var duration: UInt32
    var sizes: [UInt32] = []
    var durations: [UInt32] = []
    /// The first byte beyond the samples.
    var end: UInt64
    /// When the first sample begins, where the fragment says so.
    var baseTime: Int64?
    /// The track's sample entry, where the fragment has one; else empty.
    var sampleEntry: [UInt8] = []
    /// The smallest offset of a presentation time from its decode time, if it is below zero; else 0.
    var leastOffset: Int32 = 0
  }

  private(set) var runs: [Run] = []
  private let defaults: [UInt32: MovieParser.FragmentDefaults]
  /// Where the `moof` atom lies.
  let start: UInt64
  /// Where data go on that no offset is given for.
  private var dataEnd: UInt64

  /// Reads a `moof` atom that lies at `offset`: `reader` stands at its content.
  init(
    _ reader: AtomReader, at offset: UInt64, defaults: [UInt32: MovieParser.FragmentDefaults]
  ) throws(QuickTimeError) {
    self.start = offset
    self.dataEnd = offset
    self.defaults = defaults
    var reader = reader
    while var atom = try reader.next() {
      if atom.type == "traf" { try readTrack(&atom) }
    }
  }

  private static var damaged: QuickTimeError {
    QuickTimeError(.damaged, "a fragment's table is invalid; the movie is damaged")
  }

  private mutating func readTrack(_ reader: inout AtomReader) throws(QuickTimeError) {
    guard var header = try reader.first("tfhd") else { throw Self.damaged }
    let flags = try header.versionAndFlags().flags
    let track = try header.uint32()
    var values = defaults[track] ?? MovieParser.FragmentDefaults()
    var base = flags & 0x02_0000 != 0 || runs.isEmpty ? start : dataEnd
    if flags & 0x01 != 0 { base = try header.uint64() }
    if flags & 0x02 != 0 { try header.skip(4) }
    if flags & 0x08 != 0 { values.duration = try header.uint32() }
    if flags & 0x10 != 0 { values.size = try header.uint32() }
    dataEnd = base
    var baseTime: Int64?
    var sampleEntry: [UInt8] = []
    while var atom = try reader.next() {
      switch atom.type {
      case "tfdt":
        let wide = try atom.versionAndFlags().version == 1
        baseTime = Int64(clamping: try atom.unsigned(wide: wide))
      case "trun":
        try readRun(&atom, track: track, base: base, values)
        runs[runs.count - 1].baseTime = baseTime
        runs[runs.count - 1].sampleEntry = sampleEntry
        baseTime = nil
      case "mebx", "tmcd": sampleEntry = atom.atomBytes
      default: break
      }
    }
  }

  private mutating func readRun(
    _ atom: inout AtomReader, track: UInt32, base: UInt64, _ values: MovieParser.FragmentDefaults
  ) throws(QuickTimeError) {
    let (version, flags) = try atom.versionAndFlags()
    let count = Int(try atom.uint32())
    var offset = dataEnd
    if flags & 0x01 != 0 {
      let relative = Int64(try atom.int32())
      let (sum, overflow) = Int64(clamping: base).addingReportingOverflow(relative)
      guard !overflow, sum >= 0 else { throw Self.damaged }
      offset = UInt64(sum)
    }
    if flags & 0x04 != 0 { try atom.skip(4) }
    var run = Run(
      trackID: track, offset: offset, count: count, size: values.size, duration: values.duration,
      end: 0)
    try readSamples(&atom, flags: flags, version: version, into: &run)
    let bytes: UInt64
    if run.sizes.isEmpty {
      let (product, overflow) = UInt64(count).multipliedReportingOverflow(by: UInt64(run.size))
      guard !overflow else { throw Self.damaged }
      bytes = product
    } else {
      bytes = run.sizes.reduce(0) { $0 + UInt64($1) }
    }
    let (end, overflow) = offset.addingReportingOverflow(bytes)
    guard !overflow else { throw Self.damaged }
    run.end = end
    dataEnd = end
    runs.append(run)
  }

  private func readSamples(
    _ atom: inout AtomReader, flags: UInt32, version: UInt8, into run: inout Run
  ) throws(QuickTimeError) {
    let fields = (flags & 0xF00).nonzeroBitCount
    guard fields > 0 else { return }
    guard run.count <= atom.remaining / (4 * fields) else { throw Self.damaged }
    let hasDurations = flags & 0x100 != 0
    let hasSizes = flags & 0x200 != 0
    if hasDurations { run.durations.reserveCapacity(run.count) }
    if hasSizes { run.sizes.reserveCapacity(run.count) }
    for _ in 0..<run.count {
      if hasDurations { run.durations.append(try atom.uint32()) }
      if hasSizes { run.sizes.append(try atom.uint32()) }
      if flags & 0x400 != 0 { try atom.skip(4) }
      guard flags & 0x800 != 0 else { continue }
      let offset = try atom.int32()
      // Offsets are unsigned in version 0.
      if version > 0 { run.leastOffset = min(run.leastOffset, offset) }
    }
  }
}

extension SampleTable {
  /// Takes a run of a fragment in. PCM in blocks becomes PCM sample by sample. False where the
  /// numbers make no sense.
  mutating func append(_ run: FragmentParser.Run, bytesPerPCMFrame: Int?) -> Bool {
    if let baseTime = run.baseTime { extendLastSample(to: baseTime) }
    if let bytesPerPCMFrame, let frames = run.pcmFrames(bytesPerFrame: bytesPerPCMFrame) {
      return appendChunk(offset: run.offset, count: frames, size: UInt32(bytesPerPCMFrame))
        && appendTimes(count: frames, duration: 1)
    }
    let placed =
      run.sizes.isEmpty
      ? appendChunk(offset: run.offset, count: run.count, size: run.size)
      : appendChunk(offset: run.offset, sizes: run.sizes)
    guard placed else { return false }
    if run.durations.isEmpty { return appendTimes(count: run.count, duration: run.duration) }
    for duration in run.durations {
      guard appendTimes(count: 1, duration: duration) else { return false }
    }
    return true
  }
}

extension FragmentParser.Run {
  /// The PCM samples of blocks that last as many units as they hold samples; nil for others.
  fileprivate func pcmFrames(bytesPerFrame: Int) -> Int? {
    guard bytesPerFrame > 0, UInt32(exactly: bytesPerFrame) != nil else { return nil }
    let width = UInt64(bytesPerFrame)
    func fits(_ size: UInt32, _ duration: UInt32) -> Bool {
      UInt64(size) == UInt64(duration) * width
    }
    if sizes.isEmpty, durations.isEmpty {
      return fits(size, duration) ? Int((end - offset) / width) : nil
    }
    for index in 0..<count {
      let size = sizes.isEmpty ? self.size : sizes[index]
      let duration = durations.isEmpty ? self.duration : durations[index]
      guard fits(size, duration) else { return nil }
    }
    return Int((end - offset) / width)
  }
}
