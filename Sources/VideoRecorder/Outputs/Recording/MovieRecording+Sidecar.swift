import AssetWriter
import Dispatch
import FoundationEssentials
import MediaCore
import QuickTime
import Synchronization
import TakeReports

/// The files beside the movies.
extension MovieRecording {
  private var label: TakeLabel { state.withLock { $0.facts.label } }

  /// Handles an event of the writer, on one of its threads.
  func keepSidecar(_ event: SegmentEvent) {
    if let step = openMovies.withLock({ $0.take(event) }) {
      if let path = step.after {
        presentMovie.withLock { if step.before == nil || step.before == $0 { $0 = path } }
      }
      observer.didStepMovie(step)
    }
    switch event {
    case .changed(_, let change): noteFileChange(change)
    case .copyLost(_, let copy):
      // Now rather than on the queue, which may measure the disk before it gets there.
      disks.giveUp(folderOf: copy.path)
      noteLostCopy(copy)
    default: break
    }
    removeStaleSidecar(after: event)
    sidecars?.take(event) { [weak self] sidecar, segment in
      guard let self else { return }
      sidecar.request.label = label
      let report = interimReport
      sidecar.recording = segment.map(report.narrowed) ?? report
    }
    tellCompletedMovies(completedMovies.withLock { $0.take(event) })
  }

  /// Reports complete movies, after the sidecar writer has finished what it was given so far.
  func tellCompletedMovies(_ paths: [String]) {
    guard !paths.isEmpty else { return }
    let tell: @Sendable () -> Void = { [observer] in
      for path in paths { observer.didCompleteMovie(path) }
    }
    if let sidecars { sidecars.afterwards(tell) } else { queue.async(execute: tell) }
  }

  private func removeStaleSidecar(after event: SegmentEvent) {
    guard sidecars == nil, plan.options.overwritesExistingFile else { return }
    // The writing thread sends the event, and must not wait for the disk as well.
    queue.async { [self] in
      guard let notice = StaleSidecar.remove(after: event) else { return }
      state.withLock { $0.staleSidecars.append(notice) }
      observer.didNotice(notice)
    }
  }

  /// Reports at once that another program touched a movie's file, and notes it for the report.
  private func noteFileChange(_ change: SegmentFileChange) {
    // A writing thread sends the event, and must not wait for anyone who prints it.
    queue.async { [self] in
      state.withLock { state in
        state.note(
          change.change == .moved ? .fileMoved : .fileLost,
          slot: max(state.timeline.nextSlot - 1, state.timeline.origin))
      }
      observer.didNotice(change.message)
    }
  }

  /// Reports at once that the take is written to only one place from here on.
  private func noteLostCopy(_ copy: MovieFileCopy) {
    let folder = URL(filePath: copy.path).deletingLastPathComponent().standardizedFileURL.path
    let second = plan.options.secondFolder.map { URL(filePath: $0).standardizedFileURL.path }
    let place = RecordingProgress.LostPlace(
      path: copy.path, isSecond: folder == second, message: copy.message)
    queue.async { [self] in
      state.withLock { state in
        state.lostPlace = place
        state.note(.copyLost, slot: max(state.timeline.nextSlot - 1, state.timeline.origin))
      }
      observer.didNotice(
        "the take continues in one place: \(copy.message ?? copy.path)")
    }
  }

  /// Writes the remaining sidecars, and reports those that could not be written.
  func completeSidecars(of report: RecordingReport) -> RecordingReport {
    var reported = report
    let stale = state.withLock { $0.staleSidecars }
    reported.staleSidecars = stale.isEmpty ? nil : stale
    reported.sidecarError =
      sidecars?.finish { [self] sidecar, segment in
        sidecar.request.label = label
        sidecar.recording = segment.map(report.narrowed) ?? report
      }.map { ErrorSummary($0) }
    return reported
  }
}

extension RecordingPlan {
  /// The writer of the sidecars; nil if none are wanted.
  var sidecarKeeper: SidecarKeeper? {
    guard options.writesSidecar else { return nil }
    return SidecarKeeper(
      options.request ?? TakeRequest(self), replacesOthers: options.overwritesExistingFile,
      secondFolder: options.secondFolder)
  }
}
