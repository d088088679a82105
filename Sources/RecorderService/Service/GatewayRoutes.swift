import FoundationEssentials
import Logging
import MediaCore
import RecorderControl
import Takes

extension GatewayHandler {
  /// All that is answered, WebSockets apart.
  static func routes(of gateway: Gateway) -> [Route] {
    pageRoutes + sessionRoutes(gateway) + readingRoutes(gateway) + takeRoutes(gateway)
      + steeringRoutes(gateway)
  }

  // MARK: The page

  private static let pageTypes = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "json": "application/json",
  ]

  private static var pageRoutes: [Route] {
    PageFiles.texts.keys.sorted().map { name in
      let type = pageTypes[String(name.split(separator: ".").last ?? "")] ?? "text/plain"
      let path =
        switch name {
        case "index.html": "/"
        case "openapi.json": "/api/v1/openapi.json"
        default: "/" + name
        }
      let text = Array((PageFiles.texts[name] ?? "").utf8)
      return Route("GET", path, .open) { _ in HTTPResponse(type: type, text) }
    }
  }

  // MARK: Clients

  private struct Session: Encodable {
    var role: ServiceConfiguration.Role
    var name: String
    var version: String
  }

  private static func sessionRoutes(_ gateway: Gateway) -> [Route] {
    struct Exchange: Decodable { var token: String }
    @Sendable func session(_ client: AccessPolicy.Client) -> HTTPResponse {
      .json(Session(role: client.role, name: client.name, version: PackageVersion.current))
    }
    return [
      Route("GET", "/api/v1/session", .view) { call throws(ServiceError) in
        session(try required(call.client))
      },
      Route("POST", "/api/v1/session", .open, keys: ["token"]) { call throws(ServiceError) in
        let exchange: Exchange = try body(call)
        let client = try gateway.policy.client(
          withSecret: exchange.token, at: call.request.remoteAddress)
        var response = session(client)
        response.headers.append(
          (
            "Set-Cookie",
            gateway.policy.cookieHeader(exchange.token, for: call.request)
          ))
        gateway.log(client, "let in")
        return response
      },
      Route("DELETE", "/api/v1/session", .view) { call throws(ServiceError) in
        var response = HTTPResponse.done
        response.headers.append(
          ("Set-Cookie", gateway.policy.cookieHeader(nil, for: call.request)))
        return response
      },
    ]
  }

  // MARK: Looking

  private static func readingRoutes(_ gateway: Gateway) -> [Route] {
    struct Channels: Encodable { var channels: [ChannelStatus] }
    struct Presets: Encodable { var presets: [Preset] }
    struct Preset: Encodable {
      var name: String
      var summary: String
    }
    @Sendable func presets() -> Presets {
      Presets(
        presets: gateway.presets.filter { $0.error == nil }
          .map { Preset(name: $0.name, summary: $0.summary) })
    }
    return [
      Route("GET", "/api/v1/channels", .view) { _ in
        .json(Channels(channels: gateway.channels.map(\.status.withoutFolders)))
      },
      Route("GET", "/api/v1/channels/{channel}", .view) { call throws(ServiceError) in
        .json(try channel(call, gateway).status.withoutFolders)
      },
      Route("GET", "/api/v1/channels/{channel}/snapshot.jpg", .view) {
        call throws(ServiceError) in
        let channel = try channel(call, gateway)
        guard let jpeg = await channel.frames.snapshot() else {
          throw ServiceError(.notConnected, "no frames arrive from channel \(channel.name)")
        }
        return HTTPResponse(type: "image/jpeg", jpeg)
      },
      Route("GET", "/api/v1/presets", .view) { _ in .json(presets()) },
      Route("GET", "/metrics", .view) { _ in
        HTTPResponse(
          type: "text/plain; version=0.0.4; charset=utf-8",
          Array(await Metrics.text(of: gateway).utf8))
      },
    ]
  }

  // MARK: Steering

  private static func steeringRoutes(_ gateway: Gateway) -> [Route] {
    Action.allCases.flatMap { action in
      [
        Route(
          "POST", "/api/v1/channels/{channel}/\(action.rawValue)", .operate, keys: action.keys
        ) { call throws(ServiceError) in
          let order = try Order(action, call)
          let channel = try channel(call, gateway)
          let outcome = await order.outcome(on: channel)
          gateway.log(try required(call.client), order, channel, outcome)
          switch outcome {
          case .success(let reply):
            return .json(reply.document, status: reply.isDone ? 200 : 409)
          case .failure(let error): throw error
          }
        },
        Route(
          "POST", "/api/v1/\(action.rawValue)", .operate, keys: action.keysForAll
        ) { call throws(ServiceError) in
          let order = try Order(action, call)
          let client = try required(call.client)
          return .json(await order.onAll(of: gateway, for: client), status: 200)
        },
      ]
    }
  }

  // MARK: Parts

  static func required(
    _ client: AccessPolicy.Client?
  ) throws(ServiceError) -> AccessPolicy.Client {
    guard let client else { throw ServiceError(.notAuthenticated, "a token is needed") }
    return client
  }

  static func channel(
    _ call: Route.Call, _ gateway: Gateway
  ) throws(ServiceError) -> RecorderChannel {
    guard let channel = gateway.channel(named: call.parameters["channel"] ?? "") else {
      throw noChannel(gateway)
    }
    return channel
  }

  /// The error for an unknown channel, with the names of all channels.
  static func noChannel(_ gateway: Gateway) -> ServiceError {
    ServiceError(
      .notFound,
      "no such channel; there are: "
        + gateway.channels.map(\.name).joined(separator: ", "))
  }

  /// Refuses a body with keys that an address does not have.
  ///
  /// - Throws: ``ServiceError/Code/invalidRequest``, with the keys.
  static func checkKeys(_ body: [UInt8], of route: Route) throws(ServiceError) {
    guard let keys = BodyKeys(body) else { throw ServiceError(.invalidRequest, noObject) }
    if let fault = keys.fault(except: route.keys, of: "this address") {
      throw ServiceError(.invalidRequest, fault)
    }
  }

  private static let noObject = "the body is not a JSON object with the keys of this address"

  static func body<Value: Decodable>(_ call: Route.Call) throws(ServiceError) -> Value {
    let bytes = call.request.body.isEmpty ? Array("{}".utf8) : call.request.body
    do { return try JSONDecoder().decode(Value.self, from: Data(bytes)) } catch {
      throw ServiceError(.invalidRequest, fault(error))
    }
  }

  /// The key of a value that could not be decoded, in words.
  private static func fault(_ error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      let key = context.codingPath.map(\.stringValue).joined(separator: ".")
      return key.isEmpty ? noObject : "\"\(key)\" has a value of another type"
    case DecodingError.keyNotFound(let key, _): return "\"\(key.stringValue)\" is missing"
    default: return noObject
    }
  }
}
