/// A recorder of another process, as servers of other protocols see and steer it.
public protocol RemoteRecorder: Sendable {
  /// Sends a command, and waits for its reply. A refusal is a reply, too.
  ///
  /// - Throws: ``ControlError/Code/connectionClosed`` where no recorder is there,
  ///   ``ControlError/Code/timedOut``.
  func send(_ command: RecorderCommand) async throws(ControlError) -> RecorderReply

  /// Tells of the recorder from now on, beginning with where it stands. The status comes again whenever
  /// it has changed, its figures some times a second during a take.
  func updates() -> AsyncStream<RecorderUpdate>
}

/// What became known of a recorder of another process.
public enum RecorderUpdate: Sendable, Hashable {
  /// Where it stands.
  case status(RecorderStatus)
  /// What happened there; the status comes apart.
  case event(RecorderEvent)
  /// It cannot be reached; why.
  case away(message: String)
}
