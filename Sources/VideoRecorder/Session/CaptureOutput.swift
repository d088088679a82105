import CaptureDevices
public import MediaCore
import Synchronization

/// A consumer of a session's samples, as `AVCaptureOutput` is. Outputs of a program's own derive from it.
///
/// The session calls an output from the threads of its streams and from its control queue; an
/// output must return quickly from each call, and must not call the session from within one.
///
/// Unchecked: what the class itself keeps is constant; a class that derives from it guards its own.
open class CaptureOutput: @unchecked Sendable {
  /// The output's connections: one object for the output's whole life, which the session fills.
  public let connectionList: CaptureConnectionList

  /// An output that accepts no media.
  public init() { connectionList = CaptureConnectionList() }

  /// An output in front of another one, whose connections are its own.
  package init(connectionList: CaptureConnectionList) { self.connectionList = connectionList }

  /// How many connections of a type of media the output takes; 0 for none, as here.
  open func connectionLimit(for mediaType: MediaType) -> Int { 0 }

  /// Receives an event of a stream, on the stream's own thread: samples of the connection's media type, and
  /// every other kind of event. Does nothing unless overridden.
  open func receive(_ event: CaptureEvent, from connection: CaptureConnection) {}

  /// Called when connections or their formats have changed. Does nothing unless overridden.
  open func connectionsDidChange() {}

  /// Called when the session has stopped; no samples arrive until it starts again. Does nothing unless overridden.
  open func sessionDidStop() {}

  public final var connections: [CaptureConnection] { connectionList.all }

  /// The first connection that carries a type of media.
  public final func connection(with mediaType: MediaType) -> CaptureConnection? {
    connections.first { $0.mediaType == mediaType }
  }
}

extension CaptureOutput: Hashable {
  /// True for the same object.
  public static func == (lhs: CaptureOutput, rhs: CaptureOutput) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The connections of one output.
public final class CaptureConnectionList: Sendable {
  private let state = Mutex(State())
  /// Why no session takes the output; nil if one does.
  let refusal: CaptureError?

  private struct State: Sendable {
    var connections: [CaptureConnection] = []
    var owner: ObjectIdentifier?
  }

  /// No connections yet.
  public init() { refusal = nil }

  /// The connections of an output that no session accepts.
  package init(refusal: CaptureError) { self.refusal = refusal }

  /// The connections, in the order in which they were made.
  public var all: [CaptureConnection] { state.withLock { $0.connections } }

  /// The session that has the output; nil while none has.
  package var owner: ObjectIdentifier? { state.withLock { $0.owner } }

  func set(_ connections: [CaptureConnection]) { state.withLock { $0.connections = connections } }

  /// Claims the output for a session; false if it belongs to another one.
  func claim(for session: ObjectIdentifier) -> Bool {
    state.withLock { state in
      guard state.owner == nil || state.owner == session else { return false }
      state.owner = session
      return true
    }
  }

  func release() {
    state.withLock {
      $0.owner = nil
      $0.connections = []
    }
  }

  func isFree(for session: ObjectIdentifier) -> Bool {
    state.withLock { $0.owner == nil || $0.owner == session }
  }
}
