import MediaCore

/// A track of timecode that is written whole once the pictures are.
extension MovieWriter {
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
