public import AssetWriter
import Dispatch
public import FoundationEssentials
public import MediaCore
public import QuickTime
import Synchronization

/// Records a session's pictures and sound into a ProRes movie, as `AVCaptureMovieFileOutput` does.
///
/// ```swift
/// let report = try await movieOutput.record(to: URL(filePath: "take.mov"))
/// ```
///
/// The movie begins with the first frame that comes after the call; sound is cut to it, to the
/// sample. Each frame has its slot on a constant-rate timeline, so that a frame that is lost costs
/// that frame and nothing else, and is in the ``RecordingReport``.
public final class CaptureMovieFileOutput: CaptureFileOutput {
  /// The output's connections.
  public let connectionList = CaptureConnectionList()
  private let state = Mutex(State())
  private let delegateQueue = DispatchQueue(label: "movie-file-output")
  private let freeSpace: FreeSpace

  private struct State: Sendable {
    var options = RecordingOptions()
    var videoSettings: [ObjectIdentifier: VideoOutputSettings] = [:]
    var audioSettings: [ObjectIdentifier: AudioOutputSettings] = [:]
    var recording: MovieRecording?
    /// True while a recording is being set up.
    var isPreparing = false
    var lastReport: RecordingReport?
    var delegate: (any CaptureFileOutputRecordingDelegate)?
  }

  /// An output that records tiers 1 and 2 and nothing else until told otherwise.
  public convenience init() { self.init(freeSpace: .system) }

  init(freeSpace: FreeSpace) { self.freeSpace = freeSpace }

  // MARK: Settings

  /// How the next recording is made.
  public var options: RecordingOptions {
    get { state.withLock { $0.options } }
    set { state.withLock { $0.options = newValue } }
  }

  /// The tiers of input that may be recorded.
  public var allowedTiers: Set<FormatTier> {
    get { options.allowedTiers }
    set { state.withLock { $0.options.allowedTiers = newValue } }
  }

  /// The longest recording; ``MediaTime/invalid`` for no limit. Reached, it ends the recording with
  /// an error whose ``CaptureError/recordingSuccessfullyFinished`` is true.
  public var maxRecordedDuration: MediaTime {
    get { options.maxRecordedDuration }
    set { state.withLock { $0.options.maxRecordedDuration = newValue } }
  }

  /// The most frames; nil for no limit.
  public var maxRecordedFrameCount: Int? {
    get { options.maxRecordedFrameCount }
    set { state.withLock { $0.options.maxRecordedFrameCount = newValue } }
  }

  /// The largest file, in bytes; 0 for no limit.
  public var maxRecordedFileSize: Int64 {
    get { options.maxRecordedFileSize }
    set { state.withLock { $0.options.maxRecordedFileSize = newValue } }
  }

  /// Bytes that are left free on the disk.
  public var minFreeDiskSpaceLimit: Int64 {
    get { options.minFreeDiskSpaceLimit }
    set { state.withLock { $0.options.minFreeDiskSpaceLimit = newValue } }
  }

  /// How much of the movie a sudden end can cost.
  public var movieFragmentInterval: MediaTime {
    get { options.movieFragmentInterval }
    set { state.withLock { $0.options.movieFragmentInterval = newValue } }
  }

  /// Facts about the movie, beyond those that the output knows: device, format, tier, date.
  public var metadata: MovieMetadata {
    get { options.metadata }
    set { state.withLock { $0.options.metadata = newValue } }
  }

  /// The codecs that can be recorded now, smallest rate first.
  ///
  /// That depends on the active format of the connected device and on the encoders of this machine:
  /// none before a format of an allowed tier is active; 4444 and XQ only from 4:4:4 (TN3104,
  /// "Configuring the output").
  public var availableVideoCodecTypes: [VideoCodecType] {
    guard let connection = connection(with: .video) else { return [] }
    return (try? availableCodecs(of: connection, encoder: options.encoder)) ?? []
  }

