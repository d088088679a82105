import MediaCore
import QuickTime

/// What is known of a take itself.
struct TakeFacts {
  var metadata = MovieMetadata()
  /// When the take began, in seconds since 1970 UTC; nil for when its first movie is begun.
  var creationTime: Int64?
  /// The address that came with the first frame.
  var firstTimecode: Timecode?
  /// The chapters, from the take's start.
  var chapters: [MovieChapter] = [] {
    didSet {
      chapterBytes = chapters.reduce(0) { $0 + Self.sampleBytes + Int64($1.title.utf8.count) }
    }
  }
  /// Those of them that a movie has.
  private var givenChapters: Set<MovieChapter> = []
  /// The captions that no movie has yet, in order of time from the take's start.
  private(set) var captions: [CaptionSample] = []
  private var captionBytes: Int64 = 0
  private var chapterBytes: Int64 = 0
  /// The addresses that a program gave apart from its pictures, at the source's times.
  private(set) var timecodeRuns: TimecodeRuns?

  /// More than a sample takes besides what it holds: its atoms, the empty one before it, and both in the index.
  private static let sampleBytes: Int64 = 96

  /// More bytes than a movie that ended now would get of them.
  var endBytes: Int64 {
    captionBytes + chapterBytes + Int64(timecodeRuns?.runs.count ?? 0) * Self.sampleBytes
  }

  private static func bytes(_ caption: CaptionSample) -> Int64 {
    sampleBytes + Int64(caption.firstField.count + caption.secondField.count)
  }

  mutating func append(_ caption: CaptionSample) {
    captions.append(caption)
    captionBytes += Self.bytes(caption)
  }

  /// Takes an address, unless it follows from the one before.
  ///
  /// - Returns: False where the take counts in another way.
  mutating func append(
    _ run: TimecodeRuns.Run, countedAs format: TimecodeFormatDescription
  ) -> Bool {
    var runs = timecodeRuns ?? TimecodeRuns(format: format, runs: [])
    guard runs.format == format else { return false }
    // Out of its place meanwhile, lest all be copied.
    timecodeRuns = nil
    if let last = runs.runs.last, run.start >= last.start, runs.follows(run, last) {
      timecodeRuns = runs
      return true
    }
    runs.runs.append(run)
    timecodeRuns = runs
    return true
  }

  /// Takes what belongs to a movie, with times from its start.
  ///
  /// - Parameters:
  ///   - start: The movie's start, from the take's.
  ///   - end: Its end; nil for the take's.
  ///   - takeStart: The take's start at the source.
  mutating func take(
    from start: MediaTime, to end: MediaTime?, takeStart: MediaTime
  ) -> MovieFacts {
    var facts = MovieFacts()
    for chapter in chapters where !givenChapters.contains(chapter) && isBefore(chapter.start, end) {
      facts.chapters.append(chapter)
    }
    givenChapters.formUnion(facts.chapters)
    if start > .zero {
      // What was marked when its movie was complete is marked in the next one.
      for index in facts.chapters.indices {
        facts.chapters[index].start = max(facts.chapters[index].start - start, .zero)
      }
    }
    let due = captions.prefix { isBefore($0.start, end) }
    facts.captions = due.map { caption in
      CaptionSample(
        start: caption.start - start, firstField: caption.firstField,
        secondField: caption.secondField)
    }
    captionBytes -= due.reduce(0) { $0 + Self.bytes($1) }
    captions.removeFirst(due.count)
    facts.timecodeRuns = timecodeRuns
    for index in facts.timecodeRuns?.runs.indices ?? 0..<0 {
      let run = facts.timecodeRuns?.runs[index].start ?? .zero
      facts.timecodeRuns?.runs[index].start = run - takeStart - start
    }
    return facts
  }

  private func isBefore(_ time: MediaTime, _ end: MediaTime?) -> Bool {
    end.map { time < $0 } ?? true
  }
}

/// What comes with the end of a movie, with times from its start.
struct MovieFacts {
  var chapters: [MovieChapter] = []
  var captions: [CaptionSample] = []
  var timecodeRuns: TimecodeRuns?

  /// What there is, by kind.
  var kinds: [Segment.Extra] {
    (chapters.isEmpty ? [] : [.chapters]) + (captions.isEmpty ? [] : [.captions])
      + (timecodeRuns == nil ? [] : [.timecode])
  }
}
