import Foundation
import Synchronization

@testable import VideoRecorder

/// Logs the calls of a recording, and waits for the last.
final class RecordingDelegate: CaptureFileOutputRecordingDelegate {
  private let state = Mutex<(calls: [String], waiter: CheckedContinuation<Void, Never>?)>(
    ([], nil))
  private let error = Mutex<(any Error)?>(nil)
  var calls: [String] { state.withLock { $0.calls } }

  /// The error at the end, once the end has come.
  func finished() async -> (any Error)? {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.calls.contains("finish") { return true }
        state.waiter = continuation
        return false
      }
      if isDone { continuation.resume() }
    }
    return error.withLock { $0 }
  }

  private func note(_ call: String) {
    let waiter = state.withLock { state in
      state.calls.append(call)
      return call == "finish" ? state.waiter : nil
    }
    waiter?.resume()
  }

  func fileOutput(
    _ output: CaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) { note("start") }
  func fileOutput(
    _ output: CaptureFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) { note("pause") }
  func fileOutput(
    _ output: CaptureFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) { note("resume") }
  func fileOutput(
    _ output: CaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?
  ) {
    self.error.withLock { $0 = error }
    note("finish")
  }
}
