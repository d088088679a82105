import AssetWriter
import Dispatch
import Foundation
import MediaCore
import Synchronization
import VideoRecorder

/// The sound of a connection on its way into a file.
final class SoundRecording: Sendable {
  /// What is recorded, and how.
  struct Plan: Sendable {
    var url: URL
    var fileType: FileType
    var connection: AVCaptureConnection
    /// What comes.
    var source: AudioFormat
    var settings: AudioOutputSettings
    var metadata = MovieMetadata()
    /// What comes before is left out, to the sample.
    var earliest = CMTime.invalid
    var limits = Limits()
    var freeSpace = FreeSpace.system
    /// True to replace a file that exists, once the new one is complete.
    var replacesFile = false
  }

  /// What ends a recording by itself.
  struct Limits: Sendable {
    var duration = CMTime.invalid
    /// Bytes; 0 for no limit.
    var fileSize: Int64 = 0
    /// Bytes that are left free on the disk.
    var freeSpace: Int64 = 0
  }

  /// What happens to a recording.
  enum Event: Sendable {
    case started(CMTime)
    case paused
    case resumed
    case ending(AVError?)
    /// The file is complete, or there is none.
    case ended(AVError?)
  }

  private enum Phase {
    /// No sound has come yet.
    case armed
    case recording
    case paused
    /// The next run of sound follows the one before the pause.
    case resumed
    case over
  }

  private struct State {
    var phase = Phase.armed
    var converter: SoundConverter?
    var start = CMTime.invalid
    /// Where what was recorded ends, with the pauses taken out.
    var end = CMTime.invalid
    /// The length of all pauses.
    var pauses = CMTime.zero
    /// When room on the disk is looked at next, on the same scale as `end`.
    var nextLook = CMTime.invalid
  }

  let plan: Plan
  private let writer: AssetWriter
  private let input: AssetWriterInput
  private let disks: DiskWatch
  private let state: Mutex<State>
  /// Where the file is completed and events are told, in order.
  private let queue: DispatchQueue
  private let observer: @Sendable (SoundRecording, Event) -> Void

  /// Makes the file.
  ///
  /// - Parameter observer: Called on the queue.
  /// - Throws: What the writer says; ``AVError/Code/unsupportedOutputSettings`` where there is no way from the
  ///   sound to the settings, ``AVError/Code/diskFull`` for a disk without room.
  init(
    _ plan: Plan, queue: DispatchQueue,
    observer: @escaping @Sendable (SoundRecording, Event) -> Void
  ) throws(AVError) {
    (self.plan, self.queue, self.observer) = (plan, queue, observer)
    var state = State()
    state.converter = try Self.converter(for: plan)
    self.state = Mutex(state)
    input = AssetWriterInput(outputSettings: plan.settings)
    input.expectsMediaDataInRealTime = true
    // The file is to be made there next: a disk that hangs holds that up either way.
    if let shortage = Self.shortage(plan, free: plan.freeSpace.bytes) { throw shortage }
    do throws(AssetWriterError) {
      let writer = try AssetWriter(outputURL: plan.url, fileType: plan.fileType)
      self.writer = writer
      disks = DiskWatch { folder in
        // Both at once: what is reserved later is no longer free.
        plan.freeSpace.bytes(folder)?.addingSaturating(writer.reservedByteCount)
      }
      writer.metadata = plan.metadata
      if plan.replacesFile { writer.configuration.overwritePolicy = .replace }
      try writer.add(input)
      try writer.start()
    } catch { throw AVError(error) }
  }

  // MARK: Where it stands

  var isActive: Bool { state.withLock { $0.phase != .over } }
  var isPaused: Bool { state.withLock { $0.phase == .paused } }
  /// What the file holds, in time.
  var duration: CMTime {
    state.withLock { $0.start.isValid ? $0.end - $0.start : .zero }
  }
  /// What the file holds, in bytes, without what is still in queues.
  var byteCount: Int64 { writer.writtenByteCount }

