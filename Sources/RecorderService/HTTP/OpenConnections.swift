import MediaCore
import NIOCore
import Synchronization

/// Tells a connection's handlers that the server ends, right before it is closed.
struct ServerEnd: Sendable {}

/// Tells a connection's handlers that it has lost its place: its next request is refused, and then it is closed.
struct PlaceLost: Sendable {}

/// The connections of a server.
///
/// Idle connections cannot keep a client with a token out: when the limit is reached, the connection that has
/// been idle longest loses its place. WebSockets, downloads and answers to authorized clients take at most
/// three quarters of the places, so that viewers and downloads never keep a client from stopping a take.
/// Beyond that share an answer is still sent, but its connection may be closed to make room.
///
/// A connection that has lost its place is not closed immediately, but after its next request was read and
/// refused: a request that is already under way would otherwise end in a reset. At most a quarter of the
/// limit wait like that.
final class OpenConnections: Sendable {
  private struct Entry: Sendable {
    var channel: any Channel
    /// Higher for a connection that was opened or made a request later.
    var turn: Int
    /// True while a request is answered, or a WebSocket is served.
    var isBusy = false
    /// True while a WebSocket is served, or a file or an answer is on its way.
    var isStream = false
  }

  /// The decision about a new connection.
  enum Admission: Sendable {
    case served
    /// It gets no place, and its request is to be refused.
    case refused
    /// The server is closed.
    case closed
  }

  private struct State: Sendable {
    /// True once the server is closed, so that a connection that was accepted just before is not served.
    var isClosed = false
    var turn = 0
    var entries: [ObjectIdentifier: Entry] = [:]
    /// Connections without a place, in the order in which they were notified.
    var leaving: [any Channel] = []
    var streamCount: Int { entries.values.count { $0.isStream } }
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// WebSockets and files at most.
  var streamLimit: Int { limit / 4 * 3 }

  /// The answer to a client when all connections are in use.
  var refusal: ServiceError {
    ServiceError(.tooMany, "\(limit) connections are open, which is the limit")
  }

  /// The answer to a request for a stream when all streams are in use.
  var refusalOfStream: ServiceError {
    ServiceError(
      .tooMany, "\(streamLimit) WebSockets and files are being served, which is the limit")
  }

  /// True if no further WebSocket is accepted.
  var isFullOfStreams: Bool { state.withLock { $0.streamCount } >= streamLimit }

  /// Adds a connection. If all places are taken, it gets that of an idle one.
  func add(_ channel: any Channel) -> Admission {
    let key = ObjectIdentifier(channel)
    let (admission, displaced, cut) = state.withLock {
      state -> (Admission, (any Channel)?, (any Channel)?) in
      guard !state.isClosed else { return (.closed, nil, nil) }
      var displaced: (any Channel)?
      if state.entries.count >= limit {
        let idle = state.entries.filter { !$0.value.isBusy }
          .min { $0.value.turn < $1.value.turn }
        guard let idle else { return (.refused, nil, leave(channel, &state)) }
        displaced = state.entries.removeValue(forKey: idle.key)?.channel
      }
      state.turn += 1
      state.entries[key] = Entry(channel: channel, turn: state.turn)
      return (.served, displaced, displaced.flatMap { leave($0, &state) })
    }
    displaced?.pipeline.fireUserInboundEventTriggered(PlaceLost())
    cut?.close(promise: nil)
    guard admission != .closed else { return .closed }
    channel.closeFuture.whenComplete { [self] _ in
      state.withLock { state in
        state.entries[key] = nil
        state.leaving.removeAll { $0 === channel }
      }
    }
    return admission
  }

  /// Notes that a connection has no place.
  ///
  /// - Returns: The connection to close because too many are waiting like that; nil for none.
  private func leave(_ channel: any Channel, _ state: inout State) -> (any Channel)? {
    state.leaving.append(channel)
    return state.leaving.count > max(1, limit / 4) ? state.leaving.removeFirst() : nil
  }

  /// Notes whether a request of a connection is being answered.
  func note(_ channel: any Channel, isBusy: Bool) {
    state.withLock { state in
      state.turn += 1
      state.entries[ObjectIdentifier(channel)]?.turn = state.turn
      state.entries[ObjectIdentifier(channel)]?.isBusy = isBusy
      if !isBusy { state.entries[ObjectIdentifier(channel)]?.isStream = false }
    }
  }

  /// Notes that a connection now serves a WebSocket, a file or an answer; false if the limit of those is
  /// reached, or the connection has no place.
  func beginStream(_ channel: any Channel) -> Bool {
    state.withLock { state in
      guard state.streamCount < streamLimit, state.entries[ObjectIdentifier(channel)] != nil else {
        return false
      }
      state.entries[ObjectIdentifier(channel)]?.isStream = true
      state.entries[ObjectIdentifier(channel)]?.isBusy = true
      return true
    }
  }

  /// Closes all connections, and refuses new ones.
  func closeAll() {
    let channels = state.withLock { state in
      state.isClosed = true
      return state.entries.values.map(\.channel) + state.leaving
    }
    for channel in channels {
      channel.pipeline.fireUserInboundEventTriggered(ServerEnd())
      channel.close(promise: nil)
    }
  }
}
