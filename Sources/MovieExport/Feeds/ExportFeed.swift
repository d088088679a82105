package import AssetReader
import AssetWriter
package import MediaCore
import QuickTime

/// Carries samples from a reader to a writer's inputs: puts them on one timeline, drops the parts
/// outside the chosen range, and filters the rest.
package struct ExportFeed {
  let reader: AssetReader
  let session: AssetExportSession
  let supply: SteadySupply
  package private(set) var frameCount = 0
  package private(set) var prematureEnd: AssetReaderError?
  package private(set) var wasCancelled = false
  /// A record of what happened to the frames.
  private(set) var account: FrameAccount
  private var looks = FrameAccount.Looks()
  /// Where data is missing from the source.
  private(set) var damage: SourceDamage
  /// Samples whose times were corrected.
  private(set) var strays = StrayTimes()
  /// Tracks that began after the source was opened.
  private(set) var late = LateTracks()
  package private(set) var timeline: SourceTimeline
  private(set) var audio: ExportAudioFeed
  let track: AssetTrack
  private let processing: VideoProcessing
  let fieldOrder: FieldOrder?
  /// True if the frames were filtered elsewhere, where the record of what happened to them was
  /// kept.
  private let isPlanned: Bool

  /// Known from the source's first frame on.
  private var first: AssetSample?
  private(set) var timing: ExportTiming?
  /// The source time at which the movie begins.
  private(set) var start = MediaTime.invalid
  /// The slots from the in point to the out point; nil without a frame rate.
  private var window: SlotWindow<PlacedFrame>?
  /// The movie time of the last frame.
  private var lastShown = MediaTime.zero
  private var frames: ExportFrameFeed
  private(set) var captions = CaptionCollector()
  private(set) var reachedLimit = false

  /// - Parameters:
  ///   - fieldOrder: Overrides the frames' field order; nil keeps it.
  ///   - form: A conversion of frames after the filters; nil for none.
  ///   - supply: A source of samples to use instead of the reader.
  package init(
    reader: AssetReader, track: AssetTrack, session: AssetExportSession,
    processing: VideoProcessing, fieldOrder: FieldOrder?, audioTracks: [ExportAudio],
    form: FrameForm? = nil, supply: (any SampleSupply)? = nil
  ) {
    let supply = supply ?? reader
    self.supply = SteadySupply(supply, video: track.id, rate: track.frameRate)
    let packets = supply.packets ?? PacketWatch(video: track.id)
    if supply.packets == nil { reader.watchPackets(packets.note) }
    damage = SourceDamage(video: track.id, packets: packets)
    isPlanned = supply.account != nil
    account = supply.account ?? FrameAccount()
    account.take(track.sideData.extras)
    self.fieldOrder = fieldOrder
    self.reader = reader
    self.session = session
    self.track = track
    self.processing = processing
    frames = ExportFrameFeed(name: reader.location.displayName, form: form)
    audio = ExportAudioFeed(audioTracks, of: reader, with: track)
    timeline = SourceTimeline(
      rate: track.frameRate, timesMayJump: reader.contents.timesMayJump)
  }

  /// The number of source frames that failed to decode and are missing.
  package var framesUndecoded: Int { account.undecoded?.count ?? 0 }

  /// The number of frames that repeat the previous one, apart from those that the writer repeats.
  var framesFilled: Int { frames.framesFilled }

  /// What became of frames at another frame rate; nil if the rate stays.
  var tally: RateConversion<PixelBuffer>.Tally? { frames.tally }

  /// The number of frames that will be encoded; nil if unknown.
  var totalFrames: Int? {
    guard let count = track.sampleCount else { return session.maximumFrameCount }
    var total = Double(count)
    if let timing, let source = timing.sourceRate {
      let end = min(Int64(count) - timing.lead, timing.endSlot ?? .max)
      total = Double(max(end - timing.firstSlot, 0))
      let (shown, movie) = (timing.shownRate ?? source, timing.movieRate ?? source)
      if !timing.isPlain, total > 0 {
        total = max(total * movie.framesPerSecond / shown.framesPerSecond, 1)
      }
    }
    return min(Int(total.rounded()), session.maximumFrameCount ?? .max)
  }

  /// Reads up to the first frame for the encoder, which determines the movie's format.
  package mutating func begin() throws -> Beginning? {
    while frames.ready.isEmpty, !isPastEnd, try advance() {}
    if frames.ready.isEmpty { try frames.finish() }
    guard let frame = frames.ready.first, let first, let timing else {
      if let timing, prematureEnd == nil, frameCount == 0, first != nil, timing.firstSlot > 0 {
        throw AssetReaderError(
          .invalidArgument,
          "\(reader.location.displayName) ends before the in point, frame \(timing.firstSlot + timing.lead)"
        )
      }
      return nil
    }
    return Beginning(frame: frame, first: first, timing: timing)
  }

  /// Exports the first frame and everything after it.
  package mutating func run(_ plan: ExportPlan) async throws {
    plan.writer.chapters = chapters
    try plan.writer.startSession(atSourceTime: start)
    try await hand(over: plan)
    while !isComplete, try advance() {
      if Task.isCancelled {
        wasCancelled = true
        break
      }
      try await hand(over: plan)
    }
    if !wasCancelled, !isPastEnd { try audio.takeEarly(on: &timeline, isLast: true) }
    try frames.finish()
    try audio.finish()
    try await hand(over: plan)
    if let end = endTime, isFilled, !reachedLimit, !endsWithinFirstFrame {
      try plan.writer.endSession(atSourceTime: end)
    }
  }

  /// The indices of the source frames to encode, in order, counted from the first one that decodes.
  /// Only for a feed that has not passed on anything and does not filter.
  package mutating func schedule() throws -> [Int64] {
    guard try begin() != nil else { return [] }
    var chosen: [Int64] = []
    repeat {
      for frame in frames.popReady() {
        if let end = endTime, frame.time >= end { continue }
        if let source = frame.source { chosen.append(source - (timing?.lead ?? 0)) }
      }
    } while try !isComplete && advance()
    return chosen
  }

  // MARK: Reading

  /// Reads and processes one sample; false at the end of the source.
  private mutating func advance() throws -> Bool {
    let next = try nextSample()
    damage.takeMarks(on: timeline)
    strays.take(supply.takeStrays(), on: timeline)
    if !isPlanned, !isPastEnd { takeLateTracks() }
    guard let sample = next else {
      try finishWindow()
      return false
    }
    if sample.trackID == track.id {
      try take(frame: sample)
    } else {
      try audio.take(sample, on: &timeline)
    }
    return true
  }

  private mutating func takeLateTracks() {
    late.take(reader.lateTracks, audio: session.edit.audio) { [start, timing, lastShown] track in
      let time = track.startTime - start
      return LateTracks.place(timing?.shown(time) ?? time, near: lastShown)
    }
  }

  /// The next sample that can be decoded.
  private mutating func nextSample() throws -> AssetSample? {
    while true {
      do throws(AssetReaderError) {
        return try supply.nextSample()
      } catch {
        switch error.code {
        case .decodeFailed: noteUndecoded(error)
        case .cancelled where frameCount > 0:
          wasCancelled = true
          return nil
        case .truncated, .corrupt, .readFailed:
          prematureEnd = error
          return nil
        default: throw error
        }
      }
    }
  }

  /// Records what was skipped.
  private mutating func noteUndecoded(_ error: AssetReaderError) {
    if let id = error.trackID, id != track.id {
      audio.noteUndecoded(of: id, at: timeline.place(of: error.times))
    } else if damage.takeRefused(error, on: timeline) {
      account.takeUndecoded(at: lastShown)
    }
  }

  // MARK: Frames

  private mutating func take(frame sample: AssetSample) throws {
    if first == nil { try begin(with: sample) }
    guard let timing, sample.sampleBuffer.imageBuffer != nil else { return }
    let parts = timeline.partCount
    let time = timeline.place(frame: sample.sampleBuffer.presentationTimeStamp)
    try audio.takeWaiting(on: &timeline)
    guard let time else {
      captions.add(sample.sideData.captions, at: nil)
      return
    }
    let frame = PlacedFrame(sample: sample, time: time)
    if let place = slot(of: time, timing) {
      let next = slot(of: time + sample.sampleBuffer.duration, timing)
      let shown = window?.take(frame, in: place, until: next ?? place)
      if let held = shown?.held { try show(held.frame, in: held.slot, isHeld: true, timing) }
      if let own = shown?.own { try show(own.frame, in: own.slot, timing) }
    } else {
      try show(frame, in: nil, timing)
    }
    if timeline.partCount > parts { try audio.takeEarly(on: &timeline, isLast: false) }
  }

  /// The source's slot nearest to a time; nil without a frame rate.
  private func slot(of time: MediaTime, _ timing: ExportTiming) -> Int64? {
    timing.sourceRate?.frameIndex(nearest: time - start)?.addingSaturating(timing.firstSlot)
  }

  /// Sets up the timing from the source's first frame, which determines where the movie begins.
  private mutating func begin(with sample: AssetSample) throws {
    let timing = try ExportTiming(session, track, first: sample, processing: processing)
    self.timing = timing
    first = sample
    let time = sample.sampleBuffer.presentationTimeStamp
    start = timing.start(from: time)
    let range = timing.range(from: time)
    timeline.range = range
    damage.begin(in: range)
    if !isPlanned {
      account.takeFirst(sample.sideData, track.sideData)
      account.takeUndecoded(timing.lostFrames(damage.refused, in: range), at: .zero)
    }
    if timing.sourceRate != nil {
      window = SlotWindow(first: timing.firstSlot, end: timing.endSlot)
    }
    audio.begin(first: time, start: start, timing: timing, range: range)
    frames.begin(at: start, timing: timing, filters: filters(timing))
  }

  private func filters(_ timing: ExportTiming) -> ExportFilters? {
    guard !isPlanned, !processing.isEmpty, let rate = timing.shownRate else { return nil }
    return ExportFilters(
      processing, from: rate, edit: session.edit, fieldOrder: fieldOrder,
      timecode: timing.startTimecode, name: reader.location.displayName)
  }

  /// Shows the source's last frame if it lasts into the window.
  private mutating func finishWindow() throws {
    guard !wasCancelled, prematureEnd == nil, let timing, let shown = window?.finish() else {
      return
    }
    try show(shown.frame, in: shown.slot, isHeld: shown.isHeld, timing)
  }

  /// Adds a frame to the movie.
  ///
  /// - Parameter isHeld: True for a frame that begins before the movie and is shown from its
  ///   beginning.
  private mutating func show(
    _ frame: PlacedFrame, in slot: Int64?, isHeld: Bool = false, _ timing: ExportTiming
  ) throws {
    let sample = frame.sample
    guard let buffer = sample.sampleBuffer.imageBuffer else { return }
    var shown = Frame(
      buffer: buffer, time: frame.time, duration: sample.sampleBuffer.duration,
      attachments: sample.sampleBuffer.attachments, source: sample.index)
    if isHeld {
      let rest = frame.time + sample.sampleBuffer.duration - start
      shown.time = start
      shown.duration = rest.isNumeric && rest > .zero ? rest : .invalid
      shown.attachments = SampleBuffer.Attachments()
    }
    lastShown = timing.shown(shown.time - start)
    if !isPlanned { account.take(sample, at: lastShown, &looks) }
    if !isHeld {
      captions.add(sample.sideData.captions, at: frameTime(of: slot, timing) ?? lastShown)
    }
    try frames.take(shown, in: slot)
  }

  /// The movie time of a slot; nil without a slot. More exact than time stamps in milliseconds,
  /// which may put the first frame before the movie.
  private func frameTime(of slot: Int64?, _ timing: ExportTiming) -> MediaTime? {
    guard let slot, let rate = timing.sourceRate else { return nil }
    return timing.shown(rate.time(ofFrame: slot - timing.firstSlot))
  }

  // MARK: Writing

  /// True after the out point.
  private var isPastEnd: Bool { window?.isOver ?? false }

  /// True if there are frames up to the out point.
  private var isFilled: Bool { window?.isFilled ?? false }

  /// The movie's frame rate; nil before the first frame, and if there is none.
  var movieRate: FrameRate? { timing?.movieRate }

  /// The source time of the movie's end; nil if it is the end of the source.
  private var endTime: MediaTime? {
    guard let timing, let end = timing.endSlot, let rate = timing.sourceRate else { return nil }
    return start + timing.shown(rate.time(ofFrame: end - timing.firstSlot))
  }

  /// True if the movie's only frame extends beyond the out point, so that the writer would drop it.
  private var endsWithinFirstFrame: Bool {
    guard let end = endTime, let rate = timing?.movieRate else { return false }
    return rate.frameIndex(nearest: end - start) == 0
  }

  /// True if the source ended before the requested out point.
  var endsBeforeOut: Bool {
    session.edit.end != nil && !isFilled && !wasCancelled && prematureEnd == nil
  }

  /// True once nothing more of the source is needed. Its audio may come later than its video.
  private var isComplete: Bool {
    if reachedLimit { return true }
    guard isPastEnd, let last = timing?.end(from: start) else { return false }
    return audio.hasCome(to: last)
      || timeline.hasPassed(last + MediaTime(value: 10, timescale: 1))
  }

  /// Passes what is ready to the writer.
  private mutating func hand(over plan: ExportPlan) async throws {
    try captions.handOver(to: plan.hasCaptions ? plan.writer : nil)
    repeat {
      try await handFrames(over: plan)
      try frames.goOn()
    } while !frames.ready.isEmpty && !reachedLimit
    try await handAudio(over: plan, until: endTime)
  }

  /// Passes the audio that is ready to the writer, up to the movie's end if known. Audio after that
  /// would be written for nothing, and some compressed audio would remain in the movie.
  private mutating func handAudio(over plan: ExportPlan, until end: MediaTime?) async throws {
    for piece in try audio.handOver(until: end) {
      try await plan.audioInputs[piece.audio].append(
        SampleBuffer(
          .audio(piece.buffer), presentationTimeStamp: piece.time,
          duration: piece.buffer.duration))
    }
  }

  private mutating func handFrames(over plan: ExportPlan) async throws {
    for frame in frames.popReady() where !reachedLimit {
      if let end = endTime, frame.time >= end { continue }
      if let limit = session.maximumFrameCount, frameCount >= limit {
        // The writer accepts nothing after the end of the session.
        try audio.finishGathering()
        try await handAudio(over: plan, until: frame.time)
        try plan.writer.endSession(atSourceTime: frame.time)
        reachedLimit = true
        break
      }
      try await plan.video.append(
        SampleBuffer(
          .video(frame.buffer), presentationTimeStamp: frame.time, duration: frame.duration,
          attachments: frame.attachments))
      frameCount += 1
      session.onProgress?(
        AssetExportSession.Progress(
          frames: frameCount, totalFrames: totalFrames,
          fileBytes: plan.writer.progress.fileBytes, isFinishing: false))
    }
  }

  /// The source's chapters, with times from the start of the movie.
  var chapters: [MovieChapter] {
    reader.contents.chapters.map { chapter in
      let time = chapter.start - start
      return MovieChapter(title: chapter.title, start: timing?.shown(time) ?? time)
    }
  }
}
