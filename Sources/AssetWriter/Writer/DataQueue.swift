import MediaCore
import QuickTime

/// A track of facts, captions or timecode, on its way into the movies of a take.
///
/// Samples wait for the frame of their time, because only then is its movie known. Metadata
/// that still applies where a movie begins is in that one, too, and frames are counted on there.
struct DataQueue {
  /// What a track has.
  enum Content: Equatable {
    /// What the facts are called.
    case metadata([TimedMetadataTrack.Key])
    case captions
    /// How frames are counted, as far as that is known before the first number; nil where it is not.
    case timecode(TimecodeFormatDescription?)
  }

  /// What holds from a time on.
  struct Sample {
    enum Value {
      case facts([TimedMetadataTrack.Value])
      case captions(firstField: [UInt8], secondField: [UInt8])
      case frameNumber(Int64)
    }

    var start: MediaTime
    /// Not numeric for the next sample's start.
    var end = MediaTime.invalid
    var value: Value
  }

  /// Something to write.
  struct Write {
    /// The track's place among those of its writer.
    var track = 0
    /// The movie's number.
    var segment: Int
    /// With times from the movie's start.
    var sample: Sample
    var content: Content
  }

  /// A movie that is open.
  struct Movie {
    var number: Int
    /// Its start, from the session's.
    var start: MediaTime
  }

  /// The most bytes that wait.
  static let byteLimit = 16 << 20

  private(set) var content: Content
  /// Samples in order, at the source's times; captions at times from the take's start.
  private var waiting = FIFO<Sample>()
  /// About what those take in a movie.
  private(set) var waitingBytes = 0
  /// The sample that was appended last.
  private var newest: Sample?
  /// The sample that was written last, at times from the session's start.
  private var current: Sample?
  /// The movie that it was written into.
  private var segment = 0
  /// Samples that say something, by the movie that they were written into first; without those that came too late.
  private var written: [Int: Int] = [:]
  private(set) var account = AssetWriter.Report.MetadataTrack()

  init(_ content: Content) { self.content = content }

  /// True unless much waits.
  var hasRoom: Bool { waitingBytes < Self.byteLimit / 2 }

  private static func size(_ sample: Sample) -> Int {
    switch sample.value {
    case .facts(let values): values.reduce(64) { $0 + $1.bytes.count + 48 }
    case .captions(let first, let second): 112 + first.count + second.count
    case .frameNumber: 64
    }
  }

  /// Takes facts.
  ///
  /// - Parameter newKeys: The keys, where there are more than before; nil for those that are known.
  /// - Throws: ``AssetWriterError/Code/invalidTime``, ``AssetWriterError/Code/timeNotIncreasing``,
  ///   ``AssetWriterError/Code/invalidSettings``, ``AssetWriterError/Code/notReady``.
  mutating func append(
    _ sample: TimedMetadataTrack.Sample, keys newKeys: [TimedMetadataTrack.Key]?
  ) throws(AssetWriterError) {
    guard sample.start.isNumeric else {
      throw AssetWriterError(.invalidTime, "timed metadata need a start time")
    }
    guard case .metadata(let keys) = content else { return }
    try checkOrder(of: "metadata", from: sample.start)
    let all = newKeys ?? keys
    guard all.starts(with: keys), sample.values.allSatisfy({ all.indices.contains($0.key) }) else {
      throw AssetWriterError(.invalidSettings, "a timed metadata value has no key")
    }
    try take(
      Sample(start: sample.start, end: sample.end, value: .facts(sample.values)), "metadata")
    content = .metadata(all)
  }

  /// Takes captions, at a time from the take's start. Those that come behind later ones are late.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidTime``, ``AssetWriterError/Code/notReady``.
  mutating func append(_ captions: CaptionSample) throws(AssetWriterError) {
    guard captions.start.isNumeric else {
      throw AssetWriterError(.invalidTime, "captions need a time")
    }
    if let newest, captions.start < newest.start {
      account.samplesAppended += 1
      account.samplesLate += 1
      return
    }
    try take(
      Sample(
        start: captions.start,
        value: .captions(firstField: captions.firstField, secondField: captions.secondField)),
      "captions")
  }

  /// Takes the number of a frame, unless it follows from the one before.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidTime``, ``AssetWriterError/Code/timeNotIncreasing``,
  ///   ``AssetWriterError/Code/formatMismatch`` where the track counts in another way,
  ///   ``AssetWriterError/Code/invalidSettings`` for frames that last no time, ``AssetWriterError/Code/notReady``.
  mutating func append(
    _ run: TimecodeRun, countedAs format: TimecodeFormatDescription
  ) throws(AssetWriterError) {
    guard run.start.isNumeric else {
      throw AssetWriterError(.invalidTime, "a frame number needs a time")
    }
    guard case .timecode(let known) = content else { return }
    guard newest == nil || format == known else {
      throw AssetWriterError(
        .formatMismatch, "all frame numbers of a timecode track must have the same format")
    }
    try Self.check(format)
    try checkOrder(of: "frame numbers", from: run.start)
    content = .timecode(format)
    if let newest, let last = TimecodeRun(newest), run.follows(last, countedAs: format) { return }
    try take(Sample(start: run.start, value: .frameNumber(run.frameNumber)), "frame numbers")
  }

