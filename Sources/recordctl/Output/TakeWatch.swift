import Foundation
import VideoRecorder

/// Watches the process while it records: notes when it was stopped.
struct TakeWatch {
  let suspension: Suspension

  /// Polls `progress` ten times a second, until the task is cancelled.
  func run(
    _ progress: () -> RecordingProgress?, showing show: (RecordingProgress) -> Void = { _ in }
  ) async {
    while !Task.isCancelled {
      suspension.beat()
      if let now = progress() { show(now) }
      try? await Task.sleep(for: .milliseconds(100))
    }
  }
}
