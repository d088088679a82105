import MediaCore
import RecorderControl
import Synchronization

/// The WebSocket `/api/v1/events` with the news of all channels.
struct EventStream: Sendable {
  let gateway: Gateway

  /// Serves until the client is gone.
  func serve(_ connection: WebSocketConnection) async {
    let outbox = Outbox(connection)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await Self.follow(gateway.channelChanges) { outbox.add($0) } }
      group.addTask { await outbox.run() }
      group.addTask { await connection.beat() }
      // No messages are expected from the client; their end is the client's.
      for await _ in connection.texts {}
      group.cancelAll()
    }
  }

  /// Follows all channels, including those that are added later, until the changes end, or the task is cancelled.
  ///
  /// - Parameter add: Called with messages. The last one of a removed channel is `removed`, because a page
  ///   would show the channel again after any later one.
  static func follow(
    _ changes: AsyncStream<Gateway.ChannelChange>,
    add: @escaping @Sendable (EventMessage) -> Void
  ) async {
    var known: [String: (channel: RecorderChannel, task: Task<Void, Never>)] = [:]
    for await change in changes {
      switch change {
      case .removed(let channel):
        // Another channel of the same name may have been added first.
        guard known[channel.name]?.channel === channel else { continue }
        await end(known.removeValue(forKey: channel.name)?.task)
        add(EventMessage(channel: channel.name, event: "removed"))
      case .added(let channel):
        await end(known[channel.name]?.task)
        known[channel.name] = (channel, Task { await follow(channel, add: add) })
      }
    }
    for (_, task) in known.values { task.cancel() }
  }

  private static func end(_ task: Task<Void, Never>?) async {
    task?.cancel()
    await task?.value
  }

  private static func follow(
    _ channel: RecorderChannel, add: @escaping @Sendable (EventMessage) -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await update in channel.updates { add(message(update, of: channel)) } }
      group.addTask {
        for await record in channel.shelf.updates {
          let take = TakeRecord.Document(record: record)
          add(EventMessage(channel: channel.name, event: "take", take: take))
        }
      }
    }
  }

  private static func message(
    _ update: ChannelUpdate, of channel: RecorderChannel
  ) -> EventMessage {
    switch update {
    case .status(let status):
      EventMessage(channel: channel.name, event: "channel", status: status.withoutFolders)
    case .event(let event):
      EventMessage(
        channel: channel.name, event: event.event.rawValue, detail: event.withoutFolders)
    }
  }

  /// Messages for a client, sent one after the other: the next one is sent once the one before has been written.
  private final class Outbox: Sendable {
    private let connection: WebSocketConnection
    private let queue = Mutex(EventQueue())
    /// Tells that something waits.
    private let news: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation

    init(_ connection: WebSocketConnection) {
      self.connection = connection
      (news, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ message: EventMessage) {
      guard queue.withLock({ $0.add(message) }) else { return connection.close() }
      tell.yield()
    }

    /// Sends until the task is cancelled.
    func run() async {
      for await _ in news {
        while let message = queue.withLock({ $0.next() }) {
          connection.send(text: message)
          await connection.drained()
        }
      }
    }
  }
}
