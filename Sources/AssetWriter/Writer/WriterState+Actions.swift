import MediaCore

extension WriterState {
  /// What the writing thread does next.
  enum Action {
    /// Begin a movie; the state says what the tracks are.
    case open(SegmentTimeline.Stretch, WriterState)
    case video(input: Int, VideoWrite)
    case audio(input: Int, AudioWrite)
    /// Complete the movie of a segment; nothing more belongs to it.
    case endSegment(SegmentTimeline.Stretch)
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
  }

  /// Sound to write, and the samples of it that lie within the segment and the session.
  struct AudioWrite {
    var piece: AudioTrackState.Piece
    var segment: Int
    var room: Int
    var bytesPerFrame: Int
    /// False where the rest of the piece belongs to the next segment.
    var isDone = true
  }

  /// The next action, or nil where there is nothing to do yet.
  mutating func nextAction() -> Action? {
    if isCancelling { return .cancel }
    if let failure { return .abort(failure) }
    guard preRoll == nil, timeline != nil || canOpen else { return nil }
    if firstSlot > 0 { dropSound(before: firstSlot) }
    if timeline == nil { beginTimeline() }
    // The take's first movie is begun even for nothing, later ones for something to write.
    if let first = timeline?.stretches.first, first.number == 1, !first.isOpen {
      return .open(first, self)
    }
    if timeline?.requests.isEmpty == false {
      let earliest = earliestCut
      timeline?.applyRequests(earliest: earliest)
    }
    if let complete = completeStretch { return .endSegment(complete) }
    if let index = nextInput() { return write(from: index) }
    return isFinishing && inputs.allSatisfy(\.isDrained)
      ? .finish(length: sessionStart.flatMap { start in sessionEnd.map { $0 - start } }) : nil
  }

  private mutating func beginTimeline() {
    var timeline = SegmentTimeline(
      start: firstSlot, frameLimit: leadRate.flatMap(configuration.segments.frameLimit))
    for slot in earlyRequests { timeline.request(before: slot) }
    earlyRequests = []
    self.timeline = timeline
  }

  /// A movie's header says what the tracks are: each must be known, or never to be.
  private var canOpen: Bool {
    isFinishing
      || inputs.allSatisfy { input in
        switch input.track {
        case .unprepared: input.isFinished
        case .video(let video): video.lastSlot != nil || input.isFinished
        case .audio: true
        }
      }
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
      isFinished: inputs[index].isFinished, endSlot: endSlot(video.rate),
      cutSlot: index == leadIndex
        ? video.pending.first.flatMap { timeline?.end(after: $0.slot) } : nil,
      maximumGap: configuration.maximumGap)
  }

  private func endSlot(_ rate: FrameRate) -> Int64? {
    guard let sessionStart, let sessionEnd else { return nil }
    return rate.frameIndex(nearest: sessionEnd - sessionStart)
  }

  private func endSample(_ rate: Int) -> Int64? {
    guard let sessionStart, let sessionEnd else { return nil }
    return (sessionEnd - sessionStart).converted(toTimescale: Int32(clamping: rate)).value
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
    guard let frame = video.encoded.first, let head = head(of: index, video) else { return nil }
    var end = head.end
    // What lies behind the session's end is left out, and what is carried over may need no slot:
    // neither begins a movie.
    guard end > head.slot, let slot = self.slot(of: head.slot, in: index),
      var stretch = timeline?.stretch(at: slot)
    else {
      return .video(
        input: index,
        VideoWrite(
          frame: frame, segment: timeline?.last.number ?? 1, slot: head.slot, end: head.slot,
          gapPolicy: video.gapPolicy, isDone: head.isDone))
    }
    if index == leadIndex, stretch.number == timeline?.last.number, configuration.segments.isBySize
    {
      cutBySize(atFrameOf: frame.byteCount, from: head.slot, to: end)
      stretch = timeline?.stretch(at: slot) ?? stretch
    }
    guard stretch.isOpen else { return .open(stretch, self) }
    if let cut = stretch.end { end = min(end, boundary(cut, for: index)) }
    return .video(
      input: index,
      VideoWrite(
        frame: frame, segment: stretch.number, slot: head.slot, end: end,
        gapPolicy: video.gapPolicy, isDone: head.isDone && end == head.end))
  }

  private mutating func writeAudio(_ audio: AudioTrackState, from index: Int) -> Action? {
    guard let piece = audio.pieces.first else { return nil }
    var room = endSample(audio.rate).map { max($0 - audio.written, 0) } ?? .max
    let slot = self.slot(of: audio.written, in: index)
    // What lies behind the session's end is left out: it begins no movie.
    guard room > 0, let slot, var stretch = timeline?.stretch(at: slot) else {
      return .audio(
        input: index,
        AudioWrite(
          piece: piece, segment: timeline?.last.number ?? 1, room: 0,
          bytesPerFrame: audio.settings.format.bytesPerFrame))
    }
    if stretch.number == timeline?.last.number, configuration.segments.isBySize {
      cutBySize(atSoundUpTo: audio.written + Int64(piece.frameCount), of: index)
      stretch = timeline?.stretch(at: slot) ?? stretch
    }
    guard stretch.isOpen else { return .open(stretch, self) }
    var isDone = true
    if let cut = stretch.end {
      let left = boundary(cut, for: index) - audio.written
      isDone = left >= min(room, Int64(piece.frameCount))
      room = min(room, left)
    }
    return .audio(
      input: index,
      AudioWrite(
        piece: piece, segment: stretch.number, room: Int(clamping: room),
        bytesPerFrame: audio.settings.format.bytesPerFrame, isDone: isDone))
  }
}
