import AssetWriter
import Dispatch
public import Foundation
import MediaCore
import Synchronization
public import VideoRecorder

/// Records the default audio device into a file.
///
/// ```swift
/// let recorder = try AVAudioRecorder(
///   url: url, settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
/// recorder.record()
/// …
/// recorder.stop()
/// ```
///
/// The file is complete when ``stop()`` returns. Calls from several threads are serialized.
public final class AVAudioRecorder: Sendable {
  private struct State: Sendable {
    /// The recording in progress or being completed.
    var take: AudioTake?
    /// When metering without a file began, in seconds of the host clock; nil if not metering.
    var heardSince: TimeInterval?
    var isConnected = false
    var isMetered = false
    var meters: [(average: Float, peak: Float)] = []
    var error: AVError?
  }

  /// The file. With `/dev/null` nothing is written, for programs that only show levels; recording then ends only with
  /// ``stop()``, not at a duration.
  public let url: URL
  private let plan: AudioTakePlan
  private let device: @Sendable () -> AVCaptureDevice?
  private let session: CaptureSession
  private let failure: SessionFailure
  private let output = AVCaptureAudioFileOutput()
  private let listener = RecorderListener()
  private let state = Mutex(State())
  /// Serializes the start and end of recordings.
  private let order = DispatchQueue(label: "audio-recorder")

  // MARK: Making

  /// A recorder for the audio session's preferred input, or the default audio device. The device is looked up when it
  /// is first needed.
  ///
  /// - Parameters:
  ///   - url: The file; its extension selects the file type: `.m4a`, `.wav`, `.aiff`, `.caf` or `.mov`. An existing
  ///     file is replaced when the recording is complete, and kept if the recording has no audio.
  ///   - settings: The file's audio, with the keys of an asset writer's input. Defaults: 44100 Hz, two channels, AAC in
  ///     `.m4a` and linear PCM in other files. Floats become 24-bit integers; keys of other formats have no effect.
  ///     ``notes`` reports both.
  /// - Throws: ``AVError``: ``AVError/Code/fileFormatNotRecognized`` for any other extension,
  ///   ``AVError/Code/unsupportedOutputSettings`` with the key and the reason, or for a codec that the file type does
  ///   not support.
  public convenience init(url: URL, settings: [String: Any]) throws {
    try self.init(url: url, settings: settings) { AVAudioSession.sharedInstance().inputDevice }
  }

  /// A recorder for the default audio device that writes the given format.
  ///
  /// - Throws: As ``init(url:settings:)``.
  public convenience init(url: URL, format: AVAudioFormat) throws {
    try self.init(url: url, settings: format.settings)
  }

  /// A recorder for the given audio device. Apple's records only the default device.
  ///
  /// - Throws: As ``init(url:settings:)``.
  public convenience init(url: URL, settings: [String: Any], inputDevice: AVCaptureDevice) throws {
    try self.init(url: url, settings: settings) { inputDevice }
  }

  init(
    url: URL, settings: [String: Any], device: @escaping @Sendable () -> AVCaptureDevice?
  ) throws {
    self.url = url
    self.device = device
    plan = try AudioTakePlan(url, settings)
    let failure = SessionFailure()
    self.failure = failure
    session = CaptureSession(preset: .inputPriority) { _, event in failure.note(event) }
  }

  deinit {
    output.stopRecording()
    session.stopRunning()
  }

  // MARK: Properties

  /// The file's audio settings, with defaults for omitted keys.
  public var settings: [String: Any] { plan.settings.dictionary }
  /// The file's audio format. For compressed audio, the decoded format.
  public var format: AVAudioFormat { AVAudioFormat(plan.settings.format, isInterleaved: true) }
  /// How the recording differs from the settings, one line each. Not in AVFoundation.
  public var notes: [String] { plan.notes }
  /// Why recording did not start, or why the last one ended on its own; nil if neither happened. Not in AVFoundation.
  public var error: (any Error)? { state.withLock { $0.error } ?? failure.error }
  /// Called when a recording has ended, on the recorder's own queue; held weakly.
  public var delegate: (any AVAudioRecorderDelegate)? {
    get { listener.delegate }
    set { listener.delegate = newValue }
  }

  // MARK: Recording

  /// True while recording, false while paused.
  public var isRecording: Bool {
    // Without a file, only the session reports that the device is gone.
    state.withLock { $0.heardSince != nil } && failure.error == nil
      || output.isRecording && !output.isRecordingPaused
  }

  /// Opens the device ahead of time, so that ``record()`` has less to do. No file is created.
  ///
  /// - Returns: False if no device can be used; ``error`` gives the reason.
  @discardableResult public func prepareToRecord() -> Bool {
    order.sync { attempt { () throws(AVError) in try connect() } }
  }

  /// Starts recording, or resumes after a pause without a gap. Blocks until the device delivers audio.
  ///
  /// - Returns: False if recording did not start; ``error`` gives the reason.
  @discardableResult public func record() -> Bool { record(from: nil, upTo: nil) }

  /// Records for the given number of seconds, at least 0. After a pause, the first call's duration still applies.
  ///
  /// - Returns: As ``record()``.
  @discardableResult public func record(forDuration duration: TimeInterval) -> Bool {
    record(from: nil, upTo: duration)
  }

  /// Starts recording at a time, exact to the sample; immediately after a pause or if the time has passed.
  ///
  /// - Parameter time: Seconds on the clock of ``deviceCurrentTime``.
  /// - Returns: As ``record()``.
  @discardableResult public func record(atTime time: TimeInterval) -> Bool {
    record(from: time, upTo: nil)
  }

