/// A recorder that messages steer.
public protocol SteeredRecorder: AnyObject, Sendable {
  /// The present status.
  var status: RecorderStatus { get }

  /// Carries out a command, and then replies, on any thread. Returns immediately.
  ///
  /// The server itself handles `RecorderCommand.events(_:)`, `RecorderCommand.monitor(_:)` and
  /// `RecorderCommand.acknowledge(_:)`.
  func perform(_ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void)

  /// Sets the function that is called with events from now on; nil for none. It must return immediately.
  func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?)
}
