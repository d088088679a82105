import MediaCore

/// Tracks of timed metadata and of timecode that are written whole once the pictures are.
extension MovieWriter {
  /// Adds facts about a track, as a track that refers to it. What lies before the movie or behind its end is left out.
  ///
  /// - Returns: Samples with facts that were written; 0, and there is no such track, for none.
  /// - Throws: ``QuickTimeError/Code/invalidArgument`` for a value without a key, or as ``addChapters(_:for:)``.
  @discardableResult
  public func addTimedMetadata(
    _ metadata: TimedMetadataTrack, for track: TrackID
  ) throws(QuickTimeError) -> Int {
    let place = try index(of: track)
    guard
      metadata.samples.allSatisfy({
        $0.values.allSatisfy { metadata.keys.indices.contains($0.key) }
      })
    else { throw QuickTimeError(.invalidArgument, "timed metadata have a value without a key") }
    let scale = Int32(clamping: tracks[place].record.timescale)
    let length = try closeFragment(of: place)
    let samples = Self.spread(metadata.samples, scale: scale, before: length)
    let count = samples.count { !$0.values.isEmpty }
    guard count > 0 else { return 0 }
    var record = dataRecord("meta", "Core Media Metadata", besides: place, first: samples[0].start)
    record.references = [
      TrackRecord.TrackReference(type: "cdsc", tracks: [tracks[place].record.id])
    ]
    record.sampleEntry = Self.atom { $0.metadataSampleEntry(metadata.keys) }
    record.mediaHeader = Self.atom { $0.metadataMediaHeader() }
    let written = samples.map { sample in
      (Self.atom { $0.metadataSample(sample.values) }, sample.end - sample.start)
    }
    try addCompanion(record, written, referredToAs: nil, by: place)
    return count
  }

  /// Facts one after the other, in units of `scale`: of those that overlap the later one counts, and samples without
  /// facts lie between those that do not touch.
  private static func spread(
    _ samples: [TimedMetadataTrack.Sample], scale: Int32, before length: Int64
  ) -> [(start: Int64, end: Int64, values: [TimedMetadataTrack.Value])] {
    func units(_ time: MediaTime) -> Int64? {
      let time = time.converted(toTimescale: scale, rounding: .roundHalfAwayFromZero)
      return time.isNumeric ? time.value : nil
    }
    var spread: [(start: Int64, end: Int64, values: [TimedMetadataTrack.Value])] = []
    for sample in samples.filter(\.start.isNumeric).sorted(by: { $0.start < $1.start }) {
      let start = min(max(units(sample.start) ?? length, 0), length)
      // A moment's facts hold for a unit at least.
      let end = min(units(sample.end).map { max($0, start + 1) } ?? length, length)
      guard start < end, (units(sample.end) ?? length) > 0 else { continue }
      if let last = spread.indices.last, spread[last].end > start {
        spread[last].end = start
        if spread[last].start == start { spread.removeLast() }
      }
      if let last = spread.last, last.end < start { spread.append((last.end, start, [])) }
      spread.append((start, end, sample.values))
    }
    return spread
  }

  /// Adds a timecode that a track of pictures refers to.
  ///
  /// - Returns: Runs that were written; 0, and there is no such track, for none.
  /// - Throws: ``QuickTimeError/Code/invalidArgument`` for a frame that lasts no time, or as ``addChapters(_:for:)``.
  @discardableResult
  public func addTimecode(
    _ timecode: TimecodeRuns, for video: TrackID
  ) throws(QuickTimeError) -> Int {
    let frame = timecode.format.frameDuration
    guard frame.isNumeric, frame > .zero else {
      throw QuickTimeError(.invalidArgument, "a frame of a timecode track lasts no time")
    }
    let place = try index(of: video)
    let scale = Int32(clamping: tracks[place].record.timescale)
    let length = try closeFragment(of: place)
    var runs: [(start: Int64, number: Int64)] = []
    for run in timecode.distinctRuns {
      let time = run.start.converted(toTimescale: scale, rounding: .roundHalfAwayFromZero)
      guard time.isNumeric, time.value < length else { continue }
      let start = max(time.value, 0)
      // One that began before the movie is counted on to its start.
      let early = time.value < 0 ? (-run.start.seconds / frame.seconds).rounded() : 0
      // Of two of one moment the later one counts.
      if runs.last?.start == start { runs.removeLast() }
      runs.append((start, run.frameNumber.addingSaturating(Int64(exactly: early) ?? 0)))
    }
    guard let first = runs.first else { return 0 }
    var record = dataRecord("tmcd", "Time Code Media Handler", besides: place, first: first.start)
    record.displayWidth = tracks[place].record.displayWidth
    record.sampleEntry = Self.atom { $0.timecodeSampleEntry(timecode.format) }
    record.mediaHeader = Self.atom { $0.timecodeMediaHeader() }
    let units = Double(frame.value) * Double(scale) / Double(frame.timescale)
    let samples = runs.enumerated().flatMap { index, run in
      Self.counted(
        run, until: index + 1 < runs.count ? runs[index + 1].start : length, frame: units)
    }
    try addCompanion(record, samples, referredToAs: "tmcd", by: place)
    return runs.count
  }

  /// A run as samples. One that lasts longer than 32 bits count, an hour in units of 1/1200000 s, is cut at whole
  /// frames, from which it is counted on.
  ///
  /// - Parameter frame: How long a frame lasts, in the track's units.
  private static func counted(
    _ run: (start: Int64, number: Int64), until end: Int64, frame: Double
  ) -> [(bytes: [UInt8], duration: Int64)] {
    let most = Double(UInt32.max)
    var samples: [(bytes: [UInt8], duration: Int64)] = []
    var (start, number) = run
    func append(until next: Int64) {
      samples.append((Self.atom { $0.int32(Int32(clamping: number)) }, next - start))
    }
    let step = (most / frame).rounded(.down)
    if step >= 1, let frames = Int64(exactly: step) {
      let length = Int64((step * frame).rounded(.down))
      while end - start > Int64(most) {
        append(until: start + length)
        start += length
        number = number.addingSaturating(frames)
      }
    }
    append(until: end)
    return samples
  }

  /// A track in the units of another one, whose first sample lies where that one's time says.
  private func dataRecord(
    _ handler: FourCharCode, _ handlerName: String, besides place: Int, first: Int64
  ) -> TrackRecord {
    let timescale = tracks[place].record.timescale
    var record = TrackRecord(
      id: UInt32(tracks.count + 1), handler: handler, timescale: timescale)
    record.handlerName = handlerName
    if first > 0 {
      record.edits = [
        MovieEdit(
          mediaTime: nil,
          duration: MediaTime(value: first, timescale: Int32(clamping: timescale))),
        MovieEdit(mediaTime: 0, duration: nil),
      ]
    }
    return record
  }
}
