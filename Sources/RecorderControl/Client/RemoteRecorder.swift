/// A recorder in another process, as servers of other protocols see and control it.
public protocol RemoteRecorder: Sendable {
  /// Sends a command, and waits for its reply. A refusal is a reply, too.
  ///
  /// - Throws: ``ControlError/Code/connectionClosed`` if no recorder is connected, ``ControlError/Code/timedOut``.
  func send(_ command: RecorderCommand) async throws(ControlError) -> RecorderReply

  /// Updates of the recorder from now on, beginning with its present state. The status is sent again whenever
  /// it has changed; during a take its figures change several times a second.
  func updates() -> AsyncStream<RecorderUpdate>
}

/// News of a recorder in another process.
public enum RecorderUpdate: Sendable, Hashable {
  /// The recorder's present state.
  case status(RecorderStatus)
  /// An event; changes of the status are ``status(_:)``.
  case event(RecorderEvent)
  /// It cannot be reached; why.
  case away(message: String)
}
