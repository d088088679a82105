import Synchronization
import VideoRecorder

/// Why a session delivers no audio.
final class SessionFailure: Sendable {
  private let reason = Mutex<AVError?>(nil)

  /// Nil if audio arrives, and before the first start.
  var error: AVError? { reason.withLock { $0 } }

  /// Clears the failure before a start.
  func clear() { reason.withLock { $0 = nil } }

  /// Records a failure that the session reports, or clears it.
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
