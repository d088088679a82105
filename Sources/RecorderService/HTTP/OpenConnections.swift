import MediaCore
import NIOCore
import Synchronization

/// Tells a connection's handlers that the server ends, right before it is closed.
struct ServerEnd: Sendable {}

/// The connections of a server.
///
/// Idle connections keep no client with a token out: when the limit is reached, the connection that has been idle
/// longest is closed. WebSockets, downloads and answers to authorized clients take at most three quarters of the
/// places, so that viewers and downloads never keep a client from stopping a take. Beyond that share an answer is
/// still sent, but its connection may be closed to make room.
final class OpenConnections: Sendable {
  private struct Entry: Sendable {
    var channel: any Channel
    /// The larger, the later it asked something, or came.
    var turn: Int
    /// True while a request is answered, or a WebSocket is served.
    var isBusy = false
    /// True while a WebSocket is served, or a file or an answer is on its way.
    var isStream = false
  }

  private struct State: Sendable {
    /// True once the server is closed: who was accepted just before comes in no more.
    var isClosed = false
    var turn = 0
    var entries: [ObjectIdentifier: Entry] = [:]
    var streamCount: Int { entries.values.count { $0.isStream } }
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// WebSockets and files at most.
  var streamLimit: Int { limit / 4 * 3 }

  /// What who is one too many is told.
  var refusalOfStream: ServiceError {
    ServiceError(
      .tooMany, "\(streamLimit) WebSockets and files are being served, as many as may be")
  }

  /// True where no WebSocket is let in any more.
  var isFullOfStreams: Bool { state.withLock { $0.streamCount } >= streamLimit }

  /// Takes a connection in, be it in the place of one that asks nothing; false where there is none such, and once
  /// all are closed.
  func add(_ channel: any Channel) -> Bool {
    let key = ObjectIdentifier(channel)
    let (isAdded, gone) = state.withLock { state -> (Bool, (any Channel)?) in
      guard !state.isClosed else { return (false, nil) }
      var gone: (any Channel)?
      if state.entries.count >= limit {
        let idle = state.entries.filter { !$0.value.isBusy }
          .min { $0.value.turn < $1.value.turn }
        guard let idle else { return (false, nil) }
        gone = state.entries.removeValue(forKey: idle.key)?.channel
      }
      state.turn += 1
      state.entries[key] = Entry(channel: channel, turn: state.turn)
      return (true, gone)
    }
    gone?.close(promise: nil)
    if isAdded {
      channel.closeFuture.whenComplete { [self] _ in
        state.withLock { _ = $0.entries.removeValue(forKey: key) }
      }
    }
    return isAdded
  }

  /// A request of a connection is being answered, or is no more.
  func note(_ channel: any Channel, isBusy: Bool) {
    state.withLock { state in
      state.turn += 1
      state.entries[ObjectIdentifier(channel)]?.turn = state.turn
      state.entries[ObjectIdentifier(channel)]?.isBusy = isBusy
      if !isBusy { state.entries[ObjectIdentifier(channel)]?.isStream = false }
    }
  }

  /// A connection serves a WebSocket from now on, a file or an answer; false where there are as many as may be.
  func beginStream(_ channel: any Channel) -> Bool {
    state.withLock { state in
      guard state.streamCount < streamLimit else { return false }
      state.entries[ObjectIdentifier(channel)]?.isStream = true
      state.entries[ObjectIdentifier(channel)]?.isBusy = true
      return true
    }
  }

  /// Closes all, and lets nobody in from then on.
  func closeAll() {
    let channels = state.withLock { state in
      state.isClosed = true
      return state.entries.values.map(\.channel)
    }
    for channel in channels {
      channel.pipeline.fireUserInboundEventTriggered(ServerEnd())
      channel.close(promise: nil)
    }
  }
}
