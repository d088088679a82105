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
      let start = max(units(sample.start) ?? length, 0)
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
      let start = run.start.converted(toTimescale: scale, rounding: .roundHalfAwayFromZero).value
      guard start < length else { continue }
      // One that began before the movie is counted on to its start.
      let early = start < 0 ? (-run.start.seconds / frame.seconds).rounded() : 0
      if start <= 0 { runs.removeAll() }
      runs.append((max(start, 0), run.frameNumber + (Int64(exactly: early) ?? 0)))
    }
    guard let first = runs.first else { return 0 }
    var record = dataRecord("tmcd", "Time Code Media Handler", besides: place, first: first.start)
    record.displayWidth = tracks[place].record.displayWidth
    record.sampleEntry = Self.atom { $0.timecodeSampleEntry(timecode.format) }
    record.mediaHeader = Self.atom { $0.timecodeMediaHeader() }
    let samples = runs.enumerated().map { index, run in
      (
        Self.atom { $0.int32(Int32(clamping: run.number)) },
        (index + 1 < runs.count ? runs[index + 1].start : length) - run.start
      )
    }
    try addCompanion(record, samples, referredToAs: "tmcd", by: place)
    return runs.count
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