  /// Starts recording at a time, for a duration; combines ``record(atTime:)`` and ``record(forDuration:)``.
  ///
  /// - Returns: As ``record()``.
  @discardableResult public func record(
    atTime time: TimeInterval, forDuration duration: TimeInterval
  ) -> Bool {
    record(from: time, upTo: duration)
  }

  /// Pauses until ``record()``. Does nothing before audio arrives.
  public func pause() {
    order.sync {
      state.withLock { $0.heardSince = nil }
      output.pauseRecording()
    }
  }

  /// Ends the recording and blocks until the file is complete and the device is released.
  public func stop() {
    order.sync {
      if let take = state.withLock({ $0.take }) {
        output.stopRecording()
        take.wait()
        settle(take)
      } else if plan.type == nil, session.isRunning {
        state.withLock { $0.heardSince = nil }
        session.stopRunning()
        listener.tell(self, failure.error)
      }
    }
  }

  /// Deletes the file. Stop the recording first.
  ///
  /// - Returns: False during a recording, if there is no file, or if it could not be deleted.
  @discardableResult public func deleteRecording() -> Bool {
    order.sync {
      guard state.withLock({ $0.take == nil }), plan.isFileThere else { return false }
      return (try? FileManager.default.removeItem(at: url)) != nil
    }
  }

  // MARK: Time and levels

  /// Seconds recorded so far; 0 if no recording is in progress.
  public var currentTime: TimeInterval {
    if let start = state.withLock({ $0.heardSince }) { return max(CACurrentMediaTime() - start, 0) }
    return output.recordedDuration.seconds
  }
  /// Seconds on the clock used for device timestamps.
  public var deviceCurrentTime: TimeInterval { CACurrentMediaTime() }

  /// True if levels are measured.
  public var isMeteringEnabled: Bool {
    get { state.withLock { $0.isMetered } }
    set {
      state.withLock { $0.isMetered = newValue }
      if newValue { _ = output.connection(with: .audio)?.audioLevels }
    }
  }

  /// Updates the levels for ``averagePower(forChannel:)`` and ``peakPower(forChannel:)``.
  public func updateMeters() {
    let channels = isMeteringEnabled ? output.connection(with: .audio)?.audioChannels : nil
    let meters = channels?.map { (average: $0.averagePowerLevel, peak: $0.peakHoldLevel) } ?? []
    state.withLock { $0.meters = meters }
  }

  /// The average power of a device channel, counted from 0, at the last ``updateMeters()``: decibels relative to full
  /// scale; -160 for silence, a missing channel, or if nothing is measured.
  public func averagePower(forChannel channelNumber: Int) -> Float {
    state.withLock {
      $0.meters.indices.contains(channelNumber) ? $0.meters[channelNumber].average : -160
    }
  }

  /// The loudest sample of a channel in the 1.5 seconds before the last ``updateMeters()``, as
  /// ``averagePower(forChannel:)``.
  public func peakPower(forChannel channelNumber: Int) -> Float {
    state.withLock {
      $0.meters.indices.contains(channelNumber) ? $0.meters[channelNumber].peak : -160
    }
  }

  // MARK: Private, on the order queue

  private func attempt(_ body: () throws(AVError) -> Void) -> Bool {
    do throws(AVError) {
      try body()
      state.withLock { $0.error = nil }
      return true
    } catch {
      state.withLock { $0.error = error }
      return false
    }
  }

  private func connect() throws(AVError) {
    guard state.withLock({ !$0.isConnected }) else { return }
    guard let device = device() else {
      throw AVError(.deviceNotConnected, "no audio device; connect a microphone")
    }
    do throws(CaptureError) {
      try session.add(try CaptureDeviceInput(device))
      try session.add(output)
    } catch { throw AVError(error) }
    state.withLock { $0.isConnected = true }
  }

  private func record(from time: TimeInterval?, upTo duration: TimeInterval?) -> Bool {
    func instant(_ seconds: TimeInterval?) -> CMTime {
      guard let seconds, seconds.isFinite else { return .invalid }
      return CMTime(seconds: max(seconds, 0), preferredTimescale: 1_000_000)
    }
    let (start, limit) = (instant(time), instant(duration))
    return order.sync { attempt { () throws(AVError) in try begin(start, limit) } }
  }

  private func begin(_ start: CMTime, _ limit: CMTime) throws(AVError) {
    if let take = state.withLock({ $0.take }) {
      if output.isRecording { return output.resumeRecording() }
      // The take ended on its own and is being completed.
      take.wait()
      settle(take)
    }
    try connect()
    try run()
    if isMeteringEnabled { _ = output.connection(with: .audio)?.audioLevels }
    guard let type = plan.type else {
      let now = CACurrentMediaTime()
      let first = start.isNumeric ? max(start.seconds, now) : now
      return state.withLock { $0.heardSince = $0.heardSince ?? first }
    }
    do throws(AVError) {
      output.maxRecordedDuration = limit
      output.audioSettings = settings
      let take = AudioTake { [weak self] take in
        guard let self else { return }
        order.async { self.settle(take) }
      }
      try plan.checkPlace()
      try output.start(url, type, take, from: start, replacing: true)
      state.withLock { $0.take = take }
    } catch {
      session.stopRunning()
      throw error
    }
  }

  /// Starts the flow of audio.
  private func run() throws(AVError) {
    // A session that lost its device keeps running without it.
    if failure.error != nil { session.stopRunning() }
    failure.clear()
    session.startRunning()
    guard session.isRunning else {
      throw failure.error ?? AVError(.unknown, "the audio device did not start")
    }
  }

  /// Releases the device after a recording and reports its end, once.
  private func settle(_ take: AudioTake) {
    guard state.withLock({ $0.take === take }) else { return }
    session.stopRunning()
    let error = take.error
    state.withLock { state in
      state.take = nil
      state.error = error
    }
    listener.tell(self, error)
  }
}
