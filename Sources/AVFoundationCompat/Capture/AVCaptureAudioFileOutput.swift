import AssetWriter
import Dispatch
public import Foundation
public import MediaCore
import Synchronization
public import VideoRecorder

/// Records only a session's audio into a file.
///
/// Audio that a device loses becomes silence; the session's events report it.
///
/// Unchecked because its superclass is open: each stored property here is a `let` of a `Sendable` type, and what
/// changes is behind a `Mutex`.
public final class AVCaptureAudioFileOutput: CaptureFileOutput, @unchecked Sendable {
  private let state = Mutex(State())
  private let delegateQueue = DispatchQueue(label: "audio-file-output")
  private let freeSpace: FreeSpace

  private struct State: Sendable {
    var take: Take?
    /// Takes that have ended and are being completed.
    var ending: [Take] = []
    var limits = AudioRecording.Limits()
    var settings: AudioSettings?
    var metadata: Result<MovieMetadata, AVError> = .success(MovieMetadata())
  }

  /// A recording and its delegate.
  private struct Take: Sendable {
    let recording: AudioRecording
    let delegate: any CaptureFileOutputRecordingDelegate
  }

  /// Unchecked because `Any` is never `Sendable`: this is a copy of a program's dictionary, whose values are only read,
  /// by `AudioOutputSettings(dictionary:source:)`, which accepts only numbers, strings and data.
  private struct AudioSettings: @unchecked Sendable {
    let dictionary: [String: Any]
  }

  /// An output that records with the default ``audioSettings``, nil.
  public convenience init() { self.init(freeSpace: .system) }

  package init(freeSpace: FreeSpace) {
    self.freeSpace = freeSpace
    super.init(connectionList: CaptureConnectionList())
  }

  // MARK: What is recorded

  /// The supported file types: a QuickTime movie, which holds linear PCM, AAC or Apple Lossless, `.m4a`, which holds
  /// the latter two, `.wav` and `.aiff`, which hold linear PCM, and `.caf`, which holds linear PCM and Apple Lossless.
  public static func availableOutputFileTypes() -> [AVFileType] { [.mov, .m4a, .wav, .aiff, .caf] }

  /// How audio is written, with the keys of an asset writer's input; libswresample converts sample rates and channel
  /// counts. Nil, the default, means linear PCM in the device's format, or AAC in `.m4a`.
  ///
  /// Apple's implementation stops the program for settings that cannot be met. Here the next recording fails to start,
  /// with an ``AVError/Code/unsupportedOutputSettings`` that names the key.
  public var audioSettings: [String: Any]? {
    get { state.withLock { $0.settings }?.dictionary }
    set {
      let settings = newValue.map(AudioSettings.init)
      state.withLock { $0.settings = settings }
    }
  }

  /// Metadata for files started from now on. If a file cannot store an item, the next recording fails to start.
  public var metadata: [AVMetadataItem] {
    get { (try? state.withLock { $0.metadata }.get()).map { AVMetadataItem.items($0) } ?? [] }
    set {
      let metadata = Result { () throws(AVError) in try MovieMetadata(newValue) }
      state.withLock { $0.metadata = metadata }
    }
  }

  // MARK: Recording

  /// Starts a recording with a file type and reports its progress to the delegate, which is retained until the end. A
  /// recording that cannot start is reported as finished with an error.
  ///
  /// During a recording this switches files: the new file begins with the next audio buffer, and no audio is lost.
  public func startRecording(
    to outputFileURL: URL, outputFileType fileType: AVFileType,
    recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
  ) {
    begin(outputFileURL, fileType, RecordingListener(delegate))
  }

  /// As ``startRecording(to:outputFileType:recordingDelegate:)``, with the file type from the name's extension.
  public override func startRecording(
    to outputFileURL: URL, recordingDelegate delegate: any CaptureFileOutputRecordingDelegate
  ) {
    let type = FileType(pathExtension: outputFileURL.pathExtension)
    begin(outputFileURL, type.map { AVFileType($0.rawValue) }, delegate)
  }

  /// Ends the recording with the latest audio.
  public override func stopRecording() { current?.stop() }
  /// Skips audio until the recording is resumed.
  public override func pauseRecording() { current?.pause() }
  /// Resumes recording; the file has no gap at the pause.
  public override func resumeRecording() { current?.resume() }

  /// True from the start of a recording until it is stopped or ends.
  public override var isRecording: Bool { current?.isActive ?? false }
  /// True between ``pauseRecording()`` and ``resumeRecording()``.
  public override var isRecordingPaused: Bool { current?.isPaused ?? false }
  /// The file being recorded.
  public override var outputFileURL: URL? { current?.plan.url }
  /// The duration of the file so far.
  public override var recordedDuration: CMTime { current?.duration ?? .zero }
  /// The size of the file so far in bytes, without data still in queues.
  public override var recordedFileSize: Int64 { current?.byteCount ?? 0 }

  /// The maximum duration; `CMTime.invalid` for no limit. On reaching it the recording ends with an error whose
  /// ``AVError/recordingSuccessfullyFinished`` is true.
  public override var maxRecordedDuration: CMTime {
    get { state.withLock { $0.limits.duration } }
    set { state.withLock { $0.limits.duration = newValue } }
  }
  /// The largest file, in bytes; 0 for no limit.
  public override var maxRecordedFileSize: Int64 {
    get { state.withLock { $0.limits.fileSize } }
    set { state.withLock { $0.limits.fileSize = newValue } }
  }
  /// Bytes to leave free on the disk.
  public override var minFreeDiskSpaceLimit: Int64 {
    get { state.withLock { $0.limits.freeSpace } }
    set { state.withLock { $0.limits.freeSpace = newValue } }
  }

