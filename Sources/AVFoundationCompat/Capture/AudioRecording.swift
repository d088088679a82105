import AssetWriter
import Dispatch
import Foundation
import MediaCore
import Synchronization
import VideoRecorder

/// Records a connection's audio into a file.
final class AudioRecording: Sendable {
  /// The source, the file and the settings of a recording.
  struct Plan: Sendable {
    var url: URL
    var fileType: FileType
    var connection: AVCaptureConnection
    /// The format of the incoming audio.
    var source: AudioFormat
    var settings: AudioOutputSettings
    var metadata = MovieMetadata()
    /// Audio before this time is dropped, exact to the sample.
    var earliest = CMTime.invalid
    var limits = Limits()
    var freeSpace = FreeSpace.system
    /// True to replace an existing file when the new one is complete.
    var replacesFile = false
  }

  /// Limits at which a recording ends.
  struct Limits: Sendable {
    var duration = CMTime.invalid
    /// Bytes; 0 for no limit.
    var fileSize: Int64 = 0
    /// Bytes to leave free on the disk.
    var freeSpace: Int64 = 0
  }

  /// The progress of a recording.
  enum Event: Sendable {
    case started(CMTime)
    case paused
    case resumed
    case ending(AVError?)
    /// The file is complete or could not be made.
    case ended(AVError?)
  }

  private enum Phase {
    /// No audio has arrived yet.
    case armed
    case recording
    case paused
    /// The next audio buffer directly follows the one before the pause.
    case resumed
    case over
  }

  private struct State {
    var phase = Phase.armed
    var converter: AudioConverter?
    var start = CMTime.invalid
    /// The end of the recorded audio, without pauses.
    var end = CMTime.invalid
    /// The total duration of all pauses.
    var pauses = CMTime.zero
    /// When disk space is checked next, on the same time scale as `end`.
    var nextLook = CMTime.invalid
  }

  let plan: Plan
  private let writer: AssetWriter
  private let input: AssetWriterInput
  private let disks: DiskWatch
  private let state: Mutex<State>
  /// Completes the file and reports events, in order.
  private let queue: DispatchQueue
  private let observer: @Sendable (AudioRecording, Event) -> Void

  /// Creates the file.
  ///
  /// - Parameter observer: Called on the queue.
  /// - Throws: The writer's error; ``AVError/Code/unsupportedOutputSettings`` if the audio cannot be converted to the
  ///   settings, ``AVError/Code/diskFull`` if the disk has too little space.
  init(
    _ plan: Plan, queue: DispatchQueue,
    observer: @escaping @Sendable (AudioRecording, Event) -> Void
  ) throws(AVError) {
    (self.plan, self.queue, self.observer) = (plan, queue, observer)
    var state = State()
    state.converter = try Self.converter(for: plan)
    self.state = Mutex(state)
    input = AssetWriterInput(outputSettings: plan.settings)
    input.expectsMediaDataInRealTime = true
    // Synchronous because the file is created there next: a disk that hangs blocks that anyway.
    if let shortage = Self.shortage(plan, free: plan.freeSpace.bytes) { throw shortage }
    do throws(AssetWriterError) {
      let writer = try AssetWriter(outputURL: plan.url, fileType: plan.fileType)
      self.writer = writer
      disks = DiskWatch { folder in
        // Read together because space reserved later is no longer free.
        plan.freeSpace.bytes(folder)?.addingSaturating(writer.reservedByteCount)
      }
      writer.metadata = plan.metadata
      if plan.replacesFile { writer.configuration.overwritePolicy = .replace }
      try writer.add(input)
      try writer.start()
    } catch { throw AVError(error) }
  }

  // MARK: State

  var isActive: Bool { state.withLock { $0.phase != .over } }
  var isPaused: Bool { state.withLock { $0.phase == .paused } }
  /// The duration of the file so far.
  var duration: CMTime {
    state.withLock { $0.start.isValid ? $0.end - $0.start : .zero }
  }
  /// The size of the file so far in bytes, without data still in queues.
  var byteCount: Int64 { writer.writtenByteCount }

  // MARK: Requests

  /// Drops incoming audio; does nothing before audio arrives.
  func pause() {
    state.withLock { state in
      guard state.phase == .recording || state.phase == .resumed else { return }
      state.phase = .paused
      tell(.paused)
    }
  }

  /// Resumes recording; the file has no gap at the pause.
  func resume() {
    state.withLock { state in
      guard state.phase == .paused else { return }
      state.phase = .resumed
      tell(.resumed)
    }
  }

  /// Ends the recording.
  ///
  /// - Parameter error: The reason; nil if the end was requested.
  /// - Returns: False if it had already ended.
  @discardableResult
  func stop(_ error: AVError? = nil) -> Bool {
    state.withLock { state in
      guard state.phase != .over else { return false }
      finish(&state, error)
      return true
    }
  }

  // MARK: Incoming audio

  /// Handles an event of the stream, on its thread.
  ///
  /// - Returns: False if the recording had already ended.
  func receive(_ event: CaptureEvent) -> Bool {
    state.withLock { state in
      guard state.phase != .over else { return false }
      switch event {
      case .sample(let sample): take(sample, &state)
      case .failed(let error): finish(&state, AVError(error))
      case .formatChanged:
        finish(
          &state,
          AVError(.mediaChanged, "the audio of \(plan.connection.device) changed its format"))
      case .ended: finish(&state, nil)
      // Lost audio becomes silence because the next buffer is placed at its own time.
      case .lost, .signalLost, .signalRestored: break
      }
      return true
    }
  }