  /// - Throws: ``AssetWriterError/Code/invalidSettings`` for frames that last no time.
  static func check(_ format: TimecodeFormatDescription) throws(AssetWriterError) {
    guard format.frameDuration.isNumeric, format.frameDuration > .zero else {
      throw AssetWriterError(.invalidSettings, "a frame of a timecode track has no duration")
    }
  }

  private func checkOrder(
    of what: String, from start: MediaTime
  ) throws(AssetWriterError) {
    guard let newest, start < newest.start else { return }
    throw AssetWriterError(
      .timeNotIncreasing,
      "\(what) from \(start) on come before those from \(newest.start) on; append them in order")
  }

  private mutating func take(_ sample: Sample, _ what: String) throws(AssetWriterError) {
    let size = Self.size(sample)
    guard waitingBytes + size <= Self.byteLimit else {
      throw AssetWriterError(
        .notReady,
        "\(waitingBytes) bytes of \(what) wait for the frames at their times; append the frames first"
      )
    }
    waiting.append(sample)
    waitingBytes += size
    newest = sample
    account.samplesAppended += 1
  }

  /// Discards samples that end before a source time.
  mutating func forget(before time: MediaTime) {
    guard content != .captions else { return }
    while let second = waiting[1], second.start <= time { _ = pop() }
  }

  /// True where nothing waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// Discards and counts all that waits, because the take has no media that it could describe.
  mutating func forgo() {
    while let sample = pop() { noteOutside(sample) }
  }

  private mutating func pop() -> Sample? {
    guard let sample = waiting.popFirst() else { return nil }
    waitingBytes -= Self.size(sample)
    return sample
  }

  /// The next sample to write.
  ///
  /// - Parameters:
  ///   - reach: The time up to which frames are written, from the session's start; nil if no more will be.
  ///   - end: The time up to which there are any; nil where that is not known yet.
  ///   - start: The session's start, as the samples' times count it.
  ///   - movies: The movies that are open, in order.
  mutating func next(
    before reach: MediaTime?, upTo end: MediaTime? = nil, from start: MediaTime, in movies: [Movie]
  ) -> Write? {
    func isReached(_ time: MediaTime) -> Bool { reach.map { time < $0 } ?? true }
    while true {
      let first = waiting.first.map { $0.start - start }
      let due = first.flatMap { isReached($0) ? $0 : nil }
      if let movie = movies.first(where: { $0.number > segment && isReached($0.start) }),
        due.map({ $0 >= movie.start }) ?? true
      {
        segment = movie.number
        // What begins with the movie takes the place of what still held.
        guard due != movie.start, let current, holds(current, at: movie.start) else { continue }
        return write(current, into: movie, from: movie.start)
      }
      guard due != nil, var sample = pop() else { return nil }
      sample.start = sample.start - start
      sample.end = sample.end - start
      // A time that no number is large enough for is beyond every movie.
      guard sample.start.isNumeric, end.map({ sample.start < $0 }) ?? true else {
        noteOutside(sample)
        continue
      }
      current = sample
      if let movie = movies.last(where: { $0.start <= sample.start }) ?? firstMovie(movies) {
        segment = movie.number
        guard sample.start >= movie.start || holds(sample, at: movie.start) else {
          noteOutside(sample)
          continue
        }
        if !Self.isPadding(sample) { written[movie.number, default: 0] += 1 }
        return write(sample, into: movie, from: sample.start)
      }
      // The movie of their time is complete.
      account.samplesLate += 1
      guard let movie = movies.first, holds(sample, at: movie.start) else { continue }
      segment = movie.number
      return write(sample, into: movie, from: movie.start)
    }
  }

  /// Counts what a movie was handed as left out: it begins behind the session's end, and is removed.
  mutating func didRemove(segment: Int) {
    guard let count = written.removeValue(forKey: segment) else { return }
    account.samplesOutside = (account.samplesOutside ?? 0) + count
  }

  private mutating func noteOutside(_ sample: Sample) {
    guard !Self.isPadding(sample) else { return }
    account.samplesOutside = (account.samplesOutside ?? 0) + 1
  }

  /// True for captions that are only padding.
  private static func isPadding(_ sample: Sample) -> Bool {
    guard case .captions(let first, let second) = sample.value else { return false }
    return (first + second).allSatisfy { $0 & 0x7F == 0 }
  }

  /// True where a sample holds at a time behind its start. Captions are of their moment.
  private func holds(_ sample: Sample, at time: MediaTime) -> Bool {
    content != .captions && (!sample.end.isNumeric || sample.end > time)
  }

  /// The take's first movie, which has what began before.
  private func firstMovie(_ movies: [Movie]) -> Movie? { movies.first { $0.number == 1 } }

  private func write(_ sample: Sample, into movie: Movie, from start: MediaTime) -> Write {
    var sample = sample
    if case .timecode(let format?) = content, let run = TimecodeRun(sample) {
      sample.value = .frameNumber(run.frameNumber(at: start, countedAs: format))
    }
    sample.start = start - movie.start
    sample.end = sample.end - movie.start
    return Write(segment: movie.number, sample: sample, content: content)
  }
}

extension TimecodeRun {
  /// The run that a sample begins; nil for other samples.
  init?(_ sample: DataQueue.Sample) {
    guard case .frameNumber(let number) = sample.value else { return nil }
    self.init(start: sample.start, frameNumber: number)
  }
}
