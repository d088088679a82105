import Dispatch
public import Foundation
public import VideoRecorder

/// In a notification of a session: the ``AVError``.
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"

/// In an interruption notification: an `AVCaptureSession.InterruptionReason` as a number. Never present: interruptions
/// here have no Apple number; see ``AVCaptureSessionErrorKey``.
public let AVCaptureSessionInterruptionReasonKey = "AVCaptureSessionInterruptionReasonKey"

/// In an interruption notification: the system pressure state of a phone. Never present: it causes no interruption
/// here.
public let AVCaptureSessionInterruptionSystemPressureStateKey =
  "AVCaptureSessionInterruptionSystemPressureStateKey"

extension CaptureSession {
  /// Why a phone interrupts a session. None of these occurs here.
  public enum InterruptionReason: Int, Sendable, Hashable {
    /// The program is in the background.
    case videoDeviceNotAvailableInBackground = 1
    /// Another program uses the microphone.
    case audioDeviceInUseByAnotherClient = 2
    /// Another program uses the camera.
    case videoDeviceInUseByAnotherClient = 3
    /// Several programs are in the foreground.
    case videoDeviceNotAvailableWithMultipleForegroundApps = 4
    /// The phone is too hot.
    case videoDeviceNotAvailableDueToSystemPressure = 5
    /// Sensitive content was detected.
    case sensitiveContentMitigationActivated = 6
  }

  /// An error occurred outside of any call; it is under ``AVCaptureSessionErrorKey``.
  public static let runtimeErrorNotification = Notification.Name(
    "AVCaptureSessionRuntimeErrorNotification")
  /// Samples flow.
  public static let didStartRunningNotification = Notification.Name(
    "AVCaptureSessionDidStartRunningNotification")
  /// Samples no longer flow.
  public static let didStopRunningNotification = Notification.Name(
    "AVCaptureSessionDidStopRunningNotification")
  /// A device delivers no usable samples: no signal, a changed format, disconnected or stalled; the error under
  /// ``AVCaptureSessionErrorKey`` gives the reason.
  public static let wasInterruptedNotification = Notification.Name(
    "AVCaptureSessionWasInterruptedNotification")
  /// A device delivers usable samples again.
  public static let interruptionEndedNotification = Notification.Name(
    "AVCaptureSessionInterruptionEndedNotification")

  /// A session without inputs and outputs that posts notifications.
  ///
  /// The preset is `high`, as in AVFoundation, until another is set or a device with a manually chosen format is added.
  public convenience init() {
    self.init(preset: .high) { session, event in NotificationPoster.post(event, of: session) }
  }
}

extension NSNotification.Name {
  /// `VideoRecorder.CaptureSession.runtimeErrorNotification`, by its older name.
  public static let AVCaptureSessionRuntimeError = CaptureSession.runtimeErrorNotification
  /// `VideoRecorder.CaptureSession.didStartRunningNotification`, by its older name.
  public static let AVCaptureSessionDidStartRunning = CaptureSession.didStartRunningNotification
  /// `VideoRecorder.CaptureSession.didStopRunningNotification`, by its older name.
  public static let AVCaptureSessionDidStopRunning = CaptureSession.didStopRunningNotification
  /// `VideoRecorder.CaptureSession.wasInterruptedNotification`, by its older name.
  public static let AVCaptureSessionWasInterrupted = CaptureSession.wasInterruptedNotification
  /// `VideoRecorder.CaptureSession.interruptionEndedNotification`, by its older name.
  public static let AVCaptureSessionInterruptionEnded = CaptureSession.interruptionEndedNotification
}

/// Posts session notifications in order.
private enum NotificationPoster {
  /// Separate from session threads because an observer may call the session.
  private static let queue = DispatchQueue(label: "capture-session-notifications")

  static func post(_ event: CaptureSessionEvent, of session: CaptureSession) {
    let name: Notification.Name
    var error: AVError?
    switch event {
    case .didStartRunning: name = CaptureSession.didStartRunningNotification
    case .didStopRunning: name = CaptureSession.didStopRunningNotification
    case .runtimeError(let reason):
      name = CaptureSession.runtimeErrorNotification
      error = AVError(reason)
    case .wasInterrupted(let reason, let device):
      name = CaptureSession.wasInterruptedNotification
      error = AVError(reason, of: device)
    case .interruptionEnded: name = CaptureSession.interruptionEndedNotification
    case .deviceEnded, .samplesLost: return
    }
    queue.async { [error] in
      NotificationCenter.default.post(
        name: name, object: session, userInfo: error.map { [AVCaptureSessionErrorKey: $0] })
    }
  }
}

extension AVError {
  /// The error for an interruption.
  init(_ reason: CaptureSessionEvent.InterruptionReason, of device: String) {
    switch reason {
    case .signalLost: self.init(.sessionWasInterrupted, "\(device) has no signal")
    case .formatChanged: self.init(.mediaChanged, "the signal of \(device) changed its format")
    case .deviceDisconnected: self.init(.deviceWasDisconnected, "\(device) was disconnected")
    case .deviceStalled: self.init(.mediaDiscontinuity, "\(device) stopped delivering")
    }
  }
}
