import AssetWriter
import MediaCore
import Synchronization

/// The files beside the movies.
extension MovieRecording {
  /// Takes an event of the writer's, on one of its threads.
  func keepSidecar(_ event: SegmentEvent) {
    if case .began(_, let path) = event { presentMovie.withLock { $0 = path } }
    sidecars?.take(event) { [weak self] sidecar, segment in
      guard let report = self?.interimReport else { return }
      sidecar.recording = segment.map(report.narrowed) ?? report
    }
  }

  /// Writes what is still to be told, and says in the report where that was not possible.
  func completeSidecars(of report: RecordingReport) -> RecordingReport {
    var told = report
    told.sidecarError =
      sidecars?.finish { sidecar, segment in
        sidecar.recording = segment.map(report.narrowed) ?? report
      }?.message
    return told
  }
}

extension RecordingPlan {
  /// What writes the sidecars; nil where none are wanted.
  var sidecarKeeper: SidecarKeeper? {
    guard options.writesSidecar else { return nil }
    return SidecarKeeper(
      options.request ?? TakeRequest(self), replacesOthers: options.overwritesExistingFile)
  }
}