  /// Chooses codec and encoder of a video connection.
  ///
  /// - Throws: ``CaptureError/Code/invalidArgument`` for a connection that is not the output's or
  ///   carries no pictures, ``CaptureError/Code/codecUnavailable`` and
  ///   ``CaptureError/Code/formatUnavailable`` where the active format cannot feed the codec.
  public func setOutputSettings(
    _ settings: VideoOutputSettings, for connection: CaptureConnection
  ) throws(CaptureError) {
    try check(connection, carries: .video)
    try checkCodec(settings.codec, of: connection, encoder: settings.encoder)
    state.withLock { $0.videoSettings[ObjectIdentifier(connection)] = settings }
  }

  /// Chooses the codec of a video connection; everything else is as the source has it.
  ///
  /// - Throws: As ``setOutputSettings(_:for:)-(VideoOutputSettings,_)``.
  public func setVideoCodec(
    _ codec: VideoCodecType, encoder: EncoderChoice = .automatic, for connection: CaptureConnection
  ) throws(CaptureError) {
    try check(connection, carries: .video)
    try checkCodec(codec, of: connection, encoder: encoder)
    guard case .video(let video)? = connection.formatDescription else { return }
    try setOutputSettings(
      VideoOutputSettings(
        codec: codec, video: video, frameRate: connection.frameRate, encoder: encoder),
      for: connection)
  }

  /// Chooses how the sound of a connection is stored.
  ///
  /// - Throws: ``CaptureError/Code/invalidArgument`` for a connection that is not the output's or
  ///   carries no sound.
  public func setOutputSettings(
    _ settings: AudioOutputSettings, for connection: CaptureConnection
  ) throws(CaptureError) {
    try check(connection, carries: .audio)
    state.withLock { $0.audioSettings[ObjectIdentifier(connection)] = settings }
  }

  /// How a video connection is recorded: what was set, else ProRes 422 HQ of what the source has;
  /// nil where nothing can be recorded from it.
  public func outputSettings(for connection: CaptureConnection) -> VideoOutputSettings? {
    guard case .video(let video)? = connection.formatDescription else { return nil }
    if let chosen = state.withLock({ $0.videoSettings[ObjectIdentifier(connection)] }) {
      return chosen
    }
    return VideoOutputSettings(
      codec: .proRes422HQ, video: video, frameRate: connection.frameRate, encoder: options.encoder)
  }

  /// How the sound of a connection is recorded; nil for a connection without any.
  public func audioOutputSettings(for connection: CaptureConnection) -> AudioOutputSettings? {
    guard case .audio(let format)? = connection.formatDescription else { return nil }
    return state.withLock { $0.audioSettings[ObjectIdentifier(connection)] }
      ?? AudioOutputSettings(recommendedFor: format)
  }

  // MARK: Recording

  /// Records until ``stopRecording()``, a limit, the end of the source or a failure.
  ///
  /// Cancelling the task stops the recording; the file is good then, too.
  ///
  /// - Returns: What became of it. Where it ended early and the file is good, the report says why.
  /// - Throws: ``CaptureError/Code/invalidState`` where the session does not run or a recording is
  ///   under way, ``CaptureError/Code/codecUnavailable``, ``CaptureError/Code/formatUnavailable``,
  ///   ``CaptureError/Code/outputFailed`` where there is no good file.
  public func record(to outputFileURL: URL) async throws(CaptureError) -> RecordingReport {
    let recording = try begin(outputFileURL, delegate: nil)
    let report = await withTaskCancellationHandler {
      await recording.waitForReport()
    } onCancel: {
      recording.stop(.stopped)
    }
    guard report.isValid else {
      throw CaptureError(.outputFailed, report.error ?? "the recording failed")
    }
    return report
  }

  /// Apple's form of ``record(to:)``. A recording that cannot begin is told of as one that finished
  /// with an error.
  public func startRecording(
    to outputFileURL: URL, recordingDelegate delegate: any CaptureFileOutputRecordingDelegate
  ) {
    do throws(CaptureError) {
      _ = try begin(outputFileURL, delegate: delegate)
    } catch {
      let connections = connections
      delegateQueue.async { [self] in
        delegate.fileOutput(
          self, didFinishRecordingTo: outputFileURL, from: connections, error: error)
      }
    }
  }

