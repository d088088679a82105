import AssetReader
import AssetWriter
import MediaCore
import QuickTime

/// Carries samples from a reader to the inputs of a writer.
struct ExportFeed {
  let reader: AssetReader
  let session: AssetExportSession
  private(set) var frameCount = 0
  private(set) var framesUndecoded = 0
  private(set) var prematureEnd: AssetReaderError?
  private(set) var wasCancelled = false
  private(set) var extras: Set<PictureSideData.Extra> = []
  private(set) var timeline: SourceTimeline
  private var captions = CaptionCollector()
  private var start = MediaTime.zero
  /// Sound that comes before the first picture, which says where the movie begins.
  private var waiting: [AssetSample] = []
  /// Sound of a part of the source whose pictures have not come yet.
  private var early: [AssetTrack.ID: [AssetSample]] = [:]
  private var reachedLimit = false

  init(reader: AssetReader, track: AssetTrack, session: AssetExportSession) {
    self.reader = reader
    self.session = session
    timeline = SourceTimeline(
      rate: track.frameRate, timesMayJump: reader.contents.timesMayJump)
    extras = track.sideData.extras
    videoTrackID = track.id
  }

  private let videoTrackID: AssetTrack.ID

  /// Frames of the source that will be encoded; nil where that is not known.
  var totalFrames: Int? {
    [reader.videoTrack?.sampleCount, session.maximumFrameCount].compactMap(\.self).min()
  }

  /// Reads up to the first picture, which says what the movie is to be.
  mutating func firstPicture() throws -> AssetSample? {
    while let sample = try nextSample() {
      if sample.trackID == videoTrackID { return sample }
      waiting.append(sample)
    }
    return nil
  }

  /// Carries the first picture and all that follows.
  mutating func run(_ first: AssetSample, _ plan: ExportPlan) async throws {
    start = first.sampleBuffer.presentationTimeStamp
    plan.writer.chapters = chapters
    try plan.writer.startSession(atSourceTime: start)
    try await append(first, plan)
    for sample in waiting { try await append(sample, plan) }
    waiting = []
    while !reachedLimit, let sample = try nextSample() {
      if Task.isCancelled {
        wasCancelled = true
        return
      }
      try await append(sample, plan)
    }
    guard !reachedLimit, !wasCancelled else { return }
    for track in early.keys.sorted() {
      for sample in early[track] ?? [] { try await appendSound(sample, plan, isLast: true) }
    }
  }

  /// The source's chapters, from the first picture on.
  private var chapters: [MovieChapter] {
    reader.contents.chapters.map { MovieChapter(title: $0.title, start: $0.start - start) }
  }

  private mutating func append(_ sample: AssetSample, _ plan: ExportPlan) async throws {
    guard sample.trackID == videoTrackID else {
      return try await appendSound(sample, plan, isLast: false)
    }
    let joins = timeline.repairs.joins
    guard let time = timeline.place(picture: sample.sampleBuffer.presentationTimeStamp) else {
      captions.add(sample.sideData.captions, at: nil) { _ in }
      return
    }
    if let limit = session.maximumFrameCount, frameCount >= limit {
      try plan.writer.endSession(atSourceTime: time)
      reachedLimit = true
      return
    }
    var buffer = sample.sampleBuffer
    buffer.presentationTimeStamp = time
    extras.formUnion(sample.sideData.extras)
    captions.add(sample.sideData.captions, at: time - start) { plan.writer.appendCaptions($0) }
    try await plan.inputs[sample.trackID]?.append(buffer)
    frameCount += 1
    session.onProgress?(
      AssetExportSession.Progress(
        frames: frameCount, totalFrames: totalFrames,
        fileBytes: plan.writer.progress.fileBytes, isFinishing: false))
    guard timeline.repairs.joins > joins else { return }
    let held = early
    early = [:]
    for track in held.keys.sorted() {
      for sample in held[track] ?? [] { try await appendSound(sample, plan, isLast: false) }
    }
  }

  private mutating func appendSound(
    _ sample: AssetSample, _ plan: ExportPlan, isLast: Bool
  ) async throws {
    let (track, buffer) = (sample.trackID, sample.sampleBuffer)
    guard let sound = buffer.audioBuffer else { return }
    // What follows sound that waits waits too.
    if !isLast, early[track]?.isEmpty == false {
      early[track, default: []].append(sample)
      return
    }
    switch try timeline.place(
      sound, at: buffer.presentationTimeStamp, track: track, isLast: isLast)
    {
    case .dropped: break
    case .early: early[track, default: []].append(sample)
    case .placed(let placed):
      try await plan.inputs[track]?.append(
        SampleBuffer(
          .audio(placed.buffer), presentationTimeStamp: placed.time,
          duration: placed.buffer.duration, attachments: buffer.attachments))
    }
  }

  /// The next sample that can be decoded.
  private mutating func nextSample() throws -> AssetSample? {
    while true {
      do throws(AssetReaderError) {
        return try reader.nextSample()
      } catch {
        switch error.code {
        case .decodeFailed: framesUndecoded += 1
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

  // MARK: What was different

  /// What was found on the way.
  func notes(_ report: AssetWriter.Report) -> [ExportNote] {
    var notes = extras.map(\.rawValue).sorted().map {
      ExportNote(.dropped, "side data", "\($0) dropped")
    }
    let repairs = timeline.repairs
    if repairs.joins > 0 {
      notes.append(
        ExportNote(
          .repaired, "timestamps",
          "the source's clock begins anew at \(repairs.joins) "
            + "\(repairs.joins == 1 ? "place" : "places"); joined without a gap"))
    }
    if repairs.audioSamplesTrimmed > 0 {
      let place = repairs.firstOverlap.map { " from \(($0 * 1000).rounded() / 1000) s on" } ?? ""
      notes.append(
        ExportNote(
          .repaired, "audio",
          "audio overlaps\(place); \(repairs.audioSamplesTrimmed) "
            + "samples trimmed"))
    }
    if repairs.framesMoved > 0 {
      notes.append(
        ExportNote(
          .repaired, "timestamps",
          "\(repairs.framesMoved) frames with times of others "
            + "moved to the next slot"))
    }
    if repairs.framesDropped > 0 {
      notes.append(
        ExportNote(
          .dropped, "frames",
          "\(repairs.framesDropped) frames dropped: more than the "
            + "frame rate has slots for"))
    }
    let repeated = report.video.reduce(0) { $0 + $1.framesRepeated }
    if repeated > 0 {
      notes.append(
        ExportNote(.changed, "rate", "frame rate varies in the source; \(repeated) frames repeated")
      )
    }
    for (index, track) in report.audio.enumerated() {
      if track.samplesTrimmed > 0 {
        notes.append(
          ExportNote(
            .dropped, "audio",
            "audio track \(index + 1): \(track.samplesTrimmed) samples "
              + "before the first or after the last frame left out"))
      }
      if track.samplesOfSilence > 0 {
        notes.append(
          ExportNote(
            .changed, "audio",
            "audio track \(index + 1): \(track.samplesOfSilence) samples "
              + "of silence fill gaps"))
      }
    }
    return notes
  }
}
