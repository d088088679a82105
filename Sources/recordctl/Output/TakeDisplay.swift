import CSignals
import Foundation
import VideoRecorder

/// Shows a recording while it runs, and tells the trap handler which movie is being written.
struct TakeDisplay {
  let line: ProgressLine
  let live: LiveLine
  /// True to ring when frames are dropped.
  let rings: Bool
  /// Tells of a process that was stopped.
  let suspension: Suspension

  /// Shows what `progress` says ten times a second, until the task is cancelled.
  func run(_ progress: () -> RecordingProgress?) async {
    var movie: String?
    var dropped = 0
    while !Task.isCancelled {
      suspension.beat()
      if let now = progress() {
        if now.path != movie {
          movie = now.path
          // Absolute: who reads it may be in another folder.
          trap_report_set_movie(movie.map { URL(filePath: $0).path(percentEncoded: false) })
        }
        // Less than before: another movie of the series.
        if rings, now.dropped > dropped { line.ring() }
        dropped = now.dropped
        line.show { live.text(now, columns: $0) }
      }
      try? await Task.sleep(for: .milliseconds(100))
    }
    trap_report_set_movie(nil)
    line.clear()
  }
}