  /// Ends the recording with the frame that was recorded last. The file is complete once
  /// ``record(to:)`` returns or the delegate is told.
  public func stopRecording() { current?.stop(.stopped) }

  /// Leaves out what comes from now on, until ``resumeRecording()``.
  public func pauseRecording() {
    guard let recording = current, recording.pause() else { return }
    tell { delegate, output, connections in
      delegate.fileOutput(output, didPauseRecordingTo: recording.plan.url, from: connections)
    }
  }

  /// Records again; the movie has no gap at the pause.
  public func resumeRecording() {
    guard let recording = current, recording.resume() else { return }
    tell { delegate, output, connections in
      delegate.fileOutput(output, didResumeRecordingTo: recording.plan.url, from: connections)
    }
  }

  /// True from the start of a recording until its end was asked for or came.
  public var isRecording: Bool { current?.isActive ?? false }
  /// True between ``pauseRecording()`` and ``resumeRecording()``.
  public var isRecordingPaused: Bool { current?.isPaused ?? false }
  /// The file that is recorded into.
  public var outputFileURL: URL? { current?.plan.url }
  /// What the file holds, in time: whole frames.
  public var recordedDuration: MediaTime { current?.recordedDuration ?? .zero }
  /// What the file holds, in bytes, without what is still in queues.
  public var recordedFileSize: Int64 { current?.writer.writtenByteCount ?? 0 }
  /// Where the recording stands; nil without one. The audio peak is that since the last look.
  public var progress: RecordingProgress? { current?.takeProgress() }
  /// What became of the last recording.
  public var lastReport: RecordingReport? { state.withLock { $0.lastReport } }

  // MARK: CaptureOutput

  /// One connection of pictures, up to sixteen of sound.
  public func connectionLimit(for mediaType: MediaType) -> Int {
    switch mediaType {
    case .video: 1
    case .audio: 16
    default: 0
    }
  }

