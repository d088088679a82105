import CaptureDevices
import MediaCore

/// What happens to a session while it runs.
public enum CaptureSessionEvent: Sendable, Hashable {
  /// Samples flow.
  case didStartRunning
  /// Nothing flows any more.
  case didStopRunning
  /// Something failed that no call of the caller's could be told of.
  case runtimeError(CaptureError)
  /// Samples from a device stopped being of worth.
  case wasInterrupted(InterruptionReason, deviceID: String)
  /// They are of worth again.
  case interruptionEnded(deviceID: String)
  /// A file that plays as a device is at its end.
  case deviceEnded(deviceID: String)
  /// A device lost samples: frames of pictures, or frames of sound.
  case samplesLost(count: Int, reason: DropReason, deviceID: String)

  /// Why samples are of no worth, or do not come.
  public enum InterruptionReason: String, Sendable, Hashable, Codable {
    /// The device's input has no signal.
    case signalLost
    /// The signal is of another size, rate or layout: choose a format anew.
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
