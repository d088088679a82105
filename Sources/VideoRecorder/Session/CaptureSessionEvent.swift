import CaptureDevices
import MediaCore

/// What happens to a session while it runs.
public enum CaptureSessionEvent: Sendable, Hashable {
  /// Samples flow.
  case didStartRunning
  /// Nothing flows any more.
  case didStopRunning
  /// A failure that no call could report.
  case runtimeError(CaptureError)
  /// A device stopped delivering usable samples.
  case wasInterrupted(InterruptionReason, deviceID: String)
  /// The device delivers usable samples again.
  case interruptionEnded(deviceID: String)
  /// A file that plays as a device is at its end.
  case deviceEnded(deviceID: String)
  /// A device lost samples: video frames, or audio frames.
  case samplesLost(count: Int, reason: DropReason, deviceID: String)

  /// Why samples are missing or unusable.
  public enum InterruptionReason: String, Sendable, Hashable, Codable {
    /// The device's input has no signal.
    case signalLost
    /// The signal has another size, rate or layout: choose a format again.
    case formatChanged
    /// The device went away.
    case deviceDisconnected
    /// The device stopped delivering.
    case deviceStalled
  }
}

extension CaptureError {
  /// The interruption that an error of a stream means; nil for a mere failure.
  var interruptionReason: CaptureSessionEvent.InterruptionReason? {
    switch code {
    case .deviceDisconnected: .deviceDisconnected
    case .signalLost: .signalLost
    case .formatChanged: .formatChanged
    case .deviceStalled: .deviceStalled
    default: nil
    }
  }
}
