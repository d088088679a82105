import CaptureDevices
import TakeReports

/// The phase of a recording, with the state that belongs to it.
enum RecordingPhase: Sendable {
  /// Waits for the first frame, or the first after a pause.
  case armed
  case recording
  case paused
  /// Ended; audio up to the last frame may still arrive.
  case draining(Ending)
  /// The file is being completed.
  case completing(Ending)
  case finished(RecordingReport)

  /// How a recording ended.
  struct Ending: Sendable {
    var end: RecordingReport.End
    var error: CaptureError?
    /// True where it was paused then.
    var wasPaused = false

    /// Makes a failure of writing the reason of the end, unless there is an earlier one.
    ///
    /// - Parameter isOfTake: True if frames were recorded.
    mutating func fail(_ failure: CaptureError, isOfTake: Bool) {
      guard end.isIntended || error == nil else { return }
      if isOfTake { end = RecordingReport.End(writingFailure: failure) }
      error = failure
    }
  }

  /// True until the end.
  var isActive: Bool {
    switch self {
    case .armed, .recording, .paused: true
    case .draining, .completing, .finished: false
    }
  }

  var isArmed: Bool { if case .armed = self { true } else { false } }
  var isRecording: Bool { if case .recording = self { true } else { false } }
  var isPaused: Bool { if case .paused = self { true } else { false } }
  var isDraining: Bool { if case .draining = self { true } else { false } }

  /// True while audio can still be placed.
  var takesAudio: Bool { isActive || isDraining }

  /// How it ended, until the report is there.
  var ending: Ending? {
    switch self {
    case .draining(let ending), .completing(let ending): ending
    default: nil
    }
  }

  var report: RecordingReport? { if case .finished(let report) = self { report } else { nil } }

  /// Enters ``completing(_:)``, once, however the recording stands.
  ///
  /// - Returns: False where that was done already.
  mutating func complete() -> Bool {
    switch self {
    case .completing, .finished: return false
    case .draining(let ending): self = .completing(ending)
    case .armed, .recording, .paused: self = .completing(Ending(end: .stopped))
    }
    return true
  }
}