  /// Takes an event of a stream.
  public func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    guard let recording = current else { return }
    if connection.mediaType == .video {
      recording.receivePictures(event)
    } else {
      recording.receiveSound(event, from: connection)
    }
  }

  /// Ends a recording whose pictures are not connected any more, and forgets what was set for
  /// connections that are gone.
  public func connectionsDidChange() {
    let present = Set(connections.map { ObjectIdentifier($0) })
    let recording = state.withLock { state in
      state.videoSettings = state.videoSettings.filter { present.contains($0.key) }
      state.audioSettings = state.audioSettings.filter { present.contains($0.key) }
      return state.recording
    }
    guard let recording, !present.contains(ObjectIdentifier(recording.plan.connection)) else {
      return
    }
    recording.stop(.sessionStopped)
    recording.finishAtOnce()
  }

  /// Ends a recording with the session.
  public func sessionDidStop() {
    guard let recording = current else { return }
    recording.stop(.sessionStopped)
    recording.finishAtOnce()
  }

  // MARK: Inside

  private var current: MovieRecording? { state.withLock { $0.recording } }

  private func begin(
    _ url: URL, delegate: (any CaptureFileOutputRecordingDelegate)?
  ) throws(CaptureError) -> MovieRecording {
    let isFree = state.withLock { state in
      guard state.recording == nil, !state.isPreparing else { return false }
      state.isPreparing = true
      return true
    }
    guard isFree else {
      throw CaptureError(.invalidState, "a recording is under way; stop it first")
    }
    defer { state.withLock { $0.isPreparing = false } }
    let recording = try MovieRecording(
      makePlan(url), freeSpace: freeSpace,
      observer: MovieRecording.Observer(
        didStart: { [weak self] in self?.didStart(url) },
        didFinish: { [weak self] report, error in self?.didFinish(url, report, error) }))
    state.withLock { state in
      state.recording = recording
      state.delegate = delegate
    }
    return recording
  }

  private func didStart(_ url: URL) {
    tell { delegate, output, connections in
      delegate.fileOutput(output, didStartRecordingTo: url, from: connections)
    }
  }

  private func didFinish(_ url: URL, _ report: RecordingReport, _ error: CaptureError?) {
    let delegate = state.withLock { state in
      state.recording = nil
      state.lastReport = report
      defer { state.delegate = nil }
      return state.delegate
    }
    guard let delegate else { return }
    let connections = connections
    delegateQueue.async { [self] in
      delegate.fileOutput(self, didFinishRecordingTo: url, from: connections, error: error)
    }
  }

  /// Calls the delegate on its queue.
  private func tell(
    _ call:
      @escaping @Sendable (
        any CaptureFileOutputRecordingDelegate, any CaptureFileOutput, [CaptureConnection]
      ) -> Void
  ) {
    guard let delegate = state.withLock({ $0.delegate }) else { return }
    let connections = connections
    delegateQueue.async { [self] in call(delegate, self, connections) }
  }

  // MARK: Plan

  private func makePlan(_ url: URL) throws(CaptureError) -> RecordingPlan {
    guard let connection = connection(with: .video), connection.isActive else {
      throw CaptureError(
        .invalidState,
        "no pictures flow to the movie output; add a video input and start the session first")
    }
    guard case .video(let video)? = connection.formatDescription,
      var settings = outputSettings(for: connection), let tier = connection.tier
    else {
      throw CaptureError(.formatUnavailable, "\(connection.device) gives no pictures now")
    }
    try checkCodec(settings.codec, of: connection, encoder: settings.encoder)
    guard let rate = settings.frameRate ?? connection.frameRate else {
      throw CaptureError(
        .invalidArgument,
        "\(connection.device) does not tell its frame rate; choose it in the output settings")
    }
    settings.frameRate = rate
    settings.gapPolicy = options.gapPolicy
    return RecordingPlan(
      url: url, options: options, connection: connection, video: video, tier: tier, rate: rate,
      settings: settings, sound: soundPlans())
  }

  private func soundPlans() -> [RecordingPlan.Sound] {
    connections.filter { $0.mediaType == .audio && $0.isActive }.compactMap { connection in
      guard case .audio(let format)? = connection.formatDescription,
        var settings = audioOutputSettings(for: connection)
      else { return nil }
      // Sound comes placed to the sample: a gap is a gap.
      settings.gapTolerance = 0
      return RecordingPlan.Sound(connection: connection, format: format, settings: settings)
    }
  }

  private func check(
    _ connection: CaptureConnection, carries mediaType: MediaType
  ) throws(CaptureError) {
    guard connections.contains(connection), connection.mediaType == mediaType else {
      throw CaptureError(
        .invalidArgument, "the connection is not one of this output's that carry \(mediaType)")
    }
  }

  private func checkCodec(
    _ codec: VideoCodecType, of connection: CaptureConnection, encoder: EncoderChoice
  ) throws(CaptureError) {
    let available = try availableCodecs(of: connection, encoder: encoder)
    guard !available.contains(codec) else { return }
    let names = available.map(\.shortName).joined(separator: ", ")
    throw CaptureError(
      .codecUnavailable,
      "\(codec) cannot be made of what \(connection.device) gives; "
        + (names.isEmpty ? "this machine has no encoder \(encoder)" : "choose one of \(names)"))
  }

  /// The codecs of a connection, or why there is none.
  private func availableCodecs(
    of connection: CaptureConnection, encoder: EncoderChoice
  ) throws(CaptureError) -> [VideoCodecType] {
    guard case .video(let video)? = connection.formatDescription, let tier = connection.tier else {
      throw CaptureError(.formatUnavailable, "\(connection.device) gives no pictures now")
    }
    guard allowedTiers.contains(tier) else {
      throw CaptureError(
        .formatUnavailable,
        "\(connection.device) gives tier \(tier.rawValue) (\(tier.displayName)), not 10-bit 4:2:2; "
          + "choose another active format or allow the fallback to tier \(tier.rawValue)")
    }
    guard video.pixelFormat != nil else {
      throw CaptureError(
        .formatUnavailable,
        "\(connection.device) gives compressed pictures (\(video.mediaSubType)); choose a format "
          + "that is not")
    }
    return EncoderCapabilities.current.codecs(for: video, encoder: encoder)
  }
}
