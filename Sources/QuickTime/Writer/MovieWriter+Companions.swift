import MediaCore

/// Chapters, which are written whole once the video is.
///
/// They come in a fragment of their own, and the index that ends the movie is the first to name them.
/// A take that comes to a sudden end before is recovered without them.
extension MovieWriter {
  /// Adds the chapters of a video track, as a text track that it refers to.
  ///
  /// Of chapters that begin before the movie, the last one counts from its start; those behind its end are
  /// left out. Chapters of one moment are one, with all their titles (`A / B`): a player goes by time, and would
  /// show the last one alone.
  ///
  /// - Returns: Chapters that were written.
  /// - Throws: ``QuickTimeError/Code/invalidState`` unless samples flow, or an error of the disk.
  @discardableResult
  public func addChapters(
    _ chapters: [MovieChapter], for video: TrackID
  ) throws(QuickTimeError) -> Int {
    let place = try index(of: video)
    let scale = Int32(clamping: tracks[place].record.timescale)
    let length = try closeFragment(of: place)
    let starts = Self.starts(of: chapters, scale: scale, before: length)
    guard let first = starts.first else { return 0 }
    var record = TrackRecord(
      id: UInt32(tracks.count + 1), handler: "text", timescale: UInt32(scale))
    record.handlerName = "Text Media Handler"
    record.isEnabled = false
    record.sampleEntry = Self.atom { $0.textSampleEntry() }
    record.mediaHeader = Self.atom { $0.textMediaHeader() }
    if first.time > 0 {
      record.edits = [
        MovieEdit(mediaTime: nil, duration: MediaTime(value: first.time, timescale: scale)),
        MovieEdit(mediaTime: 0, duration: nil),
      ]
    }
    let samples = starts.enumerated().map { index, start in
      (
        Self.atom { $0.textSample(start.title) },
        (index + 1 < starts.count ? starts[index + 1].time : length) - start.time
      )
    }
    try addCompanion(record, samples, referredToAs: "chap", by: place)
    return starts.count
  }

  /// The chapters' starts, in units of `scale`, and titles.
  private static func starts(
    of chapters: [MovieChapter], scale: Int32, before length: Int64
  ) -> [(time: Int64, title: String)] {
    var starts: [(time: Int64, title: String)] = []
    for chapter in chapters.sorted(by: { $0.start < $1.start }) {
      let time = chapter.start.converted(toTimescale: scale, rounding: .roundHalfAwayFromZero)
      guard time.isNumeric, time.value < length else { continue }
      if let last = starts.last, last.time == time.value {
        let titles = [last.title, chapter.title].filter { !$0.isEmpty }
        starts[starts.count - 1].title = titles.joined(separator: " / ")
      } else {
        // Of those before the movie the last one is in force when it begins.
        if time.value <= 0 { starts.removeAll() }
        starts.append((time.value, chapter.title))
      }
    }
    if let first = starts.first { starts[0].time = max(first.time, 0) }
    return starts
  }

  /// Writes what waits, so that a fragment can be a companion's alone.
  ///
  /// - Returns: The end of the video shown so far, in units of its track.
  func closeFragment(of place: Int) throws(QuickTimeError) -> Int64 {
    guard state == .writing else { throw invalidState("a companion track") }
    try guarding { () throws(QuickTimeError) in try writeFragment() }
    return tracks[place].record.presentationEnd(movieTimescale: movie.timescale)
  }

  func addCompanion(
    _ record: TrackRecord, _ samples: [(bytes: [UInt8], duration: Int64)],
    referredToAs purpose: FourCharCode?, by place: Int
  ) throws(QuickTimeError) {
    let bytes = samples.reduce(0) { $0 + $1.bytes.count }
    let track = TrackState(
      content: .companion, record: record, buffer: try FragmentBuffer(capacity: bytes))
    tracks.append(track)
    try guarding { () throws(QuickTimeError) in
      for (bytes, duration) in samples.flatMap(Self.split) {
        var failure: QuickTimeError?
        bytes.withUnsafeBytes { buffer in
          do throws(QuickTimeError) { try track.buffer.append(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        track.sizes.append(UInt32(clamping: bytes.count))
        track.durations.append(UInt32(clamping: duration))
        track.pendingDuration += duration
      }
      try writeFragment()
    }
    guard let purpose else { return }
    tracks[place].record.references.append(
      TrackRecord.TrackReference(type: purpose, tracks: [record.id]))
  }

  /// A sample as several of the same bytes, where it lasts longer than 32 bits count.
  private static func split(
    _ sample: (bytes: [UInt8], duration: Int64)
  ) -> [(bytes: [UInt8], duration: Int64)] {
    let most = Int64(UInt32.max)
    guard sample.duration > most else { return [sample] }
    let count = Int(clamping: sample.duration / most)
    let rest = sample.duration % most
    return Array(repeating: (sample.bytes, most), count: count)
      + (rest > 0 ? [(sample.bytes, rest)] : [])
  }
}
