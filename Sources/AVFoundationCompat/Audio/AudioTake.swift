import Dispatch
import Foundation
import Synchronization
import VideoRecorder

/// One recording of an audio recorder, and its outcome.
final class AudioTake: CaptureFileOutputRecordingDelegate {
  /// Not a dispatch group, which must not be released before the take has ended.
  private let isOver = DispatchSemaphore(value: 0)
  private let outcome = Mutex<AVError?>(nil)
  private let ended: @Sendable (AudioTake) -> Void

  /// - Parameter ended: Called when the file is complete or could not be made.
  init(ended: @escaping @Sendable (AudioTake) -> Void) {
    self.ended = ended
  }

  /// The reason if the take ended on its own or made no file; nil if it ended on request.
  var error: AVError? { outcome.withLock { $0 } }

  /// Waits for the end of the take.
  func wait() {
    isOver.wait()
    // For the next waiter.
    isOver.signal()
  }

  func fileOutput(
    _ output: CaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?
  ) {
    outcome.withLock { $0 = error.map { AVError($0) } }
    isOver.signal()
    ended(self)
  }
}
