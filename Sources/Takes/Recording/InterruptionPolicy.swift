import VideoRecorder

/// What happens to a take when its source goes away: the signal is lost, the cable is pulled, the format
/// changes, or the device stalls.
public enum InterruptionPolicy: String, Sendable, Hashable, CaseIterable {
  /// The movie ends, and is valid; a new one begins as soon as the source is back.
  case newSegment = "new-segment"
  /// The movie goes on with its last frame, until the signal or the device itself is back. Where it
  /// gives another format, as ``newSegment``.
  case hold
  /// The movie goes on with a slate: black, with a cross. Else as ``hold``.
  case slate
  /// The take ends with a valid movie.
  case stop

  /// What the output does.
  var signalLoss: RecordingOptions.SignalLossPolicy {
    switch self {
    case .newSegment, .stop: .finish
    case .hold: .holdLastFrame
    case .slate: .slate
    }
  }
}
