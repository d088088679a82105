import MediaCore
import QuickTime

/// A track of facts with their times, on its way into the movies of a take.
///
/// Facts wait until the pictures have come to their time, since only then it is known which movie has that.
/// Facts that still hold where a movie begins are in that one, too.
struct MetadataQueue {
  /// Facts to write.
  struct Write {
    /// The movie's number.
    var segment: Int
    /// The facts, with times from the movie's start.
    var sample: TimedMetadataTrack.Sample
    var keys: [TimedMetadataTrack.Key]
  }

  /// A movie that is open.
  struct Movie {
    var number: Int
    /// Its start, from the session's.
    var start: MediaTime
  }

  /// The most bytes that wait.
  static let byteLimit = 16 << 20

  private(set) var keys: [TimedMetadataTrack.Key]
  /// Facts at the source's times, in order.
  private var waiting = FIFO<TimedMetadataTrack.Sample>()
  /// About what those take in a movie.
  private(set) var waitingBytes = 0
  private var lastStart = MediaTime.invalid
  /// The facts that were written last, at times from the session's start.
  private var current: TimedMetadataTrack.Sample?
  /// The movie that they were written into.
  private var segment = 0
  private(set) var account = AssetWriter.Report.MetadataTrack()

  init(keys: [TimedMetadataTrack.Key]) { self.keys = keys }

  /// True unless much waits.
  var hasRoom: Bool { waitingBytes < Self.byteLimit / 2 }

  private static func size(_ sample: TimedMetadataTrack.Sample) -> Int {
    sample.values.reduce(64) { $0 + $1.bytes.count + 48 }
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
      throw AssetWriterError(.invalidTime, "metadata need a time from which on they hold")
    }
    guard !lastStart.isNumeric || sample.start >= lastStart else {
      throw AssetWriterError(
        .timeNotIncreasing,
        "metadata from \(sample.start) on come behind those from \(lastStart) on; append them in order"
      )
    }
    let all = newKeys ?? keys
    guard all.starts(with: keys), sample.values.allSatisfy({ all.indices.contains($0.key) }) else {
      throw AssetWriterError(.invalidSettings, "timed metadata have a value without a key")
    }
    let size = Self.size(sample)
    guard waitingBytes + size <= Self.byteLimit else {
      throw AssetWriterError(
        .notReady,
        "\(waitingBytes) bytes of metadata wait for pictures of their times; append those before")
    }
    keys = all
    waiting.append(sample)
    waitingBytes += size
    lastStart = sample.start
    account.samplesAppended += 1
  }

  /// Lets go of facts that no longer hold at a time of the source.
  mutating func forget(before time: MediaTime) {
    while let second = waiting[1], second.start <= time { _ = pop() }
  }

  private mutating func pop() -> TimedMetadataTrack.Sample? {
    guard let sample = waiting.popFirst() else { return nil }
    waitingBytes -= Self.size(sample)
    return sample
  }

  /// The next facts to write.
  ///
  /// - Parameters:
  ///   - reach: The time up to which pictures are written, from the session's start; nil for their end.
  ///   - start: The session's start.
  ///   - movies: The movies that are open, in order.
  mutating func next(
    before reach: MediaTime?, from start: MediaTime, in movies: [Movie]
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
        guard due != movie.start, let current, current.holds(at: movie.start) else { continue }
        return write(current, into: movie, from: movie.start)
      }
      guard due != nil, var sample = pop() else { return nil }
      sample.start = sample.start - start
      sample.end = sample.end - start
      // A time that no number is large enough for is beyond every movie.
      guard sample.start.isNumeric else { continue }
      current = sample
      if let movie = movies.last(where: { $0.start <= sample.start }) ?? firstMovie(movies) {
        segment = movie.number
        return write(sample, into: movie, from: sample.start)
      }
      // The movie of their time is complete.
      account.samplesLate += 1
      guard let movie = movies.first, sample.holds(at: movie.start) else { continue }
      segment = movie.number
      return write(sample, into: movie, from: movie.start)
    }
  }

  /// The take's first movie, which has what began before.
  private func firstMovie(_ movies: [Movie]) -> Movie? { movies.first { $0.number == 1 } }

  private func write(
    _ sample: TimedMetadataTrack.Sample, into movie: Movie, from start: MediaTime
  ) -> Write {
    Write(
      segment: movie.number,
      sample: TimedMetadataTrack.Sample(
        start: start - movie.start, end: sample.end - movie.start, values: sample.values),
      keys: keys)
  }
}

extension TimedMetadataTrack.Sample {
  /// True where the facts hold at a time behind their start.
  fileprivate func holds(at time: MediaTime) -> Bool { !end.isNumeric || end > time }
}

/// Tracks of facts with their times.
extension WriterState {
  /// The next facts to write.
  mutating func nextMetadata() -> Action? {
    guard !metadata.isEmpty, let start = session.start else { return nil }
    let isAll = phase.isFinishing && inputs.allSatisfy(\.isDrained)
    guard isAll || writtenTime != nil else { return nil }
    let movies = segments.spans.filter(\.isOpen).map {
      MetadataQueue.Movie(number: $0.number, start: time(ofSlot: $0.start))
    }
    for index in metadata.indices {
      let write = metadata[index].next(before: isAll ? nil : writtenTime, from: start, in: movies)
      if let write { return .metadata(track: index, write) }
    }
    return nil
  }

  /// The time up to which the first track of pictures is written, or else of sound, from the session's start.
  private var writtenTime: MediaTime? {
    if let lead { return lead.writtenEnd.map { lead.rate.time(ofFrame: $0) } }
    for case .audio(let audio) in inputs.lazy.map(\.track) {
      return MediaTime(value: audio.written, timescale: Int32(clamping: audio.rate))
    }
    return nil
  }

  /// When a slot of the first video track begins, from the session's start.
  func time(ofSlot slot: Int64) -> MediaTime { lead?.rate.time(ofFrame: slot) ?? .zero }

  /// Takes what comes with the end of a movie.
  mutating func takeFacts(of number: Int) -> MovieFacts {
    let span = segments.spans.first { $0.number == number }
    let first = time(ofSlot: segments.firstSlot)
    return facts.take(
      from: time(ofSlot: span?.start ?? segments.firstSlot) - first,
      to: span?.end.map { time(ofSlot: $0) - first },
      takeStart: (session.start ?? .zero) + first)
  }

  /// Takes facts with their times.
  mutating func append(
    _ sample: TimedMetadataTrack.Sample, keys: [TimedMetadataTrack.Key]?, toMetadata index: Int
  ) throws(AssetWriterError) {
    try checkIsOpen()
    try metadata[index].append(sample, keys: keys)
    guard phase.preRoll != nil, let start = session.start, let lead, let oldest = lead.queue.first
    else { return }
    metadata[index].forget(before: start + lead.rate.time(ofFrame: oldest.slot))
  }

  /// - Throws: Why nothing more is taken of what belongs to the take.
  func checkIsOpen() throws(AssetWriterError) {
    if let error = phase.statusError { throw error }
    if phase.isFinishing {
      throw AssetWriterError(.inputFinished, "writing is about to end; append before that")
    }
  }
}
