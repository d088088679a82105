import AssetWriter
import Dispatch
public import Foundation
import MediaCore
import Synchronization
public import VideoRecorder

/// Records the default sound device into a file.
///
/// ```swift
/// let recorder = try AVAudioRecorder(
///   url: url, settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
/// recorder.record()
/// …
/// recorder.stop()
/// ```
///
/// The file is complete when ``stop()`` returns. Calls from several threads come one after the other.
public final class AVAudioRecorder: Sendable {
  private struct State: Sendable {
    /// The recording under way, or being completed.
    var take: SoundTake?
    /// Since when sound is metered without a file, in seconds of the host's clock; nil where it is not.
    var heardSince: TimeInterval?
    var isConnected = false
    var isMetered = false
    var meters: [(average: Float, peak: Float)] = []
    var error: AVError?
  }

  /// The file. Where it is `/dev/null`, nothing is written, as programs want that only show levels: a duration
  /// ends nothing then, and ``stop()`` does.
  public let url: URL
  private let plan: SoundTakePlan
  private let device: @Sendable () -> AVCaptureDevice?
  private let session: CaptureSession
  private let failure: SessionFailure
  private let output = AVCaptureAudioFileOutput()
  private let listener = RecorderListener()
  private let state = Mutex(State())
  /// Where recordings begin and end, one after the other.
  private let order = DispatchQueue(label: "audio-recorder")

  // MARK: Making

  /// A recorder of the audio session's preferred input, else of the default sound device, which is looked for when it
  /// is first needed.
  ///
  /// - Parameters:
  ///   - url: The file, whose extension says its kind: `.m4a`, `.wav`, `.aiff`, `.caf` or `.mov`. One that is there
  ///     is replaced when the recording is complete; if that has no sound, it stays.
  ///   - settings: Its sound, by the keys of an asset writer's input. Left out, the rate is 44100 Hz, with two
  ///     channels, of AAC in `.m4a` and linear PCM in other files. Floats become whole numbers of 24 bits; keys of
  ///     other formats change nothing. ``notes`` says so.
  /// - Throws: ``AVError``: ``AVError/Code/fileFormatNotRecognized`` for another extension,
  ///   ``AVError/Code/unsupportedOutputSettings`` with the key and what is wrong with it, or for a codec that such
  ///   files do not have.
  public convenience init(url: URL, settings: [String: Any]) throws {
    try self.init(url: url, settings: settings) { AVAudioSession.sharedInstance().inputDevice }
  }

  /// A recorder of the default sound device, for sound of a form.
  ///
  /// - Throws: As ``init(url:settings:)``.
  public convenience init(url: URL, format: AVAudioFormat) throws {
    try self.init(url: url, settings: format.settings)
  }

