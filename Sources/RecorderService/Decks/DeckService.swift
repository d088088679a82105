import HyperDeck
import Logging
import MediaCore
import RecorderControl

/// The REST API of Blackmagic's decks for a channel's recorder, at its own address.
struct DeckService: Sendable {
  let address: ServiceConfiguration.Address
  let deck: WatchedDeck
  let handler: DeckHandler

  /// Serves until the task is cancelled.
  ///
  /// - Throws: ``ServiceError/Code/cannotListen``.
  func run() async throws(ServiceError) {
    let server = try await HTTPServer(
      address: address, key: "rest", certificate: nil, handler: handler, logger: handler.logger)
    handler.logger.info(
      "\(handler.name): the REST shape of decks listens at \(address.host):\(server.port)")
    await deck.run()
    await server.close()
  }
}
