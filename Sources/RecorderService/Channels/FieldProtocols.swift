import HyperDeck
import Logging
import MediaCore
import OSC
import RecorderControl

/// Servers of other protocols for a channel's recorder: the HyperDeck Ethernet Protocol, the REST API of
/// decks, and Open Sound Control, each at its own address.
///
/// Each connects to the recorder's socket like any other client. Their own clients send no tokens, so access
/// is granted by network address.
struct FieldProtocols: Sendable {
  /// Seconds until a failed server is started again.
  private static let patience = 5.0

  private let channel: ServiceConfiguration.Channel
  private let title: ChannelTitle
  private let socketPath: String
  private let allowed: [NetworkRange]
  private let policy: @Sendable () -> AccessPolicy
  private let streams: StreamRegistry
  private let logger: Logger

  /// - Returns: nil if the channel has no such protocol.
  init?(
    of channel: ServiceConfiguration.Channel, title: ChannelTitle, socketPath: String,
    allowed: [NetworkRange], policy: @escaping @Sendable () -> AccessPolicy,
    streams: StreamRegistry, logger: Logger
  ) {
    guard !channel.protocolAddresses.isEmpty else { return nil }
    self.policy = policy
    self.streams = streams
    (self.channel, self.title) = (channel, title)
    self.socketPath = socketPath
    self.allowed = allowed
    self.logger = logger
  }

  /// Serves until the task is cancelled. A server that fails is logged, and started again.
  func run() async {
    let link = RecorderLink(path: socketPath)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await link.run() }
      if let address = channel.hyperDeckAddress {
        let server = hyperDeck(at: address, link)
        group.addTask {
          await keepTrying { () throws(HyperDeckError) in try await server.run() }
        }
        group.addTask { for await name in title.follow() { await server.rename(name) } }
      }
      if let address = channel.oscAddress {
        let server = osc(at: address, link)
        group.addTask { await keepTrying { () throws(OSCError) in try await server.run() } }
      }
      if let address = channel.restAddress {
        let service = rest(at: address, link)
        group.addTask { for await name in title.follow() { service.deck.rename(name) } }
        group.addTask { await keepTrying { () throws(ServiceError) in try await service.run() } }
      }
      await group.waitForAll()
    }
  }

  private func keepTrying<Failure: CodedError>(
    _ serve: @Sendable () async throws(Failure) -> Void
  ) async {
    while !Task.isCancelled {
      do throws(Failure) { try await serve() } catch {
        logger.error("\(channel.name): \(error.message); trying again in \(Int(Self.patience)) s")
      }
      try? await Task.sleep(for: .seconds(Self.patience))
    }
  }

  private var identity: DeckIdentity {
    var identity = DeckIdentity(name: title.present, softwareVersion: PackageVersion.current)
    // The folder's name, as takes will report it. A volume that changed its name with the first take would
    // look like another one.
    if let name = channel.folderName { identity.volumeName = name }
    return identity
  }

  private func rest(
    at address: ServiceConfiguration.Address, _ link: RecorderLink
  ) -> DeckService {
    let deck = WatchedDeck(identity, recorder: link)
    return DeckService(
      address: address, deck: deck,
      handler: DeckHandler(
        deck: deck, name: channel.name, allowed: allowed, policy: policy, streams: streams,
        logger: logger))
  }

  private func hyperDeck(
    at address: ServiceConfiguration.Address, _ link: RecorderLink
  ) -> HyperDeckServer {
    HyperDeckServer(
      recorder: link,
      configuration: .init(
        host: address.host, port: address.port, allowed: allowed, identity: identity)
    ) { [logger, name = channel.name] notice in
      switch notice {
      case .listening(let host, let port):
        logger.info("\(name): the HyperDeck protocol listens at \(host):\(port)")
      case .connected(let peer): logger.info("\(name): HyperDeck client \(peer) has connected")
      case .refused(let peer, let reason):
        logger.warning("\(name): HyperDeck client \(peer) is refused: \(reason)")
      case .disconnected(let peer, let reason):
        logger.info("\(name): HyperDeck client \(peer) has disconnected: \(reason)")
      case .ordered(let peer, let order, let outcome):
        logger.info(
          "\(order.word) on \(name): \(outcome.text)",
          metadata: ["client": "hyperdeck \(peer)"])
      }
    }
  }

  private func osc(at address: ServiceConfiguration.Address, _ link: RecorderLink) -> OSCServer {
    OSCServer(
      recorder: link,
      configuration: .init(host: address.host, port: address.port, allowed: allowed)
    ) { [logger, name = channel.name] notice in
      switch notice {
      case .listening(let host, let port):
        logger.info("\(name): OSC listens at \(host):\(port)")
      case .unserved(let host, let reason):
        logger.warning("\(name): OSC client \(host) is refused: \(reason)")
      case .ordered(let peer, let command, let refusal):
        logger.info(
          "\(Self.word(command)) on \(name): \(refusal?.message ?? "done")",
          metadata: ["client": "osc \(peer)"])
      }
    }
  }

  /// An order without its values.
  private static func word(_ order: some Any) -> String { String("\(order)".prefix { $0 != "(" }) }
}
