import Synchronization
import VideoRecorder

/// Why no sound comes from a session.
final class SessionFailure: Sendable {
  private let reason = Mutex<AVError?>(nil)

  /// Nil where sound comes, and before the first start.
  var error: AVError? { reason.withLock { $0 } }

  /// Forgets it, before a start.
  func clear() { reason.withLock { $0 = nil } }

  /// Takes an event of the session.
  func note(_ event: CaptureSessionEvent) {
    switch event {
    case .runtimeError(let error): reason.withLock { $0 = AVError(error) }
    case .wasInterrupted(let cause, let device):
      reason.withLock { $0 = AVError(cause, of: device) }
    case .didStartRunning, .interruptionEnded: clear()
    case .didStopRunning, .deviceEnded, .samplesLost: break
    }
  }
}
