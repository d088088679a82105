import Foundation
import VideoRecorder

/// Watches the process while it records: notes when it was stopped, and which movie is being written, if it was
/// renamed or has ended.
struct TakeWatch {
  let suspension: Suspension

  /// Looks at what `progress` says ten times a second, until the task is cancelled.
  func run(
    _ progress: () -> RecordingProgress?, showing show: (RecordingProgress) -> Void = { _ in }
  ) async {
    while !Task.isCancelled {
      suspension.beat()
      var present: RecordingProgress?
      TrapMovie.look {
        present = progress()
        return present?.path
      }
      if let present { show(present) }
      try? await Task.sleep(for: .milliseconds(100))
    }
    TrapMovie.look { nil }
  }
}