  // MARK: CaptureOutput

  /// One audio connection.
  public override func connectionLimit(for mediaType: AVMediaType) -> Int {
    mediaType == .audio ? 1 : 0
  }

  /// Handles an event of the stream.
  public override func receive(_ event: CaptureEvent, from connection: AVCaptureConnection) {
    showSample(event, from: connection)
    reach { $0.plan.connection != connection || $0.receive(event) }
  }

  /// Ends a recording whose audio is no longer connected.
  public override func connectionsDidChange() {
    let connections = connections
    reach { recording in
      guard !connections.contains(recording.plan.connection) else { return true }
      return recording.stop(
        AVError(
          .sessionConfigurationChanged,
          "the recording ended because the audio of \(recording.plan.connection.device) was disconnected from its "
            + "output; add input and output again to continue recording"))
    }
  }

  /// Ends the recording when the session stops.
  public override func sessionDidStop() { reach { $0.stop() } }

  // MARK: Inside

  private var current: AudioRecording? { state.withLock { $0.take?.recording } }

  /// Runs a closure with the current recording. If that recording has ended because the file was switched meanwhile,
  /// runs it again with the next one.
  ///
  /// - Parameter body: Returns false if the recording has ended.
  func reach(_ body: (AudioRecording) -> Bool) {
    var before: AudioRecording?
    while let current, current !== before, !body(current) { before = current }
  }

  private func begin(
    _ url: URL, _ type: AVFileType?, _ delegate: any CaptureFileOutputRecordingDelegate
  ) {
    do throws(AVError) { try start(url, type, delegate) } catch {
      let connections = connections
      delegateQueue.async { [self] in
        delegate.fileOutput(self, didFinishRecordingTo: url, from: connections, error: error)
      }
    }
  }

  /// Starts a recording, and ends the current one.
  ///
  /// - Parameters:
  ///   - earliest: Audio before this time is dropped; invalid to keep everything.
  ///   - replacing: True to replace an existing file when the new one is complete.
  /// - Throws: Why the recording cannot start; the delegate is not called in that case.
  func start(
    _ url: URL, _ type: AVFileType?, _ delegate: any CaptureFileOutputRecordingDelegate,
    from earliest: CMTime = .invalid, replacing: Bool = false
  ) throws(AVError) {
    var plan = try plan(url, type)
    (plan.earliest, plan.replacesFile) = (earliest, replacing)
    let recording = try AudioRecording(plan, queue: delegateQueue) {
      [weak self] recording, event in
      self?.tell(event, of: recording)
    }
    let before = state.withLock { state in
      let before = state.take
      if let before { state.ending.append(before) }
      state.take = Take(recording: recording, delegate: delegate)
      return before
    }
    before?.recording.stop()
  }

  private func plan(_ url: URL, _ type: AVFileType?) throws(AVError) -> AudioRecording.Plan {
    guard let type, Self.availableOutputFileTypes().contains(type), let native = type.native else {
      let name = type?.rawValue ?? ".\(url.pathExtension)"
      throw AVError(
        .unsupportedOutputSettings,
        "cannot write audio into \(name) files; use .mov, .m4a, .wav, .aiff or .caf")
    }
    guard let connection = connection(with: .audio) else {
      throw AVError(
        .operationNotAllowed, "the output has no audio; add an audio input to the session")
    }
    guard connection.isActive, case .audio(let source)? = connection.formatDescription else {
      throw AVError(
        .sessionNotRunning,
        "no audio flows from \(connection.device) to the output; start the session first")
    }
    let (limits, settings, metadata) = state.withLock { ($0.limits, $0.settings, $0.metadata) }
    return AudioRecording.Plan(
      url: url, fileType: native, connection: connection, source: source,
      settings: try Self.settings(settings?.dictionary, of: source, in: native),
      metadata: try metadata.get(), limits: limits, freeSpace: freeSpace)
  }

  private static func settings(
    _ dictionary: [String: Any]?, of source: AudioFormat, in type: FileType
  ) throws(AVError) -> AudioOutputSettings {
    if let dictionary, !dictionary.isEmpty {
      return try AudioOutputSettings(dictionary: dictionary, source: source)
    }
    let code = type == .m4a ? kAudioFormatMPEG4AAC : kAudioFormatLinearPCM
    return try AudioOutputSettings(dictionary: [AVFormatIDKey: code], source: source)
  }

  /// Calls the delegate of a recording; on its queue.
  private func tell(_ event: AudioRecording.Event, of recording: AudioRecording) {
    let delegate = state.withLock { state -> (any CaptureFileOutputRecordingDelegate)? in
      let all = state.ending + [state.take].compactMap(\.self)
      if case .ended = event {
        state.ending.removeAll { $0.recording === recording }
        if state.take?.recording === recording { state.take = nil }
      }
      return all.first { $0.recording === recording }?.delegate
    }
    let (url, connections) = (recording.plan.url, [recording.plan.connection])
    switch event {
    case .started(let time):
      delegate?.fileOutput(
        self, didStartRecordingTo: url, startPTS: time, from: connections)
    case .paused: delegate?.fileOutput(self, didPauseRecordingTo: url, from: connections)
    case .resumed: delegate?.fileOutput(self, didResumeRecordingTo: url, from: connections)
    case .ending(let error):
      delegate?.fileOutput(self, willFinishRecordingTo: url, from: connections, error: error)
    case .ended(let error):
      delegate?.fileOutput(self, didFinishRecordingTo: url, from: connections, error: error)
    }
  }
}
