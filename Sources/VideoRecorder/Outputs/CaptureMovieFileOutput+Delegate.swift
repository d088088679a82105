import Dispatch
import FoundationEssentials
import MediaCore
import Synchronization
import TakeReports

/// The delegate of a recording, as functions.
extension CaptureMovieFileOutput {
  func didStart(_ recording: MovieRecording) {
    tell(of: recording) { delegate, output, connections in
      delegate.fileOutput(
        output, didStartRecordingTo: recording.url, startPTS: recording.startPTS, from: connections)
    }
  }

  func didPause(_ recording: MovieRecording) {
    tell(of: recording) { delegate, output, connections in
      delegate.fileOutput(output, didPauseRecordingTo: recording.url, from: connections)
    }
  }

  func didResume(_ recording: MovieRecording) {
    tell(of: recording) { delegate, output, connections in
      delegate.fileOutput(output, didResumeRecordingTo: recording.url, from: connections)
    }
  }

  func willFinish(_ recording: MovieRecording, _ error: CaptureError?) {
    tell(of: recording) { delegate, output, connections in
      delegate.fileOutput(
        output, willFinishRecordingTo: recording.url, from: connections, error: error)
    }
  }

  func didFinish(
    _ recording: MovieRecording, _ report: RecordingReport, _ error: CaptureError?
  ) {
    let url = URL(filePath: report.movie.path)
    let delegate = state.withLock { state in
      state.lastReport = report
      return state.remove(recording)?.delegate
    }
    guard let delegate else { return }
    let connections = connections
    delegateQueue.async { [self] in
      delegate.fileOutput(self, didFinishRecordingTo: url, from: connections, error: error)
    }
  }

  /// Calls the delegate on its queue.
  func tell(
    of recording: MovieRecording,
    _ call:
      @escaping @Sendable (
        any CaptureFileOutputRecordingDelegate, CaptureFileOutput, [CaptureConnection]
      ) -> Void
  ) {
    guard let delegate = state.withLock({ $0.delegate(of: recording) }) else { return }
    let connections = connections
    delegateQueue.async { [self] in call(delegate, self, connections) }
  }
}

extension CaptureMovieFileOutput.State {
  /// The recording under way, and those that are being completed.
  var recordings: [MovieRecording] {
    (ending + [take].compactMap { $0 }).map(\.recording)
  }

  func delegate(
    of recording: MovieRecording
  ) -> (any CaptureFileOutputRecordingDelegate)? {
    take?.recording === recording
      ? take?.delegate : ending.first { $0.recording === recording }?.delegate
  }

  /// Forgets a recording whose file is complete.
  mutating func remove(_ recording: MovieRecording) -> CaptureMovieFileOutput.Take? {
    if let take, take.recording === recording {
      self.take = nil
      return take
    }
    return ending.firstIndex { $0.recording === recording }.map { ending.remove(at: $0) }
  }
}
