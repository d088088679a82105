import MediaCore
import RecorderControl

/// The WebSocket `/api/v1/events`: what becomes of all channels.
struct EventStream: Sendable {
  let gateway: Gateway

  /// A message.
  private struct Message: Encodable {
    var channel: String
    /// `channel` for a status, `removed` for a channel that is no more, `take` for what becomes of a
    /// completed take, else the name of the recorder's event.
    var event: String
    var status: ChannelStatus?
    var detail: RecorderEvent?
    var take: TakeRecord.Document?
  }

  /// Serves until the client is gone.
  func serve(_ connection: WebSocketConnection) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await tell(connection) }
      // Nothing is expected from the client; the stream ends with it.
      for await _ in connection.texts {}
      group.cancelAll()
    }
  }

  private func tell(_ connection: WebSocketConnection) async {
    await withTaskGroup(of: Void.self) { group in
      for await change in gateway.channelChanges {
        switch change {
        case .removed(let name): connection.send(text: Message(channel: name, event: "removed"))
        case .added(let channel):
          group.addTask {
            for await update in channel.updates {
              connection.send(text: Self.message(update, of: channel))
            }
          }
          group.addTask {
            for await record in channel.shelf.updates {
              let take = TakeRecord.Document(record: record)
              connection.send(text: Message(channel: channel.name, event: "take", take: take))
            }
          }
        }
      }
      group.cancelAll()
    }
  }

  private static func message(_ update: ChannelUpdate, of channel: RecorderChannel) -> Message {
    switch update {
    case .status(let status):
      Message(channel: channel.name, event: "channel", status: status.withoutFolders)
    case .event(let event):
      Message(
        channel: channel.name, event: event.event.rawValue, detail: event.withoutFolders)
    }
  }
}
