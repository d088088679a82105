import MediaCore
import QuickTime

/// What the writing thread does next.
extension WriterState {
  enum Action {
    /// Begin a movie.
    case open(MovieSetup)
    case video(input: Int, VideoWrite)
    case audio(input: Int, AudioWrite)
    case data(DataQueue.Write)
    /// Complete the movie of a span; nothing more belongs to it.
    case endSegment(SegmentTimeline.Span, MovieFacts)
    /// Complete what is open; the session's length, where it was ended.
    case finish(length: MediaTime?)
    case abort(AssetWriterError)
    case cancel
  }

  /// A frame to write, and the slots that it fills.
  struct VideoWrite {
    var frame: EncodedFrame
    var segment: Int
    var slot: Int64
    var end: Int64
    var gapPolicy: VideoOutputSettings.GapPolicy
    /// True where the frame fills no slot behind `end`.
    var isDone: Bool
    /// What else there is of its time, and of the time before it: to be written first.
    var data: [DataQueue.Write] = []
  }

  /// Audio to write, and its samples that are within the segment and the session.
  struct AudioWrite {
    var piece: AudioTrackState.Piece
    var segment: Int
    var room: Int
    /// False where the rest of the piece belongs to the next segment.
    var isDone = true
  }

  /// The next action, or nil where there is nothing to do yet.
  mutating func nextAction() -> Action? {
    switch phase {
    case .writing(.cancelling): return .cancel
    case .writing(.aborting(let error)): return .abort(error)
    case .writing(.recording), .writing(.finishing): return nextWrite()
    default: return nil
    }
  }

  private mutating func nextWrite() -> Action? {
    forgoData()
    guard segments.hasBegun || canOpen else { return nil }
    if segments.firstSlot > 0 { dropAudio(before: segments.firstSlot) }
    if !segments.hasBegun {
      let audioRate = inputs.compactMap(\.plainAudioRate).max()
      segments.begin(
        frameLimit: (lead?.rate).flatMap {
          configuration.segments.frameLimit(at: $0, audioRate: audioRate)
        })
    }
    // The take's first movie is begun even for nothing, later ones for something to write.
    if let first = segments.spans.first, first.number == 1, !first.isOpen {
      return .open(movieSetup(first))
    }
    if !segments.requests.isEmpty { segments.applyRequests(earliest: earliestCut) }
    if let data = nextData() { return data }
    if let complete = completeSpan { return .endSegment(complete, takeFacts(of: complete.number)) }
    if let index = nextInput() { return write(from: index) }
    return phase.isFinishing && inputs.allSatisfy(\.isDrained)
      ? .finish(length: session.length) : nil
  }

  /// A movie's header says what the tracks are: each must be known, or never to be.
  private var canOpen: Bool {
    phase.isFinishing
      || inputs.allSatisfy { input in
        switch input.track {
        case .unprepared: input.isFinished
        case .video(let video): video.slots.last != nil || input.isFinished
        // Segments have the session's times.
        case .audio: session.start != nil || input.isFinished
        }
      }
  }

  private func movieSetup(_ span: SegmentTimeline.Span) -> MovieSetup {
    let tracks = inputs.indices.map { index -> MovieSetup.Track in
      let input = inputs[index]
      let start = boundary(span.start, for: index)
      switch (input.track, input.settings) {
      case (.video(let video), .video(let settings, _)) where video.hasBegun:
        return .video(
          MovieSetup.VideoTrack(
            description: VideoTrackDescription(settings, video.form, rate: video.rate),
            settings: settings, form: video.form, isRealTime: input.isRealTime,
            first: video.slots.first ?? 0, start: start))
      case (.audio(let audio), _): return .audio(audio.settings, start: start)
      default: return .none
      }
    }
    return MovieSetup(
      span: span, sessionStart: session.start ?? .zero, configuration: configuration, facts: facts,
      timecode: baseTimecode, tracks: tracks, data: data.map(\.content))
  }

  // MARK: Whose turn it is

  /// The input to write from: the earliest, once every other one that is still alive has something
  /// to compare it with, or it has waited for them long enough.
  private func nextInput() -> Int? {
    var earliest: Int?
    var somebodyIsMissing = false
    for (index, input) in inputs.enumerated() where !input.isDrained {
      guard hasHead(index) else {
        somebodyIsMissing = true
        continue
      }
      if let best = earliest, inputs[best].headTime <= input.headTime { continue }
      earliest = index
    }
    guard somebodyIsMissing else { return earliest }
    // Only those that hold as much as they may go on alone, the earliest of them first.
    earliest = nil
    for (index, input) in inputs.enumerated() where hasHead(index) {
      let waiting = input.acceptedTime - input.headTime
      guard input.isFull || waiting >= configuration.interleavingWindow else { continue }
      if let best = earliest, inputs[best].headTime <= input.headTime { continue }
      earliest = index
    }
    return earliest
  }

