import Dispatch
import MediaCore
import Synchronization
import VideoRecorder

/// Takes frames out of a stream when a capture wants some, and lets all others pass.
final class FrameCollector: Sendable {
  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)

  fileprivate struct State {
    /// Why the stream has ended, which a frame of a new one unsays.
    var end: RawPhotoError?
    var wait = Wait()
  }

  /// What a capture waits for.
  fileprivate struct Wait {
    /// Frames still to be passed by, where frames do not say their exposure.
    var skips = 0
    var wanted: SensorExposure?
    var isWaiting = false
    var damagedFrames = 0
    var frame: SampleBuffer?
    var failure: RawPhotoError?
  }

  /// Damaged frames that are passed by before the capture fails.
  static let damageLimit = 3

  /// The next whole frame of an exposure.
  ///
  /// - Parameters:
  ///   - exposure: What it must be of; nil for any.
  ///   - skips: Frames that may still be of an older one, where they do not say.
  ///   - seconds: How long to wait at most.
  func frame(
    of exposure: SensorExposure?, skipping skips: Int, within seconds: Double
  ) throws(RawPhotoError) -> SampleBuffer {
    let end = state.withLock { state in
      state.wait = Wait(skips: skips, wanted: exposure, isWaiting: state.end == nil)
      return state.end
    }
    if let end { throw end }
    let outcome = arrival.wait(timeout: .now() + seconds)
    let result = state.withLock { state in
      defer { state.wait = Wait() }
      return (state.wait.frame, state.wait.failure)
    }
    if let failure = result.1 { throw failure }
    guard let frame = result.0 else {
      if outcome == .success {
        return try self.frame(of: exposure, skipping: skips, within: seconds)
      }
      throw RawPhotoError(
        .deviceFailed,
        "no frame came within \(Int(seconds.rounded(.up))) s; see that the session runs and the "
          + "device delivers")
    }
    return frame
  }

  /// Takes an event of the stream, on its thread.
  func receive(_ event: CaptureEvent) {
    let isDone = state.withLock { state -> Bool in
      switch event {
      case .sample(let sample):
        state.end = nil
        return state.wait.receive(sample)
      case .formatChanged:
        return state.finish(.formatChanged, "the device changed its format; take the photo again")
      case .failed(let error): return state.finish(.deviceFailed, error.message)
      case .ended: return state.finish(.deviceFailed, "the device has no more frames")
      case .signalLost:
        return state.wait.fail(RawPhotoError(.deviceFailed, "the device lost its signal"))
      case .lost, .signalRestored: return false
      }
    }
    if isDone { arrival.signal() }
  }

  /// Forgets that a stream has ended: another one begins.
  func begin() { state.withLock { $0.end = nil } }

  /// Ends a wait.
  func fail(_ error: RawPhotoError) {
    if state.withLock({ $0.wait.fail(error) }) { arrival.signal() }
  }
}

extension FrameCollector.State {
  /// Notes the stream's end; true where that ends a wait.
  fileprivate mutating func finish(_ code: RawPhotoError.Code, _ message: String) -> Bool {
    let error = RawPhotoError(code, message)
    end = error
    return wait.fail(error)
  }
}

extension FrameCollector.Wait {
  /// True while a frame is still to come.
  private var isOpen: Bool { isWaiting && frame == nil && failure == nil }

  fileprivate mutating func fail(_ error: RawPhotoError) -> Bool {
    guard isOpen else { return false }
    failure = error
    return true
  }

  fileprivate mutating func receive(_ sample: SampleBuffer) -> Bool {
    guard isOpen, sample.imageBuffer != nil else { return false }
    if let wanted, let found = sample.attachments.exposure {
      guard abs(found.amount - wanted.amount) <= wanted.amount * 0.005 else { return false }
    } else if skips > 0 {
      skips -= 1
      return false
    }
    if sample.attachments.isDamaged {
      damagedFrames += 1
      guard damagedFrames >= FrameCollector.damageLimit else { return false }
      return fail(
        RawPhotoError(
          .damagedFrame,
          "\(damagedFrames) frames in a row arrived short or damaged; look at the cable and the "
            + "device's bandwidth"))
    }
    frame = sample
    return true
  }
}