  private func take(_ sample: CMSampleBuffer, _ state: inout State) {
    guard let audio = sample.audioBuffer, sample.presentationTimeStamp.isNumeric else { return }
    switch state.phase {
    case .over, .paused: return
    case .armed:
      let end = sample.presentationTimeStamp + audio.duration
      let earliest = plan.earliest.isNumeric ? plan.earliest : sample.presentationTimeStamp
      guard end > earliest else { return }
      state.start = max(sample.presentationTimeStamp, earliest)
      state.nextLook = state.start
      do throws(AssetWriterError) { try writer.startSession(atSourceTime: state.start) } catch {
        return finish(&state, AVError(error))
      }
      state.phase = .recording
      tell(.started(state.start))
    case .resumed:
      state.pauses = sample.presentationTimeStamp - state.end
      state.phase = .recording
    case .recording: break
    }
    guard audio.format == plan.source else {
      return finish(
        &state, AVError(.mediaChanged, "\(plan.connection.device) delivers audio in another format")
      )
    }
    var placed = sample
    placed.presentationTimeStamp = sample.presentationTimeStamp - state.pauses
    state.end = placed.presentationTimeStamp + audio.duration
    if let converter = state.converter {
      if let made = converter.convert(placed) { append(made, &state) }
    } else {
      append(placed, &state)
    }
    checkLimits(&state)
  }

  private func append(_ sample: CMSampleBuffer, _ state: inout State) {
    do throws(AssetWriterError) { try input.append(sample) } catch {
      switch error.code {
      // The sample overlaps audio already written: nothing is missing.
      case .timeNotIncreasing: break
      case .notReady:
        finish(
          &state,
          AVError(.mediaDiscontinuity, "the disk is too slow for the audio; record to another disk")
        )
      default: finish(&state, AVError(error))
      }
    }
  }

  // MARK: The end

  private func checkLimits(_ state: inout State) {
    let limits = plan.limits
    let longest = state.start + limits.duration
    if limits.duration.isNumeric, state.end >= longest {
      finish(
        &state, AVError(.maximumDurationReached, "the recording reached its maximum duration"),
        cutAt: longest)
    } else if limits.fileSize > 0, byteCount >= limits.fileSize {
      finish(&state, AVError(.maximumFileSizeReached, "the file reached its maximum size"))
    } else if state.end >= state.nextLook {
      state.nextLook = state.end + CMTime(value: 1, timescale: 1)
      queue.async { [weak self] in self?.checkDisk() }
    }
  }

  /// Called once per second of audio, off the stream's thread.
  private func checkDisk() {
    if let shortage = Self.shortage(plan, free: disks.bytes(in:)) {
      stop(shortage)
    } else if writer.status == .failed, let error = writer.error {
      stop(AVError(error))
    }
  }

  /// Called with the lock held, so that events are reported in order.
  ///
  /// - Parameter cut: The end of the file; nil to end with the latest audio.
  private func finish(_ state: inout State, _ error: AVError?, cutAt cut: CMTime? = nil) {
    guard state.phase != .over else { return }
    state.phase = .over
    guard state.start.isValid else {
      queue.async { [self] in
        writer.cancelWriting()
        observer(
          self,
          .ended(error ?? AVError(.noDataCaptured, "the recording ended before any audio arrived")))
      }
      return
    }
    // A failed writer reports its error when it finishes.
    if let rest = state.converter?.finishSamples() { try? input.append(rest) }
    if let cut {
      try? writer.endSession(atSourceTime: cut)
      state.end = cut
    }
    tell(.ending(error))
    queue.async { [self] in
      writer.finishWriting { [self] in tell(.ended(outcome(error))) }
    }
  }

  /// The error for the delegate: why the recording ended, and whether the file is good.
  private func outcome(_ error: AVError?) -> AVError? {
    let isComplete = writer.status == .completed
    guard let error = error ?? (isComplete ? nil : writer.error.map { AVError($0) }) else {
      return isComplete ? nil : AVError(.unknown, "the file could not be completed")
    }
    return AVError(
      error.code, error.message,
      recordingSuccessfullyFinished: isComplete || error.recordingSuccessfullyFinished == true,
      errno: error.errno, underlyingError: error.underlyingError)
  }

  private func tell(_ event: Event) { queue.async { [self] in observer(self, event) } }

  // MARK: Requirements

  private static func converter(for plan: Plan) throws(AVError) -> AudioConverter? {
    let (source, target) = (plan.source, plan.settings.format)
    guard source.sampleRate != target.sampleRate || source.channelCount != target.channelCount
    else { return nil }
    guard let converter = AudioConverter(from: source, to: target) else {
      throw AVError(
        .unsupportedOutputSettings,
        "cannot convert audio of \(source.channelCount) channels to \(target.channelCount); ask for \(source.channelCount)"
      )
    }
    return converter
  }

  private static func shortage(
    _ plan: Plan, free: (_ folder: String) -> Int64?
  ) -> AVError? {
    let folder = plan.url.deletingLastPathComponent().path
    guard plan.limits.freeSpace > 0, let bytes = free(folder), bytes < plan.limits.freeSpace
    else { return nil }
    return AVError(
      .diskFull,
      "\(folder) has less free space than the \(plan.limits.freeSpace) bytes to leave free; make room or "
        + "record elsewhere")
  }
}
