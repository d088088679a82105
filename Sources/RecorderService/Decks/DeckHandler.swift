import HyperDeck
import Logging
import MediaCore
import RecorderControl

/// Answers requests below `/control/api/v1` as Blackmagic's decks do.
///
/// Clients of decks know no tokens: those of the allowed networks need none, all others need one of the
/// gateway's. Requests of browsers from pages of other sites are refused from everywhere.
struct DeckHandler: HTTPHandler {
  private static let base = "/control/api/v1"
  private static let events = base + "/event/websocket"

  let deck: WatchedDeck
  /// The channel's name, for the log.
  let name: String
  /// The networks whose clients need no token.
  let allowed: [NetworkRange]
  /// The tokens and names that count now.
  let policy: @Sendable () -> AccessPolicy
  /// The open streams, which are closed when their token is removed.
  let streams: StreamRegistry
  let logger: Logger

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    do throws(ServiceError) {
      var response = try await answer(request)
      // Only authorized clients get this far.
      response.isForClient = true
      return response
    } catch {
      return HTTPResponse(error)
    }
  }

  private func answer(_ request: HTTPRequest) async throws(ServiceError) -> HTTPResponse {
    let policy = policy()
    let client = try client(of: request, atLeast: request.isReading ? .view : .operate, policy)
    guard request.path.hasPrefix(Self.base + "/") else {
      throw ServiceError(.notFound, "nothing at this address; see \(Self.base)")
    }
    let answer = HyperDeckREST.answer(
      request.method, String(request.path.dropFirst(Self.base.count)), body: request.body,
      deck: deck.present, deck.identity, uptime: deck.uptime)
    switch answer {
    case .respond(let response): return HTTPResponse(response)
    case .perform(let order):
      try policy.checkRate(client)
      let metadata: Logger.Metadata = ["client": "rest \(client.address)"]
      if let note = Self.note(on: request) { logger.info("\(name): \(note)", metadata: metadata) }
      let outcome = await deck.perform(order)
      logger.info(
        "\(order.word) on \(name): \(outcome.text)", metadata: metadata)
      return HTTPResponse(HyperDeckREST.response(to: outcome, of: order))
    }
  }

  /// A line about ignored keys of an order; nil for none. Clients of decks send keys that only some of
  /// Blackmagic's devices know, and the other devices ignore them, so they are not an error.
  static func note(on request: HTTPRequest) -> String? {
    let known: [String]
    switch (request.method, request.path) {
    case ("PUT", base + "/transports/0/record"): known = ["recording", "clipName"]
    case ("POST", base + "/transports/0/record"): known = ["clipName"]
    default: known = []
    }
    guard let fault = BodyKeys(request.body)?.fault(except: known, of: request.path) else {
      return nil
    }
    return "ignored: \(fault)"
  }

  func stream(for request: HTTPRequest) -> (@Sendable (WebSocketConnection) async -> Void)? {
    guard request.method == "GET", request.path == Self.events,
      let client = try? client(of: request, atLeast: .view, policy())
    else { return nil }
    return { [self] in
      await streams.serve(
        $0, client: client.name, channel: name,
        isAllowed: { (try? self.client(of: request, atLeast: .view, policy())) == client }
      ) {
        await DeckEventClient(of: deck, on: $0).serve(deck)
      }
    }
  }

  private func client(
    of request: HTTPRequest, atLeast role: ServiceConfiguration.Role, _ policy: AccessPolicy
  ) throws(ServiceError) -> AccessPolicy.Client {
    try policy.checkHost(request)
    try policy.checkOrigin(request)
    let address = request.remoteAddress
    guard !allowed.contains(where: { $0.contains(address) }) else {
      return AccessPolicy.Client(role: .operate, name: "rest", address: address)
    }
    return try policy.client(of: request, atLeast: role)
  }
}

extension DeckOrder {
  /// An order without its values, for the log.
  var word: String { String("\(self)".prefix { $0 != "(" }) }
}

extension DeckOutcome {
  /// For the log.
  var text: String { if case .refused(let error) = self { error.message } else { "done" } }
}

extension HTTPResponse {
  init(_ response: HyperDeckREST.Response) {
    self.init(status: response.status, type: "application/json", response.body ?? [])
  }
}
