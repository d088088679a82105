import MediaCore
import Synchronization

/// A connection to a recorder that is made anew whenever it ends, for any number of readers.
///
/// ```swift
/// let link = RecorderLink(path: "/run/user/1000/camera-a.socket")
/// async let running: Void = link.run()
/// for await update in link.updates() { print(update) }
/// ```
public final class RecorderLink: RemoteRecorder {
  private struct State {
    var client: ControlClient?
    /// The order of the statuses that the client has received.
    var order = StatusOrder()
    var known: RecorderUpdate
    /// Readers that have gone are removed with the next update. `yield` and the handler of a stream's end
    /// take the same lock of the stream, so that handler must not take a lock that is held here.
    var readers: [AsyncStream<RecorderUpdate>.Continuation] = []

    /// Passes on an update. Called under the lock, so that all readers get updates in the same order.
    mutating func tell(_ update: RecorderUpdate) {
      if case .event = update {
      } else {
        guard known != update else { return }
        known = update
      }
      readers.removeAll { reader in
        if case .terminated = reader.yield(update) { true } else { false }
      }
    }
  }

  /// The recorder's socket.
  public let path: String
  /// The time between two queries of the status.
  private let interval: Duration
  private let state: Mutex<State>

  /// Updates of a reader that wait at most; the oldest go first.
  private static let waitingLimit = 256
  /// The time from one attempt to connect to the next.
  private static let pause: Duration = .milliseconds(500)

  /// Prepares a connection; ``run()`` makes it.
  ///
  /// - Parameters:
  ///   - path: The recorder's socket.
  ///   - interval: The time between two queries of the figures. The recorder measures them ten times a second.
  public init(path: String, interval: Duration = .milliseconds(200)) {
    self.path = path
    self.interval = interval
    state = Mutex(State(known: .away(message: "no recorder has been asked yet")))
  }

  /// Connects, and connects again after each end, until the task is cancelled.
  public func run() async {
    while !Task.isCancelled {
      do throws(ControlError) {
        try await serve()
      } catch {
        tell(.away(message: error.message))
      }
      try? await Task.sleep(for: Self.pause)
    }
    let readers = state.withLock { state in
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.finish() }
  }

  /// Sends a command over the present connection, and waits for its reply.
  ///
  /// - Throws: ``ControlError/Code/connectionClosed`` if there is no connection; otherwise as
  ///   ``ControlClient/send(_:)``.
  public func send(_ command: RecorderCommand) async throws(ControlError) -> RecorderReply {
    let (client, known) = state.withLock { ($0.client, $0.known) }
    guard let client else {
      var why = "no recorder at \(path)"
      if case .away(let message) = known { why = message }
      throw ControlError(.connectionClosed, why)
    }
    let reply = try await client.send(command)
    // Whoever gave the command need not wait for the next query.
    if let status = reply.status { tell(status, from: client) }
    return reply
  }

  public func updates() -> AsyncStream<RecorderUpdate> {
    let (stream, reader) = AsyncStream<RecorderUpdate>.makeStream(
      bufferingPolicy: .bufferingNewest(Self.waitingLimit))
    state.withLock { state in
      reader.yield(state.known)
      state.readers.append(reader)
    }
    return stream
  }

  /// Serves one connection to its end.
  private func serve() async throws(ControlError) {
    let client = try ControlClient(path: path, within: 0)
    defer {
      client.close()
      state.withLock { $0.client = nil }
    }
    // Covers the first command, too, so that a recorder that hangs does not delay cancellation.
    let failure = await withTaskCancellationHandler {
      await follow(client)
    } onCancel: {
      client.close()
    }
    throw failure ?? ControlError(.connectionClosed, "the recorder at \(path) is gone")
  }

  /// Passes on what the recorder reports, until the connection ends.
  ///
  /// - Returns: Why the recorder reported nothing; nil if it did.
  private func follow(_ client: ControlClient) async -> ControlError? {
    do throws(ControlError) {
      let reply = try await client.send(.events(true))
      state.withLock { ($0.client, $0.order) = (client, StatusOrder()) }
      if let status = reply.status { tell(status, from: client) }
    } catch { return error }
    await withTaskGroup { group in
      group.addTask { [self] in
        for await event in client.events { tell(event, from: client) }
      }
      group.addTask { [self] in
        while !Task.isCancelled, let reply = try? await client.send(.status) {
          if let status = reply.status { tell(status, from: client) }
          try? await Task.sleep(for: interval)
        }
      }
      await group.next()
      client.close()
      group.cancelAll()
    }
    return nil
  }

  private func tell(_ event: RecorderEvent, from client: ControlClient) {
    if let status = event.status { tell(status, from: client) }
    if event.event != .state { tell(.event(event)) }
  }

  /// Passes on a status, unless a later one was passed on before, or another connection has been made.
  private func tell(_ status: RecorderStatus, from client: ControlClient) {
    state.withLock { state in
      guard state.client === client, let status = state.order.take(status) else { return }
      state.tell(.status(status))
    }
  }

  func tell(_ update: RecorderUpdate) { state.withLock { $0.tell(update) } }
}
