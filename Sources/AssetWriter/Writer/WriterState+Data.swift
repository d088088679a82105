import MediaCore
import QuickTime

/// Tracks of facts, captions and timecode.
extension WriterState {
  /// What to write next once frames of its time are written, or if none will be.
  mutating func nextData() -> Action? {
    guard !data.isEmpty, session.start != nil else { return nil }
    let isAll = phase.isFinishing && inputs.allSatisfy(\.isDrained)
    guard isAll || writtenTime != nil else { return nil }
    if isAll {
      let end = [writtenTime, session.length].compactMap(\.self).min()
      return nextData(before: nil, upTo: end).map { .data($0) }
    }
    return nextData(before: writtenTime).map { .data($0) }
  }

  /// Counts what waits for video, or for audio, that will not come.
  mutating func forgoData() {
    guard !data.allSatisfy(\.isEmpty), willHaveNone(of: .video) else { return }
    let hasAudio = !willHaveNone(of: .audio)
    for index in data.indices {
      if case .metadata = data[index].content, hasAudio { continue }
      data[index].forgo()
    }
  }

  /// True where no track of a kind has got anything, or will.
  private func willHaveNone(of mediaType: MediaType) -> Bool {
    inputs.allSatisfy { input in
      guard input.settings.mediaType == mediaType else { return true }
      return input.isDrained && input.isEmpty
    }
  }

  /// All that begins before a time from the session's start, including what belongs to the frame that ends there.
  mutating func allData(before reach: MediaTime) -> [DataQueue.Write] {
    var writes: [DataQueue.Write] = []
    while let write = nextData(before: reach) { writes.append(write) }
    return writes
  }

  private mutating func nextData(
    before reach: MediaTime?, upTo end: MediaTime? = nil
  ) -> DataQueue.Write? {
    guard !data.isEmpty, let start = session.start else { return nil }
    let movies = segments.spans.filter(\.isOpen).map {
      DataQueue.Movie(number: $0.number, start: time(ofSlot: $0.start))
    }
    for index in data.indices {
      let origin =
        data[index].content == .captions ? .zero - time(ofSlot: segments.firstSlot) : start
      if var write = data[index].next(before: reach, upTo: end, from: origin, in: movies) {
        write.track = index
        return write
      }
    }
    return nil
  }

  /// The time up to which the first video track is written, or else the first audio track, from the session's start.
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
      to: span?.end.map { time(ofSlot: $0) - first })
  }

  /// Chapters that no movie shows; nil while the movies are written, and for none.
  var chaptersOutside: Int? {
    guard phase.status == .completed else { return nil }
    let ends = [lead?.writtenEnd, session.length.flatMap { lead?.rate.frameIndex(nearest: $0) }]
    let end = ends.compactMap(\.self).min().map { time(ofSlot: $0) }
    let count = facts.chaptersOutside(end.map { $0 - time(ofSlot: segments.firstSlot) })
    return count > 0 ? count : nil
  }

  /// Adds a track.
  ///
  /// - Returns: Its place.
  mutating func addData(
    _ content: DataQueue.Content, _ what: String
  ) throws(AssetWriterError) -> Int {
    guard case .unknown = phase else {
      throw AssetWriterError(
        .invalidStatus, "a track of \(what) cannot be added once writing has started")
    }
    data.append(DataQueue(content))
    return data.count - 1
  }

  /// The one track of captions.
  var captionIndex: Int? { data.firstIndex { $0.content == .captions } }

  /// The one track of timecode that does not come with the video.
  var timecodeIndex: Int? {
    data.firstIndex { if case .timecode = $0.content { true } else { false } }
  }

  /// Lets a track take something.
  mutating func append(
    toData index: Int, _ append: (inout DataQueue) throws(AssetWriterError) -> Void
  ) throws(AssetWriterError) {
    if let error = phase.statusError { throw error }
    if phase.isFinishing {
      throw AssetWriterError(.inputFinished, "writing is about to end; append before that")
    }
    try append(&data[index])
    guard phase.preRoll != nil, let start = session.start, let lead, let oldest = lead.queue.first
    else { return }
    data[index].forget(before: start + lead.rate.time(ofFrame: oldest.slot))
  }
}
