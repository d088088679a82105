/// A recorder that messages steer.
public protocol SteeredRecorder: AnyObject, Sendable {
  /// Where it stands.
  var status: RecorderStatus { get }

  /// Does what a command says, and then replies, on any thread. Returns at once.
  ///
  /// The server itself sees to `RecorderCommand.events(_:)`, `RecorderCommand.monitor(_:)` and
  /// `RecorderCommand.acknowledge(_:)`.
  func perform(_ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void)

  /// Sets the observer of events from now on; nil for none. It must return at once.
  func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?)
}
