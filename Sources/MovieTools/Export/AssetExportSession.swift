public import AssetReader
public import AssetWriter
import CaptureDevices
public import MediaCore
import QuickTime
import TakeReports
import Takes

/// Encodes a movie, Y4M or raw pictures as a ProRes movie, through the asset writer.
///
/// Sound comes along as PCM, timecode and the facts of the movie as they are.
public struct AssetExportSession: Sendable {
  /// What an export came to.
  public struct Outcome: Sendable {
    /// What happened to each frame.
    public var report: AssetWriter.Report
    /// Frames of the source that could not be decoded and are missing.
    public var framesUndecoded: Int
    /// Why the movie ends before its source was meant to; nil where it does not.
    public var prematureEnd: AssetReaderError?
    /// True where the task was cancelled; the movie holds what came before.
    public var wasCancelled: Bool
    /// Why the movie has no sidecar, in words; nil where it has one, or none was wanted.
    public var sidecarError: ErrorSummary?
  }

  /// Where an export stands.
  public struct Progress: Sendable, Hashable {
    /// Frames that were read and handed to the encoder.
    public var frames: Int
    /// Frames of the source; nil where it does not tell.
    public var totalFrames: Int?
    /// Bytes of the movie so far.
    public var fileBytes: Int64
    /// True once all frames are read: the last ones are encoded and written, then the index.
    public var isFinishing: Bool
  }

  /// Where the source is.
  public var location: AssetLocation
  /// The movie's path.
  public var outputPath: String
  /// The codec.
  public var codec = VideoCodecType.proRes422HQ
  /// The encoder.
  public var encoder = EncoderChoice.automatic
  /// What happens to a file that exists.
  public var overwritePolicy = AssetWriter.OverwritePolicy.refuse
  /// The address of the first frame; nil for the source's own.
  public var startTimecode: String?
  /// True for a sidecar beside the movie, `clip.mov.json`; see `TakeSidecar`.
  public var writesSidecar = true
  /// The most frames to encode; nil for all.
  public var maximumFrameCount: Int?
  /// Called after each frame, and several times a second while the movie is finished; on any
  /// thread. Must return quickly.
  public var onProgress: (@Sendable (Progress) -> Void)?
  /// Called with one line as soon as others move, replace, delete or empty the file; it must return
  /// at once.
  public var onNotice: (@Sendable (String) -> Void)?

  /// An export from a source to a path.
  public init(location: AssetLocation, outputPath: String) {
    self.location = location
    self.outputPath = outputPath
  }

  /// Encodes all. Cancelling the task ends the movie where it is.
  ///
  /// A source that ends within a frame makes a movie of the whole ones, and
  /// ``Outcome/prematureEnd`` says so. Where not one frame was encoded no file is left.
  ///
  /// - Throws: `AssetReaderError` where the source cannot be read, `AssetWriterError` where the
  ///   movie cannot be made, `CaptureError` for a timecode that does not exist at the source's rate,
  ///   and for an output that is the source.
  public func export() async throws -> Outcome {
    guard !location.isSameFile(asPath: outputPath) else {
      throw CaptureError(
        .outputFailed, "\(outputPath) is the input itself; choose another name")
    }
    let reader = try AssetReader(location)
    guard let track = reader.videoTrack, let video = track.video else {
      throw AssetReaderError(
        .noSuchTrack, "\(location.displayName) contains no video")
    }
    let plan = try ExportPlan(self, reader, track, video)
    var feed = ExportFeed(reader: reader, plan: plan, session: self)
    let sidecars = sidecarKeeper
    let leavesStale = sidecars == nil && overwritePolicy == .replace
    plan.writer.segmentHandler = { [onNotice] event in
      if case .changed(_, let change) = event { onNotice?(change.message) }
      if leavesStale, let notice = StaleSidecar.remove(after: event) { onNotice?(notice) }
      sidecars?.take(event) { _, _ in }
    }
    do {
      try plan.writer.start()
      try await feed.run()
      guard feed.frameCount > 0 else {
        throw feed.prematureEnd
          ?? AssetReaderError(.truncated, "\(location.displayName) contains no complete frame")
      }
    } catch {
      // A disk that ran full leaves a valid movie; anything else leaves nothing.
      if (error as? AssetWriterError)?.recordingSuccessfullyFinished != true {
        plan.writer.cancelWriting()
      }
      complete(sidecars, plan.writer, feed)
      throw error
    }
    do {
      try await finish(plan.writer, feed)
    } catch {
      complete(sidecars, plan.writer, feed)
      throw error
    }
    let sidecarError = complete(sidecars, plan.writer, feed)
    return Outcome(
      report: plan.writer.report, framesUndecoded: feed.framesUndecoded,
      prematureEnd: feed.prematureEnd, wasCancelled: feed.wasCancelled,
      sidecarError: sidecarError.map { ErrorSummary($0) })
  }

  /// Finishes the movie; of a large one that takes seconds.
  private func finish(_ writer: AssetWriter, _ feed: ExportFeed) async throws(AssetWriterError) {
    let ticker = onProgress.map { tell in
      let (frames, total) = (feed.frameCount, feed.totalFrames)
      return Task {
        while !Task.isCancelled {
          tell(
            Progress(
              frames: frames, totalFrames: total, fileBytes: writer.progress.fileBytes,
              isFinishing: true))
          try? await Task.sleep(for: .milliseconds(100))
        }
      }
    }
    defer { ticker?.cancel() }
    try await writer.finishWriting()
  }

