public import MediaCore

/// What a client wants of the recorder.
public enum DeckOrder: Sendable, Hashable {
  /// Begin a take; with a name, which has the wildcards of movies' names and no folder.
  case record(name: String?)
  case stop
  /// Go on in a new movie, without losing a frame.
  case split
  /// Let clients begin and end takes, or not.
  case enableRemote(Bool)
}

/// What became of a ``DeckOrder``.
public enum DeckOutcome: Sendable, Hashable {
  case done
  case refused(ErrorSummary)

  /// The reply to a client.
  func code(of order: DeckOrder) -> DeckCode {
    guard case .refused(let error) = self else { return .ok }
    switch (error.code, order) {
    // A deck that does not run has stopped already: success.
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
