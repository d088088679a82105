import Foundation
import VideoRecorder

/// Shows a recording while it runs.
struct TakeDisplay {
  let line: ProgressLine
  let live: LiveLine
  /// True to ring when frames are dropped.
  let rings: Bool
  let watch: TakeWatch

  /// Shows what `progress` says ten times a second, until the task is cancelled.
  func run(_ progress: () -> RecordingProgress?) async {
    var dropped = 0
    await watch.run(progress) { now in
      // Less than before: another movie of the series.
      if rings, now.dropped > dropped { line.ring() }
      dropped = now.dropped
      line.show { live.text(now, columns: $0) }
    }
    line.clear()
  }
}