  // MARK: The sidecar

  private var sidecarKeeper: SidecarKeeper? {
    guard writesSidecar else { return nil }
    var request = TakeRequest()
    request.input = location.displayName
    request.codec = codec.shortName
    request.encoder = encoder.description
    request.timecode = startTimecode
    request.duration = maximumFrameCount.map { "\($0)f" }
    return SidecarKeeper(request, replacesOthers: overwritePolicy == .replace)
  }

  @discardableResult
  private func complete(
    _ keeper: SidecarKeeper?, _ writer: AssetWriter, _ feed: ExportFeed
  ) -> CaptureError? {
    let encoding = TakeSidecar.Encoding(
      writer: writer.report, framesUndecoded: feed.framesUndecoded,
      prematureEnd: feed.prematureEnd.map { ErrorSummary($0) })
    return keeper?.finish { sidecar, _ in sidecar.encoding = encoding }
  }
}

/// The writer of an export, and an input for each track of the source.
private struct ExportPlan {
  let writer: AssetWriter
  let inputs: [AssetTrack.ID: AssetWriterInput.SampleBufferReceiver]
  let videoTrackID: AssetTrack.ID

  init(
    _ session: AssetExportSession, _ reader: AssetReader, _ track: AssetTrack,
    _ video: VideoFormatDescription
  ) throws {
    var configuration = AssetWriter.Configuration()
    configuration.overwritePolicy = session.overwritePolicy
    configuration.takesChecksums = session.writesSidecar
    // One task feeds all tracks in the file's order, so that none can wait for another. What is
    // ahead goes to the disk, not to memory.
    configuration.interleavingLimit = 86_400
    if let text = session.startTimecode {
      let rate = track.frameRate ?? .fps25
      guard let start = Timecode(text, frameRate: rate) else {
        throw CaptureError(.invalidArgument, PresetReader.timecodeFault(text, rate: rate))
      }
      configuration.startTimecode = start
    }
    let writer = try AssetWriter(path: session.outputPath, configuration: configuration)
    writer.metadata.software = "recordctl"
    for (key, value) in reader.metadata.sorted(by: { $0.key < $1.key })
    where key.hasPrefix("com.") && writer.metadata[key] == nil {
      writer.metadata[key] = .text(value)
    }
    var settings = VideoOutputSettings(
      codec: session.codec, width: video.dimensions.width, height: video.dimensions.height,
      frameRate: track.frameRate, encoder: session.encoder)
    settings.pixelAspectRatio = video.pixelAspectRatio
    var inputs: [AssetTrack.ID: AssetWriterInput.SampleBufferReceiver] = [:]
    inputs[track.id] = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: settings, sourceFormatHint: video))
    for sound in reader.audioTracks {
      guard let format = sound.audio else { continue }
      inputs[sound.id] = try writer.inputReceiver(
        for: AssetWriterInput(outputSettings: AudioOutputSettings(format: format)))
    }
    self.writer = writer
    self.inputs = inputs
    self.videoTrackID = track.id
  }
}

/// Carries samples from a reader to the inputs.
private struct ExportFeed {
  let reader: AssetReader
  let plan: ExportPlan
  let session: AssetExportSession
  private(set) var frameCount = 0
  private(set) var framesUndecoded = 0
  private(set) var prematureEnd: AssetReaderError?
  private(set) var wasCancelled = false
  /// Sound that comes before the first picture, which says where the movie begins.
  private var waiting: [AssetSample] = []

  init(reader: AssetReader, plan: ExportPlan, session: AssetExportSession) {
    self.reader = reader
    self.plan = plan
    self.session = session
  }

  /// Frames of the source that will be encoded; nil where that is not known.
  var totalFrames: Int? {
    [reader.videoTrack?.sampleCount, session.maximumFrameCount].compactMap(\.self).min()
  }

  mutating func run() async throws {
    let total = totalFrames
    while let sample = try nextSample() {
      if Task.isCancelled {
        wasCancelled = true
        return
      }
      let isPicture = sample.trackID == plan.videoTrackID
      if isPicture, let limit = session.maximumFrameCount, frameCount >= limit {
        try plan.writer.endSession(atSourceTime: sample.sampleBuffer.presentationTimeStamp)
        return
      }
      if frameCount == 0 {
        guard isPicture else {
          waiting.append(sample)
          continue
        }
        try plan.writer.startSession(atSourceTime: sample.sampleBuffer.presentationTimeStamp)
        for early in waiting { try await append(early) }
        waiting = []
      }
      try await append(sample)
      if isPicture {
        frameCount += 1
        session.onProgress?(
          AssetExportSession.Progress(
            frames: frameCount, totalFrames: total,
            fileBytes: plan.writer.progress.fileBytes, isFinishing: false))
      }
    }
  }

  private func append(_ sample: AssetSample) async throws {
    try await plan.inputs[sample.trackID]?.append(sample.sampleBuffer)
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
}
