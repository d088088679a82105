import ArgumentParser
import AssetReader
import AssetWriter
import QuickTime
import VideoRecorder

/// How the command ends, for scripts.
enum ExitStatus: Int32 {
  /// All well.
  case success = 0
  /// It failed.
  case failure = 1
  /// What was asked for makes no sense, or what was given cannot be used.
  case badInput = 2
  /// The file is valid, but frames were dropped, repeated or damaged.
  case imperfect = 3
  /// The file is valid, but ends early.
  case endedEarly = 4

  /// The status of an error.
  init(of error: any Error) {
    switch error {
    case let exit as ExitCode: self = ExitStatus(rawValue: exit.rawValue) ?? .failure
    case let error as CaptureError: self = ExitStatus(error)
    default:
      // The parser ends with a status of its own for bad usage, and with 0 for --help.
      self = Recordctl.exitCode(for: error).isSuccess ? .success : .badInput
    }
  }

  private init(_ error: CaptureError) {
    self =
      switch error.code {
      case _ where error.recordingSuccessfullyFinished: .endedEarly
      case .deviceNotFound, .deviceBusy, .permissionDenied, .formatUnavailable, .codecUnavailable,
        .invalidArgument, .invalidPreset, .outputFailed:
        .badInput
      case .deviceDisconnected, .signalLost, .formatChanged, .deviceStalled, .deviceFailed,
        .invalidState, .limitReached:
        .failure
      }
  }
}
