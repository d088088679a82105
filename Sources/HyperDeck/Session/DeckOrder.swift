public import MediaCore

/// An order of a client to the recorder.
public enum DeckOrder: Sendable, Hashable {
  /// Begin a take. The name may have the wildcards of movies' names, but no folder.
  case record(name: String?)
  case stop
  /// Continue in a new movie, without losing a frame.
  case split
  /// Allow or forbid clients to begin and end takes.
  case enableRemote(Bool)
}

/// The outcome of a ``DeckOrder``.
public enum DeckOutcome: Sendable, Hashable {
  case done
  case refused(ErrorSummary)

  /// The reply to a client.
  func code(of order: DeckOrder) -> DeckCode {
    guard case .refused(let error) = self else { return .ok }
    switch (error.code, order) {
    // A deck that is not recording has already stopped: success.
    case ("invalidState", .stop): return .ok
    case ("invalidState", _): return .invalidState
    case ("invalidArgument", _), ("invalidMessage", _), ("fileAlreadyExists", _):
      return .invalidValue
    case ("diskFull", _): return .diskFull
    case ("outputFailed", _), ("permissionDenied", _): return .diskError
    case ("signalLost", _), ("deviceDisconnected", _), ("deviceNotFound", _),
      ("nothingRecorded", _):
      return .noInput
    case ("connectionClosed", _), ("socketFailed", _): return .noDisk
    default: return .internalError
    }
  }
}
