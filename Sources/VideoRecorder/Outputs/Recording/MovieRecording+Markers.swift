import AssetWriter
import CaptureDevices
import MediaCore
import QuickTime
import Synchronization
import TakeReports

/// Notes that are made while a take is recorded.
extension MovieRecording {
  /// Marks the frame that was recorded last. The marker is in the report, and in the sidecar and
  /// the chapters of its movie.
  func addMarker(_ note: String) throws(CaptureError) -> RecordingReport.Marker {
    guard note.utf8.count <= RecordingReport.markerNoteLimit else {
      throw CaptureError(
        .invalidArgument,
        "a marker's note of \(note.utf8.count) bytes; the limit is \(RecordingReport.markerNoteLimit)"
      )
    }
    if let character = RecordingReport.hiddenCharacter(inNote: note) {
      throw CaptureError(.invalidArgument, "the marker's note has \(character); leave it out")
    }
    return try state.withLock { state throws(CaptureError) in
      guard state.phase.isActive, state.timeline.hasBegun, !state.timeline.isStandingBy,
        state.timeline.slots > 0
      else {
        throw CaptureError(.invalidState, "no frame has been recorded yet, so none can be marked")
      }
      guard state.account.markers.count < RecordingReport.markerLimit else {
        throw CaptureError(
          .invalidState, "the take has \(RecordingReport.markerLimit) markers, which is the limit")
      }
      let marker = state.account.mark(note, slot: state.timeline.nextSlot - 1)
      writer.chapters.append(
        MovieChapter(title: note, start: plan.rate.time(ofFrame: marker.frame)))
      return marker
    }
  }
}