  /// True where something of the input could be written now.
  private func hasHead(_ index: Int) -> Bool {
    switch inputs[index].track {
    case .unprepared: false
    case .video(let video): head(of: index, video) != nil
    case .audio(let audio): !audio.pieces.isEmpty
    }
  }

  private func head(of index: Int, _ video: VideoTrackState) -> VideoTrackState.Head? {
    video.head(
      isFinished: inputs[index].isFinished,
      endSlot: [session.length.flatMap { video.rate.frameIndex(nearest: $0) }, lastSlotEnd]
        .compactMap(\.self).min(),
      cutSlot: index == leadIndex
        ? video.queue.first.flatMap { segments.end(after: $0.slot) } : nil,
      maximumGap: configuration.maximumGap)
  }

  // MARK: What it writes, and where

  private mutating func write(from index: Int) -> Action? {
    switch inputs[index].track {
    case .unprepared: nil
    case .video(let video): writeVideo(video, from: index)
    case .audio(let audio): writeAudio(audio, from: index)
    }
  }

  private mutating func writeVideo(_ video: VideoTrackState, from index: Int) -> Action? {
    guard let frame = video.queue.firstFrame, let head = head(of: index, video) else { return nil }
    var write = VideoWrite(
      frame: frame, segment: segments.last?.number ?? 1, slot: head.slot, end: head.end,
      gapPolicy: video.gapPolicy, isDone: head.isDone)
    // What lies behind the session's end is left out, and what is carried over may need no slot:
    // neither begins a movie.
    guard head.end > head.slot, let slot = self.slot(of: head.slot, in: index),
      var span = segments.span(at: slot)
    else {
      write.end = head.slot
      return .video(input: index, write)
    }
    if index == leadIndex, span.number == segments.last?.number, configuration.segments.isBySize {
      cutBySize(atFrameOf: frame.byteCount, from: head.slot, to: head.end)
      span = segments.span(at: slot) ?? span
    }
    guard span.isOpen else { return .open(movieSetup(span)) }
    write.segment = span.number
    if let cut = span.end { write.end = min(head.end, boundary(cut, for: index)) }
    write.isDone = head.isDone && write.end == head.end
    if index == leadIndex { write.data = allData(before: time(ofSlot: write.end)) }
    return .video(input: index, write)
  }

  private mutating func writeAudio(_ audio: AudioTrackState, from index: Int) -> Action? {
    guard let piece = audio.pieces.first else { return nil }
    let end = session.length.flatMap { length -> Int64? in
      let samples = length.converted(toTimescale: Int32(clamping: audio.rate))
      // An end that is too far away to be counted is none.
      return samples.isNumeric ? samples.value : nil
    }
    var room = end.map { max($0 - audio.written, 0) } ?? .max
    // What lies behind the session's end is left out: it begins no movie.
    guard room > 0, let slot = self.slot(of: audio.written, in: index),
      var span = segments.span(at: slot)
    else {
      return .audio(
        input: index, AudioWrite(piece: piece, segment: segments.last?.number ?? 1, room: 0))
    }
    if span.number == segments.last?.number, configuration.segments.isBySize {
      cutBySize(atAudioUpTo: audio.written + Int64(piece.frameCount), of: index)
      span = segments.span(at: slot) ?? span
    }
    guard span.isOpen else { return .open(movieSetup(span)) }
    var isDone = true
    if let cut = span.end {
      let left = boundary(cut, for: index) - audio.written
      isDone = left >= min(room, Int64(piece.frameCount))
      room = min(room, left)
    }
    return .audio(
      input: index,
      AudioWrite(
        piece: piece, segment: span.number, room: Int(clamping: room), isDone: isDone))
  }

  // MARK: What was written

  /// Books that the frame at the head of an input was written.
  mutating func didWrite(_ write: VideoWrite, _ index: Int) -> Released {
    inputs[index].withVideo { $0.didWrite(write) }
    return releaseReady()
  }

  /// Records that the audio at the head of an input was written.
  mutating func didWrite(_ write: AudioWrite, _ index: Int, written: Int) -> Released {
    inputs[index].withAudio { $0.didWrite(write, written: written) }
    return releaseReady()
  }

  /// Books the frames that have reached the file since it was asked last.
  ///
  /// - Parameter pending: The frames of an input that have not.
  mutating func noteArrivals(pending: (_ input: Int) -> Int) {
    let now = MonotonicClock.now
    for index in inputs.indices {
      guard case .video = inputs[index].track else { continue }
      let waiting = pending(index)
      inputs[index].withVideo { $0.noteArrivals(waiting: waiting, now: now) }
    }
  }
}
