import Dispatch
public import Foundation
public import VideoRecorder

/// In a notification of a session: the ``AVError``.
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"

/// In a notification of an interruption: an `AVCaptureSession.InterruptionReason` as a number. Never
/// there: what interrupts a session here has no number of Apple's, and is under
/// ``AVCaptureSessionErrorKey``.
public let AVCaptureSessionInterruptionReasonKey = "AVCaptureSessionInterruptionReasonKey"

/// In a notification of an interruption: how hot and busy a phone is. Never there: nothing here is interrupted for
/// that.
public let AVCaptureSessionInterruptionSystemPressureStateKey =
  "AVCaptureSessionInterruptionSystemPressureStateKey"

extension CaptureSession {
  /// Why a phone interrupts a session. None of it happens here.
  public enum InterruptionReason: Int, Sendable, Hashable {
    /// The program is behind others.
    case videoDeviceNotAvailableInBackground = 1
    /// Another program has the microphone.
    case audioDeviceInUseByAnotherClient = 2
    /// Another program has the camera.
    case videoDeviceInUseByAnotherClient = 3
    /// Several programs are shown.
    case videoDeviceNotAvailableWithMultipleForegroundApps = 4
    /// The phone is too hot.
    case videoDeviceNotAvailableDueToSystemPressure = 5
    /// What is seen may not be shown.
    case sensitiveContentMitigationActivated = 6
  }

  /// Something failed that no call could be told of; the error is under ``AVCaptureSessionErrorKey``.
  public static let runtimeErrorNotification = Notification.Name(
    "AVCaptureSessionRuntimeErrorNotification")
  /// Samples flow.
  public static let didStartRunningNotification = Notification.Name(
    "AVCaptureSessionDidStartRunningNotification")
  /// Nothing flows any more.
  public static let didStopRunningNotification = Notification.Name(
    "AVCaptureSessionDidStopRunningNotification")
  /// A device gives nothing of worth: no signal, another format, gone, stalled; which of them is
  /// under ``AVCaptureSessionErrorKey``, as an error.
  public static let wasInterruptedNotification = Notification.Name(
    "AVCaptureSessionWasInterruptedNotification")
  /// What a device gives is of worth again.
  public static let interruptionEndedNotification = Notification.Name(
    "AVCaptureSessionInterruptionEndedNotification")

  /// A session without inputs and outputs, which posts notifications of what happens to it.
  ///
  /// Its preset is `high`, as Apple's is, until another is set or a device is added whose format was
  /// chosen by hand.
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

/// Posts what happens to sessions, in order.
private enum NotificationPoster {
  /// Not the threads of sessions: an observer may call the session.
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
  /// Why samples of a device are of no worth.
  init(_ reason: CaptureSessionEvent.InterruptionReason, of device: String) {
    switch reason {
    case .signalLost: self.init(.sessionWasInterrupted, "\(device) has no signal")
    case .formatChanged: self.init(.mediaChanged, "the signal of \(device) changed its format")
    case .deviceDisconnected: self.init(.deviceWasDisconnected, "\(device) went away")
    case .deviceStalled: self.init(.mediaDiscontinuity, "\(device) stopped delivering")
    }
  }
}