  /// A recorder of a sound device. Apple's records the default one alone.
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
    plan = try SoundTakePlan(url, settings)
    let failure = SessionFailure()
    self.failure = failure
    session = CaptureSession(preset: .inputPriority) { _, event in failure.note(event) }
  }

  deinit {
    output.stopRecording()
    session.stopRunning()
  }

  // MARK: What it is

  /// The sound of the file, with the usual values of keys that were not given.
  public var settings: [String: Any] { plan.settings.dictionary }
  /// The sound of the file. Of compressed sound, what it is decoded to.
  public var format: AVAudioFormat { AVAudioFormat(plan.settings.format, isInterleaved: true) }
  /// What of the settings is met otherwise than asked for, in one line each. Apple's has no such property.
  public var notes: [String] { plan.notes }
  /// Why there is no recording, or why the last one ended by itself; nil for no reason. Apple's has no such property.
  public var error: (any Error)? { state.withLock { $0.error } ?? failure.error }
  /// Told when a recording has ended, on a queue of the recorder's own; not kept.
  public var delegate: (any AVAudioRecorderDelegate)? {
    get { listener.delegate }
    set { listener.delegate = newValue }
  }

  // MARK: Recording

  /// True while sound is recorded, false while it is paused.
  public var isRecording: Bool {
    // Where there is no file, nothing but the session tells of a device that is gone.
    state.withLock { $0.heardSince != nil } && failure.error == nil
      || output.isRecording && !output.isRecordingPaused
  }

  /// Looks for the device, so that less is left for the start. No file is made.
  ///
  /// - Returns: False if no device can be used; ``error`` gives the reason.
  @discardableResult public func prepareToRecord() -> Bool {
    order.sync { attempt { () throws(AVError) in try connect() } }
  }

  /// Records from now on, after a pause with no gap. Blocks until the device gives sound.
  ///
  /// - Returns: False where nothing is recorded; ``error`` says why.
  @discardableResult public func record() -> Bool { record(from: nil, upTo: nil) }

  /// Records for so many seconds, from 0; after a pause, for as long as was said at first.
  ///
  /// - Returns: As ``record()``.
  @discardableResult public func record(forDuration duration: TimeInterval) -> Bool {
    record(from: nil, upTo: duration)
  }

  /// Records from a time on, to the sample; after a pause, and for a time that has passed, from now on.
  ///
  /// - Parameter time: Seconds, as ``deviceCurrentTime`` counts them.
  /// - Returns: As ``record()``.
  @discardableResult public func record(atTime time: TimeInterval) -> Bool {
    record(from: time, upTo: nil)
  }

  /// Records from a time on, for so many seconds: as ``record(atTime:)`` and ``record(forDuration:)``.
  ///
  /// - Returns: As ``record()``.
  @discardableResult public func record(
    atTime time: TimeInterval, forDuration duration: TimeInterval
  ) -> Bool {
    record(from: time, upTo: duration)
  }

  /// Leaves sound out until ``record()``. Does nothing before there is some.
  public func pause() {
    order.sync {
      state.withLock { $0.heardSince = nil }
      output.pauseRecording()
    }
  }

  /// Ends the recording, completes the file, and waits for that. The device is free then.
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

  /// Deletes the file. A recording has to be stopped first.
  ///
  /// - Returns: False during a recording, and where there is no file or it stays.
  @discardableResult public func deleteRecording() -> Bool {
    order.sync {
      guard state.withLock({ $0.take == nil }), plan.isFileThere else { return false }
      return (try? FileManager.default.removeItem(at: url)) != nil
    }
  }

  // MARK: Time and levels

  /// Seconds of sound that the recording under way has; 0 without one.
  public var currentTime: TimeInterval {
    if let start = state.withLock({ $0.heardSince }) { return max(CACurrentMediaTime() - start, 0) }
    return output.recordedDuration.seconds
  }
  /// Seconds on the clock that devices' times are on.
  public var deviceCurrentTime: TimeInterval { CACurrentMediaTime() }

  /// True where levels are measured.
  public var isMeteringEnabled: Bool {
    get { state.withLock { $0.isMetered } }
    set {
      state.withLock { $0.isMetered = newValue }
      if newValue { _ = output.connection(with: .audio)?.soundLevels }
    }
  }

  /// Looks at the levels for ``averagePower(forChannel:)`` and ``peakPower(forChannel:)``.
  public func updateMeters() {
    let channels = isMeteringEnabled ? output.connection(with: .audio)?.audioChannels : nil
    let meters = channels?.map { (average: $0.averagePowerLevel, peak: $0.peakHoldLevel) } ?? []
    state.withLock { $0.meters = meters }
  }

  /// The power of a channel of the device, from 0, when the levels were looked at: decibels below full scale, -160 for
  /// silence, for a channel that there is not, and where nothing is measured.
  public func averagePower(forChannel channelNumber: Int) -> Float {
    state.withLock {
      $0.meters.indices.contains(channelNumber) ? $0.meters[channelNumber].average : -160
    }
  }

  /// The loudest sample of a channel in the second and a half before that, as ``averagePower(forChannel:)``.
  public func peakPower(forChannel channelNumber: Int) -> Float {
    state.withLock {
      $0.meters.indices.contains(channelNumber) ? $0.meters[channelNumber].peak : -160
    }
  }

  // MARK: Inside, on the queue of order

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
      // It has ended by itself, and is being completed.
      take.wait()
      settle(take)
    }
    try connect()
    try run()
    if isMeteringEnabled { _ = output.connection(with: .audio)?.soundLevels }
    guard let type = plan.type else {
      let now = CACurrentMediaTime()
      let first = start.isNumeric ? max(start.seconds, now) : now
      return state.withLock { $0.heardSince = $0.heardSince ?? first }
    }
    do throws(AVError) {
      output.maxRecordedDuration = limit
      output.audioSettings = settings
      let take = SoundTake { [weak self] take in
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

  /// Has sound flow.
  private func run() throws(AVError) {
    // One that lost its device runs on without it.
    if failure.error != nil { session.stopRunning() }
    failure.clear()
    session.startRunning()
    guard session.isRunning else {
      throw failure.error ?? AVError(.unknown, "the sound device does not start")
    }
  }

  /// Lets go of the device after a recording, and tells of its end, once.
  private func settle(_ take: SoundTake) {
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
