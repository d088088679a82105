import CSignals
import Foundation
import VideoRecorder

/// Watches the process while it records: notes when it was stopped, and tells the trap handler which movie
/// is being written.
struct TakeWatch {
  let suspension: Suspension

  /// Looks at what `progress` says ten times a second, until the task is cancelled.
  func run(
    _ progress: () -> RecordingProgress?, showing show: (RecordingProgress) -> Void = { _ in }
  ) async {
    var movie: String?
    while !Task.isCancelled {
      suspension.beat()
      if let now = progress() {
        if now.path != movie {
          movie = now.path
          // Absolute: who reads it may be in another folder.
          trap_report_set_movie(movie.map { URL(filePath: $0).path(percentEncoded: false) })
        }
        show(now)
      }
      try? await Task.sleep(for: .milliseconds(100))
    }
    trap_report_set_movie(nil)
  }
}