  // MARK: Requests

  /// Leaves out what comes; does nothing before there is sound.
  func pause() {
    state.withLock { state in
      guard state.phase == .recording || state.phase == .resumed else { return }
      state.phase = .paused
      tell(.paused)
    }
  }

  /// Records again; the file has no gap at the pause.
  func resume() {
    state.withLock { state in
      guard state.phase == .paused else { return }
      state.phase = .resumed
      tell(.resumed)
    }
  }

  /// Ends the recording.
  ///
  /// - Parameter error: Why, where nobody asked for it.
  /// - Returns: False where it had ended before.
  @discardableResult
  func stop(_ error: AVError? = nil) -> Bool {
    state.withLock { state in
      guard state.phase != .over else { return false }
      finish(&state, error)
      return true
    }
  }

  // MARK: What comes

  /// Takes an event of the stream, on its thread.
  ///
  /// - Returns: False where the recording had ended before.
  func receive(_ event: CaptureEvent) -> Bool {
    state.withLock { state in
      guard state.phase != .over else { return false }
      switch event {
      case .sample(let sample): take(sample, &state)
      case .failed(let error): finish(&state, AVError(error))
      case .formatChanged:
        finish(
          &state,
          AVError(.mediaChanged, "the sound of \(plan.connection.device) changed its format"))
      case .ended: finish(&state, nil)
      // What is missing becomes silence: the next run comes at its time.
      case .lost, .signalLost, .signalRestored: break
      }
      return true
    }
  }

  private func take(_ sample: CMSampleBuffer, _ state: inout State) {
    guard let sound = sample.audioBuffer, sample.presentationTimeStamp.isNumeric else { return }
    switch state.phase {
    case .over, .paused: return
    case .armed:
      let end = sample.presentationTimeStamp + sound.duration
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
    guard sound.format == plan.source else {
      return finish(
        &state, AVError(.mediaChanged, "\(plan.connection.device) gives sound in another format"))
    }
    var placed = sample
    placed.presentationTimeStamp = sample.presentationTimeStamp - state.pauses
    state.end = placed.presentationTimeStamp + sound.duration
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
      // Before the sound that is there already: nothing is missing.
      case .timeNotIncreasing: break
      case .notReady:
        finish(
          &state,
          AVError(.mediaDiscontinuity, "the disk is too slow for the sound; record to another disk")
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

  /// Once a second of sound, apart from the thread on which it comes.
  private func checkDisk() {
    if let shortage = Self.shortage(plan, free: disks.bytes(in:)) {
      stop(shortage)
    } else if writer.status == .failed, let error = writer.error {
      stop(AVError(error))
    }
  }

  /// Called with the lock held, so that what happens is told in order.
  ///
  /// - Parameter cut: Where the file ends; nil for with the sound that came last.
  private func finish(_ state: inout State, _ error: AVError?, cutAt cut: CMTime? = nil) {
    guard state.phase != .over else { return }
    state.phase = .over
    guard state.start.isValid else {
      queue.async { [self] in
        writer.cancelWriting()
        observer(
          self,
          .ended(error ?? AVError(.noDataCaptured, "the recording ended before any sound arrived")))
      }
      return
    }
    // A writer that has failed says so when it finishes.
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

  /// What the delegate hears: why it ended, and whether the file is good.
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

  // MARK: What it needs

  private static func converter(for plan: Plan) throws(AVError) -> SoundConverter? {
    let (source, target) = (plan.source, plan.settings.format)
    guard source.sampleRate != target.sampleRate || source.channelCount != target.channelCount
    else { return nil }
    guard let converter = SoundConverter(from: source, to: target) else {
      throw AVError(
        .unsupportedOutputSettings,
        "cannot convert sound of \(source.channelCount) channels to \(target.channelCount); ask for \(source.channelCount)"
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
      "\(folder) has less free than the \(plan.limits.freeSpace) bytes that are to be left; make room or "
        + "record elsewhere")
  }
}
