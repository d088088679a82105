package import AssetReader
import AssetWriter
package import MediaCore
import QuickTime

/// Carries samples from a reader to the inputs of a writer: brings them onto one timeline, leaves out
/// the parts that are not wanted, and sends the rest through the filters.
package struct ExportFeed {
  let reader: AssetReader
  let session: AssetExportSession
  let supply: SteadySupply
  package private(set) var frameCount = 0
  package private(set) var prematureEnd: AssetReaderError?
  package private(set) var wasCancelled = false
  /// What happened to the pictures.
  private(set) var account: PictureAccount
  private var looks = PictureAccount.Looks()
  /// Where the source lacks data.
  private(set) var damage: SourceDamage
  /// Samples whose times were mended.
  private(set) var strays = StrayTimes()
  /// Tracks that came up on the way.
  private(set) var late = LateTracks()
  package private(set) var timeline: SourceTimeline
  private(set) var sound: ExportSoundFeed
  let track: AssetTrack
  private let processing: PictureProcessing
  let fieldOrder: FieldOrder?
  /// True where others have filtered the pictures, and know what happened to them.
  private let isPlanned: Bool

  /// Known with the source's first picture.
  private var first: AssetSample?
  private var timing: ExportTiming?
  /// The source's time of the movie's beginning.
  private var start = MediaTime.invalid
  /// From the in to the out point; nil without a rate.
  private var window: SlotWindow<PlacedPicture>?
  /// When the last picture is shown, from the movie's beginning.
  private var lastShown = MediaTime.zero
  private var pictures: ExportPictureFeed
  private(set) var captions = CaptionCollector()
  private(set) var reachedLimit = false

  /// - Parameters:
  ///   - fieldOrder: The pictures', whatever they say; nil for what they say.
  ///   - form: What pictures are brought to behind the filters; nil for as they are.
  ///   - supply: What gives samples in place of the reader.
  package init(
    reader: AssetReader, track: AssetTrack, session: AssetExportSession,
    processing: PictureProcessing, fieldOrder: FieldOrder?, sounds: [ExportSound],
    form: PictureForm? = nil, supply: (any SampleSupply)? = nil
  ) {
    let supply = supply ?? reader
    self.supply = SteadySupply(supply, pictures: track.id, rate: track.frameRate)
    let packets = supply.packets ?? PacketWatch(pictures: track.id)
    if supply.packets == nil { reader.watchPackets(packets.note) }
    damage = SourceDamage(pictures: track.id, packets: packets)
    isPlanned = supply.account != nil
    account = supply.account ?? PictureAccount()
    account.take(track.sideData.extras)
    self.fieldOrder = fieldOrder
    self.reader = reader
    self.session = session
    self.track = track
    self.processing = processing
    pictures = ExportPictureFeed(name: reader.location.displayName, form: form)
    sound = ExportSoundFeed(sounds, of: reader, with: track)
    timeline = SourceTimeline(
      rate: track.frameRate, timesMayJump: reader.contents.timesMayJump)
  }

  /// Pictures of the source that do not decode and are missing.
  package var framesUndecoded: Int { account.undecoded?.count ?? 0 }

  /// Frames that show the picture before, beside those that the writer repeats.
  var framesFilled: Int { pictures.framesFilled }

  /// Frames that will be encoded; nil where that is not known.
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

  /// Reads up to the first picture for the encoder, which says what the movie is to be.
  package mutating func begin() throws -> Beginning? {
    while pictures.ready.isEmpty, !isPastEnd, try advance() {}
    if pictures.ready.isEmpty { try pictures.finish() }
    guard let picture = pictures.ready.first, let first, let timing else {
      if let timing, prematureEnd == nil, frameCount == 0, first != nil, timing.firstSlot > 0 {
        throw AssetReaderError(
          .invalidArgument,
          "\(reader.location.displayName) ends before the in point, frame \(timing.firstSlot + timing.lead)"
        )
      }
      return nil
    }
    return Beginning(picture: picture, first: first, timing: timing)
  }

  /// Carries the first picture and all that follows.
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
    if !wasCancelled, !isPastEnd { try sound.takeEarly(on: &timeline, isLast: true) }
    try pictures.finish()
    try sound.finish()
    try await hand(over: plan)
    if let end = endTime, isFilled, !reachedLimit, !endsWithinFirstFrame {
      try plan.writer.endSession(atSourceTime: end)
    }
  }

  /// The source's pictures that are encoded, in order and counted from the first that decodes, of a feed that
  /// handed nothing over and does not filter.
  package mutating func schedule() throws -> [Int64] {
    guard try begin() != nil else { return [] }
    var chosen: [Int64] = []
    repeat {
      for picture in pictures.popReady() {
        if let end = endTime, picture.time >= end { continue }
        if let source = picture.source { chosen.append(source - (timing?.lead ?? 0)) }
      }
    } while try !isComplete && advance()
    return chosen
  }

  // MARK: Reading

  /// Reads one sample and what comes of it; false at the source's end.
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
      try take(picture: sample)
    } else {
      try sound.take(sample, on: &timeline)
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

  /// Notes what was passed over.
  private mutating func noteUndecoded(_ error: AssetReaderError) {
    if let id = error.trackID, id != track.id {
      sound.noteUndecoded(of: id, at: timeline.place(of: error.times))
    } else if damage.takeRefused(error, on: timeline) {
      account.takeUndecoded(at: lastShown)
    }
  }

  // MARK: Pictures

  private mutating func take(picture sample: AssetSample) throws {
    if first == nil { try begin(with: sample) }
    guard let timing, sample.sampleBuffer.imageBuffer != nil else { return }
    let parts = timeline.partCount
    let time = timeline.place(picture: sample.sampleBuffer.presentationTimeStamp)
    try sound.takeWaiting(on: &timeline)
    guard let time else {
      captions.add(sample.sideData.captions, at: nil)
      return
    }
    let picture = PlacedPicture(sample: sample, time: time)
    if let place = slot(of: time, timing) {
      let next = slot(of: time + sample.sampleBuffer.duration, timing)
      let shown = window?.take(picture, in: place, until: next ?? place)
      if let held = shown?.held { try show(held.picture, in: held.slot, isHeld: true, timing) }
      if let own = shown?.own { try show(own.picture, in: own.slot, timing) }
    } else {
      try show(picture, in: nil, timing)
    }
    if timeline.partCount > parts { try sound.takeEarly(on: &timeline, isLast: false) }
  }

  /// The slot of the source that is nearest to a time; nil where there is none.
  private func slot(of time: MediaTime, _ timing: ExportTiming) -> Int64? {
    timing.sourceRate?.frameIndex(nearest: time - start)?.addingSaturating(timing.firstSlot)
  }

  /// The source's first picture says where the movie begins.
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
      account.takeUndecoded(timing.lostPictures(damage.refused, in: range), at: .zero)
    }
    if timing.sourceRate != nil {
      window = SlotWindow(first: timing.firstSlot, end: timing.endSlot)
    }
    sound.begin(first: time, start: start, timing: timing, range: range)
    pictures.begin(at: start, timing: timing, filters: filters(timing))
  }

  private func filters(_ timing: ExportTiming) -> ExportFilters? {
    guard !isPlanned, !processing.isEmpty, let rate = timing.shownRate else { return nil }
    return ExportFilters(
      processing, from: rate, edit: session.edit, fieldOrder: fieldOrder,
      timecode: timing.startTimecode, name: reader.location.displayName)
  }

  /// Brings out what the source's last picture is still shown for.
  private mutating func finishWindow() throws {
    guard !wasCancelled, prematureEnd == nil, let timing, let shown = window?.finish() else {
      return
    }
    try show(shown.picture, in: shown.slot, isHeld: shown.isHeld, timing)
  }

  /// Takes a picture into the movie.
  ///
  /// - Parameter isHeld: True for one that is shown from the movie's beginning, and begins before it.
  private mutating func show(
    _ picture: PlacedPicture, in slot: Int64?, isHeld: Bool = false, _ timing: ExportTiming
  ) throws {
    let sample = picture.sample
    guard let buffer = sample.sampleBuffer.imageBuffer else { return }
    var shown = Picture(
      buffer: buffer, time: picture.time, duration: sample.sampleBuffer.duration,
      attachments: sample.sampleBuffer.attachments, source: sample.index)
    if isHeld {
      let rest = picture.time + sample.sampleBuffer.duration - start
      shown.time = start
      shown.duration = rest.isNumeric && rest > .zero ? rest : .invalid
      shown.attachments = SampleBuffer.Attachments()
    }
    lastShown = timing.shown(shown.time - start)
    if !isPlanned { account.take(sample, at: lastShown, &looks) }
    if !isHeld {
      captions.add(sample.sideData.captions, at: frameTime(of: slot, timing) ?? lastShown)
    }
    try pictures.take(shown, in: slot)
  }

  /// When the frame of a slot begins, from the movie's beginning; nil without a slot. Time stamps in milliseconds
  /// are beside it, and may have the first frame begin before the movie.
  private func frameTime(of slot: Int64?, _ timing: ExportTiming) -> MediaTime? {
    guard let slot, let rate = timing.sourceRate else { return nil }
    return timing.shown(rate.time(ofFrame: slot - timing.firstSlot))
  }

  // MARK: Writing

  /// True behind the out point.
  private var isPastEnd: Bool { window?.isOver ?? false }

  /// True where there are pictures up to the out point.
  private var isFilled: Bool { window?.isFilled ?? false }

  /// The movie's rate; nil before the first picture, and where there is none.
  var movieRate: FrameRate? { timing?.movieRate }

  /// The source time of the movie's end; nil where that is the source's.
  private var endTime: MediaTime? {
    guard let timing, let end = timing.endSlot, let rate = timing.sourceRate else { return nil }
    return start + timing.shown(rate.time(ofFrame: end - timing.firstSlot))
  }

  /// True where the movie's one frame lasts on beyond the out point: the writer would leave it out.
  private var endsWithinFirstFrame: Bool {
    guard let end = endTime, let rate = timing?.movieRate else { return false }
    return rate.frameIndex(nearest: end - start) == 0
  }

  /// True where the source came to its end before the point that was asked for.
  var endsBeforeOut: Bool {
    session.edit.end != nil && !isFilled && !wasCancelled && prematureEnd == nil
  }

  /// True once nothing more of the source is wanted: its sound may come later than its pictures.
  private var isComplete: Bool {
    if reachedLimit { return true }
    guard isPastEnd, let last = timing?.end(from: start) else { return false }
    return sound.hasCome(to: last)
      || timeline.hasPassed(last + MediaTime(value: 10, timescale: 1))
  }

  /// Hands over what is ready.
  private mutating func hand(over plan: ExportPlan) async throws {
    try captions.handOver(to: plan.hasCaptions ? plan.writer : nil)
    repeat {
      try await handPictures(over: plan)
      try pictures.goOn()
    } while !pictures.ready.isEmpty && !reachedLimit
    try await handSound(over: plan, until: endTime)
  }

  /// Hands over what is ready of the sound, up to the movie's end where that is known: what the writer gets behind it
  /// is written in vain, and of compressed sound some of it would stay.
  private mutating func handSound(over plan: ExportPlan, until end: MediaTime?) async throws {
    for piece in try sound.handOver(until: end) {
      try await plan.sounds[piece.sound].append(
        SampleBuffer(
          .audio(piece.buffer), presentationTimeStamp: piece.time,
          duration: piece.buffer.duration))
    }
  }

  private mutating func handPictures(over plan: ExportPlan) async throws {
    for picture in pictures.popReady() where !reachedLimit {
      if let end = endTime, picture.time >= end { continue }
      if let limit = session.maximumFrameCount, frameCount >= limit {
        // Nothing is taken behind the session's end.
        try sound.finishGathering()
        try await handSound(over: plan, until: picture.time)
        try plan.writer.endSession(atSourceTime: picture.time)
        reachedLimit = true
        break
      }
      try await plan.video.append(
        SampleBuffer(
          .video(picture.buffer), presentationTimeStamp: picture.time, duration: picture.duration,
          attachments: picture.attachments))
      frameCount += 1
      session.onProgress?(
        AssetExportSession.Progress(
          frames: frameCount, totalFrames: totalFrames,
          fileBytes: plan.writer.progress.fileBytes, isFinishing: false))
    }
  }

  /// The source's chapters, from the movie's first picture on.
  var chapters: [MovieChapter] {
    reader.contents.chapters.map { chapter in
      let time = chapter.start - start
      return MovieChapter(title: chapter.title, start: timing?.shown(time) ?? time)
    }
  }
}
