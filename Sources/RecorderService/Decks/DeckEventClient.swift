import HyperDeck

/// A client of a deck's event WebSocket. It subscribes to properties, and is sent their changes.
actor DeckEventClient {
  private var session: DeckEventSession
  private let connection: WebSocketConnection

  init(of deck: WatchedDeck, on connection: WebSocketConnection) {
    session = DeckEventSession(deck.identity, deck: deck.present)
    self.connection = connection
  }

  /// Serves until the client is gone.
  func serve(_ deck: WatchedDeck) async {
    connection.send(line: session.open())
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await state in deck.follow() { await self.tell(state) } }
      for await text in connection.texts { answer(text) }
      group.cancelAll()
    }
  }

  private func answer(_ text: String) {
    connection.send(line: session.receive(Array(text.utf8)))
  }

  private func tell(_ state: DeckState) {
    for line in session.update(state) { connection.send(line: line) }
  }
}
