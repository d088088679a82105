import Dispatch
import MediaCore
import Synchronization
import VideoRecorder

/// Takes frames from a stream when a capture needs them, and drops all others.
final class FrameCollector: Sendable {
  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)

  fileprivate struct State {
    /// Why the stream has ended; reset by a frame of a new stream.
    var end: RawPhotoError?
    var wait = Wait()
  }

  /// The frame that a capture waits for.
  fileprivate struct Wait {
    /// Frames still to be skipped if frames do not state their exposure.
    var skips = 0
    var wanted: SensorExposure?
    var isWaiting = false
    var damagedFrames = 0
    var frame: SampleBuffer?
    var failure: RawPhotoError?
  }

  /// The number of damaged frames at which the capture fails.
  static let damageLimit = 3

  /// Waits for the next intact frame with an exposure.
  ///
  /// - Parameters:
  ///   - exposure: The required exposure; nil for any.
  ///   - skips: Frames that may still have the previous exposure, if frames do not state it.
  ///   - seconds: The timeout.
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
        "no frame arrived within \(Int(seconds.rounded(.up))) s; check that the session runs "
          + "and the device delivers frames")
    }
    return frame
  }

  /// Receives an event of the stream, on the stream's thread.
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

  /// Prepares for a new stream by clearing the end of the previous one.
  func begin() { state.withLock { $0.end = nil } }

  func fail(_ error: RawPhotoError) {
    if state.withLock({ $0.wait.fail(error) }) { arrival.signal() }
  }
}

extension FrameCollector.State {
  /// Notes the stream's end; true if that ends a wait.
  fileprivate mutating func finish(_ code: RawPhotoError.Code, _ message: String) -> Bool {
    let error = RawPhotoError(code, message)
    end = error
    return wait.fail(error)
  }
}

extension FrameCollector.Wait {
  /// True while a frame is awaited.
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
          "\(damagedFrames) frames in a row arrived short or damaged; check the cable and the "
            + "device's bandwidth"))
    }
    frame = sample
    return true
  }
}
