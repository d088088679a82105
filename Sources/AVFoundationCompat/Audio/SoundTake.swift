import Dispatch
import Foundation
import Synchronization
import VideoRecorder

/// One recording of a sound recorder, and its end.
final class SoundTake: CaptureFileOutputRecordingDelegate {
  /// Not a group: of one whose end never comes nothing could be let go.
  private let isOver = DispatchSemaphore(value: 0)
  private let outcome = Mutex<AVError?>(nil)
  private let ended: @Sendable (SoundTake) -> Void

  /// - Parameter ended: Called when the file is complete, or there is none.
  init(ended: @escaping @Sendable (SoundTake) -> Void) {
    self.ended = ended
  }

  /// The reason if the take ended by itself or made no file; nil if it ended on request.
  var error: AVError? { outcome.withLock { $0 } }

  /// Waits for its end.
  func wait() {
    isOver.wait()
    // For the next one who waits.
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
