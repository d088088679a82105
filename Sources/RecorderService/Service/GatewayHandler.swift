import Logging
import MediaCore

/// Answers requests, and takes over WebSockets.
struct GatewayHandler: HTTPHandler {
  let gateway: Gateway
  private let routes: [Route]

  init(gateway: Gateway) {
    self.gateway = gateway
    routes = Self.routes(of: gateway)
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    do throws(ServiceError) {
      try gateway.policy.checkHost(request)
      try gateway.policy.checkOrigin(request)
      return try await answer(request)
    } catch {
      return HTTPResponse(error)
    }
  }

  private func answer(_ request: HTTPRequest) async throws(ServiceError) -> HTTPResponse {
    let parts = request.pathParts
    let there = routes.compactMap { route in route.match(parts).map { (route, $0) } }
    let method = request.isReading ? "GET" : request.method
    guard let (route, parameters) = there.first(where: { $0.0.method == method }) else {
      guard there.isEmpty else {
        var refusal = HTTPResponse(
          ServiceError(.invalidRequest, "\(request.method) is not supported at this address"))
        refusal.status = 405
        var methods: [String] = []
        for (route, _) in there where !methods.contains(route.method) {
          methods += route.method == "GET" ? ["GET", "HEAD"] : [route.method]
        }
        refusal.headers.append(("Allow", methods.joined(separator: ", ")))
        return refusal
      }
      throw try refusal(ofStream: request)
    }
    var client: AccessPolicy.Client?
    if route.access != .open {
      client = try gateway.policy.client(
        of: request, atLeast: route.access == .operate ? .operate : .view)
    }
    if route.access == .operate, let client { try gateway.policy.checkRate(client) }
    if !request.body.isEmpty {
      let type = request.headers.first("content-type")?.prefix { $0 != ";" }.lowercased()
      guard type == "application/json" else {
        throw ServiceError(.invalidRequest, "a body must have the Content-Type application/json")
      }
      try Self.checkKeys(request.body, of: route)
    }
    var response = try await route.answer(
      Route.Call(request: request, client: client, parameters: parameters))
    response.isForClient = client != nil
    return response
  }

  // MARK: WebSockets

  /// The paths of WebSockets, and what they send.
  static let streams: [(path: String, kind: StreamKind)] = [
    ("/api/v1/events", .events), ("/api/v1/channels/{channel}/monitor", .monitor),
  ]

  /// Why a request is not served by a WebSocket. Clients without access get the usual errors.
  ///
  /// - Throws: As `AccessPolicy.client(of:atLeast:)`.
  private func refusal(ofStream request: HTTPRequest) throws(ServiceError) -> ServiceError {
    let nothing = ServiceError(.notFound, "there is nothing at this address")
    let parts = request.pathParts
    let stream = Self.streams.lazy.compactMap { path, _ in
      Route("GET", path, .view) { _ in .done }.match(parts)
    }.first
    guard let stream, request.isReading else { return nothing }
    _ = try gateway.policy.client(of: request, atLeast: .view)
    if let name = stream["channel"], gateway.channel(named: name) == nil {
      return Self.noChannel(gateway)
    }
    return ServiceError(
      .invalidRequest,
      "this address is a WebSocket; a client whose token is in a cookie must also send an Origin")
  }

  enum StreamKind: Sendable {
    case events
    case monitor
  }

  func stream(for request: HTTPRequest) -> (@Sendable (WebSocketConnection) async -> Void)? {
    guard request.method == "GET", (try? gateway.policy.checkHost(request)) != nil,
      // Browsers send the origin with every WebSocket request; other clients send their token in a header.
      request.headers.first("origin") != nil || request.headers.first("authorization") != nil,
      (try? gateway.policy.checkOrigin(request)) != nil,
      let client = try? gateway.policy.client(of: request, atLeast: .view)
    else { return nil }
    let isClient: @Sendable () -> Bool = { [gateway] in
      (try? gateway.policy.client(of: request, atLeast: .view)) == client
    }
    let parts = request.pathParts
    for (path, kind) in Self.streams {
      let pattern = Route("GET", path, .view) { _ in .done }
      guard let parameters = pattern.match(parts) else { continue }
      switch kind {
      case .events:
        return { [gateway] connection in
          await gateway.streams.serve(
            connection, client: client.name, channel: nil, isAllowed: isClient
          ) {
            await EventStream(gateway: gateway).serve($0)
          }
        }
      case .monitor:
        guard let channel = gateway.channel(named: parameters["channel"] ?? "") else { return nil }
        return { [gateway] connection in
          await gateway.streams.serve(
            connection, client: client.name, channel: channel.name,
            isAllowed: { isClient() && gateway.channel(named: channel.name) === channel }
          ) {
            await MonitorStream(channel: channel).serve($0)
          }
        }
      }
    }
    return nil
  }
}
